import { sharedText, writeSharedText } from '@shop/server/catalogue/shared-codes';
import type { AppContext } from '@shop/server/context';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { ErrorCode, RechargeType } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { record } from '../people/record';
import type { Place, ShareCodeBody } from './codes.schemas';

interface SpecRow {
  id: number;
  shared: boolean;
  stock: number | null;
  has_text: boolean;
}

/** Reads a specification of a product that sells card codes. Throws NotFound. */
async function cardSpecOf(sql: Sql, { goods, spec }: Place, lock = ''): Promise<SpecRow> {
  const row = await sql.row<SpecRow>(
    `select s.id, s.shared, s.stock, exists (select 1 from shared_code_texts where spec_id = s.id) as has_text
       from goods_specs s join goods g on g.id = s.goods_id
      where g.key = $1 and s.key = $2 and g.recharge_type = ${RechargeType.CardCode} ${lock}`,
    [goods, spec],
  );
  if (!row) throw new ShopError(ErrorCode.NotFound);
  return row;
}

export async function sharedCode(sql: Sql, place: Place) {
  const { id: _id, ...settings } = await cardSpecOf(sql, place);
  return settings;
}

/**
 * Makes the specification sell one text to all its buyers, or changes its settings. A new text applies to orders that are delivered from
 * now on. Throws NotFound, InvalidInput without any text, and EditConflict if another staff member has started a counter meanwhile.
 */
export const shareCode = ({ db, keyring }: AppContext, { text, stock, ...place }: ShareCodeBody): Promise<void> =>
  db.withTransaction(async (sql) => {
    const { id, has_text, ...before } = await cardSpecOf(sql, place, 'for no key update of s');
    if (text === undefined && !has_text) throw new ShopError(ErrorCode.InvalidInput, { errors: {} });
    // A counter that runs is changed by pieces only (`stock/save`), because orders change it meanwhile.
    if (typeof stock === 'number' && before.shared && before.stock !== null)
      throw new ShopError(StaffErrorCode.EditConflict);
    if (text !== undefined) await writeSharedText(sql, keyring, id, text);
    const left = stock === undefined ? (before.shared ? before.stock : null) : stock;
    await sql.run('update goods_specs set shared = true, stock = $2 where id = $1', [id, left]);
    const detail = { before, after: { shared: true, stock: left }, has_new_text: text !== undefined };
    await record(sql, { action: 'codes.share', subject: `${place.goods}/${place.spec}`, detail });
  });

/** Makes the specification sell one code per buyer again. Buyers keep the text that they bought. Throws NotFound. */
export const unshareCode = ({ db }: AppContext, place: Place): Promise<void> =>
  db.withTransaction(async (sql) => {
    const { id, shared } = await cardSpecOf(sql, place, 'for no key update of s');
    if (!shared) return;
    await sql.run('update goods_specs set shared = false, stock = null where id = $1', [id]);
    await record(sql, { action: 'codes.unshare', subject: `${place.goods}/${place.spec}` });
  });

/** Returns the text that the specification sells now, and records the access in the audit log. Throws NotFound. */
export const readSharedCode = ({ db, keyring }: AppContext, place: Place) =>
  db.withTransaction(async (sql) => {
    const { id } = await cardSpecOf(sql, place);
    const shared = await sharedText(sql, keyring, id);
    if (!shared) throw new ShopError(ErrorCode.NotFound);
    await record(sql, { action: 'codes.read', subject: `${place.goods}/${place.spec}` });
    return { text: shared.text };
  });
