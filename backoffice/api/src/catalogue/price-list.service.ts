import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { AppContext } from '@shop/server/context';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { suffixOf } from '@shop/server/platform/http/localised-text';
import { toWire } from '@shop/server/platform/http/money';
import type { Currency, Locale } from '@shop/server/platform/http/schemas';
import { yieldingTurns } from '@shop/server/platform/http/yielding-turns';
import { ErrorCode, RechargeType } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { changesOf, editOf } from '../edits/edits.service';
import { record } from '../people/record';
import { amount } from '../sql';
import { type FileFormat, tableFile } from '../table-file';
import { matchingGoods, readAllGoods } from './goods.service';
import { listLevels, nameOf } from './levels.service';
import {
  minor,
  type PriceCell,
  type PriceCells,
  type PriceChange,
  type PriceRow,
  priceColumns,
  priceHeader,
  readPrices,
} from './read-prices';

/** Rows and products that are written at a time. */
const BATCH = 50;
const MOST_FAULTS = 200;
const MOST_EDITS = 20;

const amountsIn = (currency: Currency) =>
  `${amount(`${currency}.price`)} as "price.${currency}", ${amount(`f.costs ->> '${currency}'`)} as "cost.${currency}",
   ${amount(`nullif(${currency}.original_price, ${currency}.price)`)} as "original.${currency}"`;

/** All values of products, in the order of the list of products. */
const readPriceRows = (sql: Sql, goods: string[], locale: Locale): Promise<PriceRow[]> =>
  sql.rows<PriceRow>(
    `select g.key as goods, g.name_${suffixOf(locale)} as name, s.key as spec, s.name_${suffixOf(locale)} as spec_name,
            ${currencies.map(amountsIn).join(', ')}
       from goods g join goods_specs s on s.goods_id = g.id and s.active
       left join prices CNY on CNY.spec_id = s.id and CNY.currency = 'CNY'
       left join prices USD on USD.spec_id = s.id and USD.currency = 'USD'
       left join supplier_offers f on f.spec_id = s.id and f.stock_type = g.stock_type
        and g.recharge_type in (${RechargeType.Direct}, ${RechargeType.Proxy})
      where g.key = any($1) order by g.sort, g.id, s.sort, s.id`,
    [goods],
  );

/**
 * The price list of the products that the list of products finds for `q`: one row per value. Names of columns are those that uploads
 * recognise.
 */
export async function priceFile(sql: Sql, q: string, format: FileFormat, locale: Locale): Promise<Readable> {
  const rows = await readPriceRows(sql, await matchingGoods(sql, q), locale);
  async function* batches() {
    for (let from = 0; from < rows.length; from += BATCH)
      yield rows.slice(from, from + BATCH).map((row) => priceColumns.map((column) => row[column]));
  }
  // Only the columns of amounts have a currency.
  const columns = priceColumns.map((column) => ({
    header: priceHeader(column, locale),
    isAmount: column.includes('.'),
  }));
  return Readable.from(tableFile(format, columns, batches()));
}

/** The changes that a price list would make, with who then pays what. The revision identifies them and the values that they replace. */
export async function previewPrices(sql: Sql, file: Buffer, locale: Locale) {
  const { changes, faults, unknown } = await readPrices(file, (goods) => readPriceRows(sql, goods, locale));
  const levels = (await listLevels(sql)).filter(({ value }) => value.active);
  const fixed = new Map(
    levels.flatMap(({ key, value }) => value.prices.map((price) => [`${key} ${nameOf(price)}`, price.prices] as const)),
  );
  /** Each entry has what everyone or a level pays (order_price), and the percentage of it that the cost leaves. */
  const buyersOf = (change: PriceChange) =>
    currencies.flatMap((currency) => {
      const price = minor(change[`price.${currency}`] ?? '');
      if (Number.isNaN(price)) return [];
      const buyer = (level: string | null, pays: number) => {
        const gain = pays - minor(change[`cost.${currency}`] ?? '');
        const margin = Number.isNaN(gain) || pays === 0 ? null : (Math.floor((gain * 1000) / pays) / 10).toFixed(1);
        return { level, currency, price: toWire(pays), margin };
      };
      const ofLevels = levels.map(({ key, value }) => {
        const own = fixed.get(`${key} ${nameOf(change)}`)?.[currency];
        return buyer(
          value.name[locale],
          Math.min(price, own ? minor(own) : Math.floor((price * value.percent + 50) / 100)),
        );
      });
      return [buyer(null, price), ...ofLevels];
    });
  const shown = [];
  const giveWay = yieldingTurns();
  for (const change of changes) {
    await giveWay();
    shown.push({ ...change, buyers: buyersOf(change) });
  }
  return {
    changes: shown,
    faults: faults.slice(0, MOST_FAULTS),
    fault_count: faults.length,
    unknown,
    revision: revisionOf(changes),
  };
}

const revisionOf = (changes: PriceChange[]): string =>
  createHash('sha256')
    .update(JSON.stringify(changes.map(({ goods, spec, before, after }) => [goods, spec, before, after])))
    .digest('base64url');

/** Applies a price list as previewed, or nothing. Throws InvalidInput for one with faults, and EditConflict if a price has changed since. */
export async function applyPrices({ db }: AppContext, file: Buffer, revision: string): Promise<{ values: number }> {
  const { changes, faults } = await readPrices(file, (goods) => readPriceRows(db, goods, 'en'));
  if (faults.length > 0) throw new ShopError(ErrorCode.InvalidInput);
  if (revisionOf(changes) !== revision) throw new ShopError(StaffErrorCode.EditConflict);
  return db.withTransaction((sql) => changePrices(sql, changes));
}

/** Restores the prices before a price list, or none. Throws NotFound, and EditConflict if one of them has changed since. */
export const undoPrices = ({ db }: AppContext, id: number): Promise<{ values: number }> =>
  db.withTransaction(async (sql) => {
    type Cells = Record<string, Partial<PriceCells>>;
    const { before: old, after: current } = await editOf<Cells, Cells>(sql, 'prices', 'prices', id);
    const changes = Object.entries(current).map(([name, before]) => {
      const [goods = '', spec = ''] = name.split(' ');
      return { goods, spec, before, after: old[name] ?? {} };
    });
    return changePrices(sql, changes, { put_back: id });
  });

/**
 * Changes prices and records them: an entry for the list, and one in the history of each product. Unlike edits of single products it
 * locks no counter of stock, for which orders would wait. Throws EditConflict if a cell is not as before its change.
 */
async function changePrices(
  sql: Sql,
  changes: Array<Pick<PriceChange, 'goods' | 'spec' | 'before' | 'after'>>,
  detail = {},
): Promise<{ values: number }> {
  const keys = [...new Set(changes.map(({ goods }) => goods))];
  await sql.rows('select 1 from goods where key = any($1) order by id for no key update', [keys]);
  const current = new Map((await readPriceRows(sql, keys, 'en')).map((row) => [nameOf(row), row]));
  const rows = changes.map((change) => {
    const row = current.get(nameOf(change));
    if (!row || Object.entries(change.before).some(([cell, value]) => row[cell as PriceCell] !== value))
      throw new ShopError(StaffErrorCode.EditConflict);
    return { ...row, ...change.after };
  });
  for (let from = 0; from < keys.length; from += BATCH) {
    const some = keys.slice(from, from + BATCH);
    const old = await readAllGoods(sql, some);
    await writePrices(
      sql,
      rows.filter(({ goods }) => some.includes(goods)),
    );
    for (const [key, value] of await readAllGoods(sql, some)) {
      const entry = { ...detail, ...changesOf({ ...old.get(key) }, value) };
      await record(sql, { action: 'goods.edit', subject: key, detail: entry });
    }
  }
  const cellsOf = (side: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [nameOf(change), change[side]]));
  const entry = { ...detail, before: cellsOf('before'), after: cellsOf('after') };
  await record(sql, { action: 'prices.edit', subject: 'prices', detail: entry });
  return { values: changes.length };
}

/** Writes prices by set, because a list may have thousands. */
async function writePrices(sql: Sql, rows: PriceRow[]): Promise<void> {
  const prices = rows.flatMap(({ goods, spec, ...cells }) =>
    currencies.map((currency) => {
      const price = cells[`price.${currency}`];
      return { goods, spec, currency, price, original: cells[`original.${currency}`] ?? price };
    }),
  );
  await sql.run(
    `with listed as (
       select v.*, s.id as spec_id, s.goods_id
         from jsonb_to_recordset($1::jsonb) as v (goods text, spec text, currency text, price numeric, original numeric)
         join goods g on g.key = v.goods join goods_specs s on s.goods_id = g.id and s.key = v.spec
     ), ended as (
       delete from prices p using listed v where p.spec_id = v.spec_id and p.currency = v.currency and v.price is null
     ), changed as (
       update goods set updated_at = now() where id in (select goods_id from listed)
     )
     insert into prices (goods_id, spec_id, currency, price, original_price)
     select goods_id, spec_id, currency, price * 100, original * 100 from listed where price is not null
     on conflict (spec_id, currency) where spec_id is not null
       do update set price = excluded.price, original_price = excluded.original_price`,
    [JSON.stringify(prices)],
  );
  await sql.one('select supply_refresh(array(select id from goods where key = any($1)))', [
    rows.map(({ goods }) => goods),
  ]);
}

/** The newest price lists that were applied or undone; `put_back` is the one that was undone. */
export const listPriceEdits = (sql: Sql) =>
  sql.rows<{ id: number; at: Date; by: string; values: number; put_back: number | null }>(
    `select id, at, replace(actor, ' (staff)', '') as by, (select count(*) from jsonb_object_keys(detail -> 'after')) as values,
            (detail ->> 'put_back')::bigint as put_back
       from audit_log where subject = 'prices' and action = 'prices.edit' and detail ? 'before' order by id desc limit $1`,
    [MOST_EDITS],
  );
