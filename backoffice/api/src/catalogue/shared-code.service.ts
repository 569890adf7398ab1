import { sharedText, writeSharedText } from '@shop/server/catalogue/shared-codes';
import type { AppContext } from '@shop/server/context';
import { addEntry, staffActor } from '@shop/server/platform/audit/audit';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { ErrorCode, RechargeType } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { ReadSharedCodeBody, ShareCodeBody } from './codes.schemas';

const MOST_VERSIONS = 50;

interface ProductValue {
  goods: string;
  spec: string;
}

interface SpecRow {
  id: number;
  shared: boolean;
  shows_newest: boolean;
  stock: number | null;
}

/** Of card codes. Throws NotFound. */
async function cardSpecOf(sql: Sql, { goods, spec }: ProductValue, lock = ''): Promise<SpecRow> {
  const row = await sql.row<SpecRow>(
    `select s.id, s.shared, s.shows_newest, s.stock from goods_specs s join goods g on g.id = s.goods_id
      where g.key = $1 and s.key = $2 and g.recharge_type = ${RechargeType.CardCode} ${lock}`,
    [goods, spec],
  );
  if (!row) throw new ShopError(ErrorCode.NotFound);
  return row;
}

/** Its settings and versions, without a text. */
export async function sharedCode(sql: Sql, place: ProductValue) {
  const { id, ...settings } = await cardSpecOf(sql, place);
  const versions = await sql.rows<{ version: number; written_by: string; written_at: Date; sold: number }>(
    `select v.version, v.written_by, v.written_at, coalesce(sum(d.quantity), 0)::integer as sold
       from shared_code_versions v left join shared_code_orders d on d.spec_id = v.spec_id and d.version_id = v.id
      where v.spec_id = $1 group by v.id order by v.version desc limit ${MOST_VERSIONS}`,
    [id],
  );
  const { held } = await sql.one<{ held: number }>(
    'select coalesce(sum(quantity), 0)::integer as held from shared_code_orders where spec_id = $1 and version_id is null',
    [id],
  );
  return { ...settings, held, versions };
}

/**
 * Makes the value sell many times, or changes how. Another text is a new version; who has bought an earlier one sees it where `shows_newest`
 * says so. Throws NotFound, InvalidInput without any text, and EditConflict where somebody else has written one, or begun a counter, meanwhile.
 */
export const shareCode = ({ db, keyring }: AppContext, by: string, body: ShareCodeBody): Promise<void> =>
  db.withTransaction(async (sql) => {
    const { seen, shows_newest, stock, ...place } = body;
    const spec = await cardSpecOf(sql, place, 'for no key update of s');
    const newest = await sharedText(sql, keyring, spec.id);
    const text = body.text ?? newest?.text;
    if (text === undefined) throw new ShopError(ErrorCode.InvalidInput, { errors: {} });
    // A counter is changed by pieces: orders take some meanwhile.
    const isStale = newest?.text !== text && (newest?.version ?? 0) !== seen;
    if (isStale || (typeof stock === 'number' && spec.shared && spec.stock !== null))
      throw new ShopError(StaffErrorCode.EditConflict);
    const version = await writeSharedText(sql, keyring, spec.id, text, by);
    const left = stock === undefined ? (spec.shared ? spec.stock : null) : stock;
    await sql.run('update goods_specs set shared = true, shows_newest = $2, stock = $3 where id = $1', [
      spec.id,
      shows_newest,
      left,
    ]);
    const { id: _id, ...before } = spec;
    await addEntry(sql, {
      ...staffActor(),
      action: 'codes.share',
      subject: `${place.goods}/${place.spec}`,
      detail: {
        before: { ...before, version: newest?.version ?? 0 },
        after: { shared: true, shows_newest, stock: left, version },
      },
    });
  });

/** From now on it sells codes that are for one buyer each. Whoever has bought its text keeps it. Throws NotFound. */
export const unshareCode = ({ db }: AppContext, place: ProductValue): Promise<void> =>
  db.withTransaction(async (sql) => {
    const { id, shared } = await cardSpecOf(sql, place, 'for no key update of s');
    if (!shared) return;
    await sql.run('update goods_specs set shared = false, stock = null where id = $1', [id]);
    await addEntry(sql, { ...staffActor(), action: 'codes.unshare', subject: `${place.goods}/${place.spec}` });
  });

/** A version's text; the look is on record. Throws NotFound. */
export const readSharedCode = ({ db, keyring }: AppContext, { version, ...place }: ReadSharedCodeBody) =>
  db.withTransaction(async (sql) => {
    const { id } = await cardSpecOf(sql, place);
    const found = await sharedText(sql, keyring, id, version);
    if (!found) throw new ShopError(ErrorCode.NotFound);
    await addEntry(sql, {
      ...staffActor(),
      action: 'codes.read',
      subject: `${place.goods}/${place.spec}`,
      detail: { version },
    });
    return { text: found.text };
  });
