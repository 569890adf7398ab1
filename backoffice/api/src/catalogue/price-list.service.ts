import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Prices } from '@shop/server/catalogue/goods.store';
import type { AppContext } from '@shop/server/context';
import { addEntry, staffActor } from '@shop/server/platform/audit/audit';
import type { Sql } from '@shop/server/platform/db/sql';
import { canonicalJson } from '@shop/server/platform/http/canonical-json';
import { ShopError } from '@shop/server/platform/http/errors';
import type { Texts } from '@shop/server/platform/http/localised-text';
import { toWire } from '@shop/server/platform/http/money';
import { yieldingTurns } from '@shop/server/platform/http/yielding-turns';
import { type Currency, ErrorCode, RechargeType } from '@shop/shared/domain';
import { CSV_MARK, csvRows } from '@shop/shared/domain/csv';
import { currencies } from '@shop/shared/domain/lists';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { writeXlsxStream } from 'hucre/xlsx';
import { changesOf } from '../edits/edits.service';
import { matchingGoods, readAllGoods } from './goods.service';
import { listLevels } from './levels.service';
import { type PriceCell, type PriceCells, type PriceRow, priceColumns, priceRowsOf, priceTexts } from './price-columns';
import { comparePrices, goodsIn, minor, type PriceChange, readPriceSheet } from './read-prices';

/** Products that are read or written at a time. */
const BATCH = 50;
const MOST_FAULTS = 200;
const MOST_EDITS = 20;

const nameOf = ({ goods, spec }: { goods: string; spec: string }) => `${goods} ${spec}`;

/** The rows of some products at a time. */
async function* currentRows(sql: Sql, keys: readonly string[]): AsyncGenerator<PriceRow[]> {
  for (let from = 0; from < keys.length; from += BATCH) {
    const some = keys.slice(from, from + BATCH);
    const goods = await readAllGoods(sql, some);
    yield some.flatMap((key) => {
      const value = goods.get(key);
      return value ? priceRowsOf(key, value) : [];
    });
  }
}

/**
 * The price list of the products that the list of products finds for `q`: one row per value. Names of columns are those that uploads
 * recognise. In XLSX, amounts are numbers.
 */
export async function priceFile(sql: Sql, q: string, format: 'csv' | 'xlsx', locale: keyof Texts): Promise<Readable> {
  const keys = await matchingGoods(sql, q);
  async function* texts() {
    for await (const rows of currentRows(sql, keys)) {
      const costs = await costsOf(sql, rows);
      for (const row of rows) yield priceTexts(row, costs.get(nameOf(row)) ?? {}, locale);
    }
  }
  const headers = priceColumns.map(([, names]) => names[locale === 'en' ? 1 : 0]);
  async function* csv() {
    yield CSV_MARK + csvRows([headers]);
    for await (const row of texts()) yield csvRows([priceColumns.map(([column]) => row[column] ?? '')]);
  }
  async function* cells() {
    // Only the columns of amounts have a currency.
    for await (const row of texts())
      yield priceColumns.map(([column]) => (column.includes('.') && row[column] ? Number(row[column]) : row[column]));
  }
  if (format === 'csv') return Readable.from(csv());
  const columns = headers.map((header) => ({ header, width: 16, numFmt: '0.00' }));
  return Readable.fromWeb(
    writeXlsxStream(cells(), { name: 'Prices', columns, freezePane: { rows: 1 } }) as ReadableStream,
  );
}

/** The costs of values at their suppliers, by "<goods> <spec>", as far as they are known. */
async function costsOf(sql: Sql, rows: ReadonlyArray<{ goods: string }>): Promise<Map<string, Prices>> {
  const offers = await sql.rows<{ goods: string; spec: string; costs: Partial<Record<Currency, number>> }>(
    `select g.key as goods, s.key as spec, f.costs
       from supplier_offers f join goods_specs s on s.id = f.spec_id join goods g on g.id = s.goods_id and g.stock_type = f.stock_type
      where g.key = any($1) and g.recharge_type in (${RechargeType.Direct}, ${RechargeType.Proxy})`,
    [[...new Set(rows.map(({ goods }) => goods))]],
  );
  const wireCosts = (costs: object): Prices =>
    Object.fromEntries(Object.entries(costs).map(([currency, cost]) => [currency, toWire(cost)]));
  return new Map(offers.map((offer) => [nameOf(offer), wireCosts(offer.costs)]));
}

async function readChanges(sql: Sql, file: Buffer) {
  const sheet = await readPriceSheet(file);
  const current = new Map<string, PriceRow[]>();
  for await (const rows of currentRows(sql, goodsIn(sheet)))
    for (const row of rows) current.set(row.goods, [...(current.get(row.goods) ?? []), row]);
  return { sheet, ...(await comparePrices(sheet, current)) };
}

/** The changes that a price list would make, with who then pays what. The revision identifies them and the values that they replace. */
export async function previewPrices(sql: Sql, file: Buffer) {
  const { sheet, changes, faults } = await readChanges(sql, file);
  const levels = (await listLevels(sql)).filter(({ value }) => value.active);
  const fixed = new Map(
    levels.flatMap(({ key, value }) => value.prices.map((price) => [`${key} ${nameOf(price)}`, price.prices] as const)),
  );
  const costs = await costsOf(sql, changes);
  /** What everyone and each level pay (order_price), and the percentage of it that the cost leaves. */
  const buyersOf = (change: PriceChange, cost: Prices) =>
    currencies.flatMap((currency) => {
      const price = change.cells[`price.${currency}`];
      if (!price) return [];
      const buyer = (level: number | null, amount: number) => {
        const gain = amount - minor(cost[currency] ?? '');
        const margin = Number.isNaN(gain) || amount === 0 ? null : (Math.floor((gain * 1000) / amount) / 10).toFixed(1);
        return { level, currency, price: toWire(amount), margin };
      };
      const ofLevels = levels.map(({ key, value }, level) => {
        const own = fixed.get(`${key} ${nameOf(change)}`)?.[currency];
        const amount = own ? minor(own) : Math.floor((minor(price) * value.percent + 50) / 100);
        return buyer(level, Math.min(minor(price), amount));
      });
      return [buyer(null, minor(price)), ...ofLevels];
    });
  const shown = [];
  const giveWay = yieldingTurns();
  for (const { cells, ...change } of changes) {
    await giveWay();
    const cost = costs.get(nameOf(change)) ?? {};
    shown.push({ ...change, cost, buyers: buyersOf({ cells, ...change }, cost) });
  }
  return {
    changes: shown,
    /** The levels that `buyers` refer to by index. */
    levels: levels.map(({ value }) => value.name),
    faults: faults.slice(0, MOST_FAULTS),
    fault_count: faults.length,
    unknown: sheet.names.filter((name, at) => name && !sheet.columns[at]),
    revision: await revisionOf(changes),
  };
}

async function revisionOf(changes: PriceChange[]): Promise<string> {
  const digest = createHash('sha256');
  const giveWay = yieldingTurns();
  for (const { goods, spec, before, after } of changes) {
    await giveWay();
    digest.update(canonicalJson([goods, spec, before, after]));
  }
  return digest.digest('base64url');
}

/** Applies a price list as previewed, or nothing. Throws InvalidInput for one with faults, and EditConflict if a price has changed since. */
export async function applyPrices({ db }: AppContext, file: Buffer, revision: string): Promise<{ values: number }> {
  const { changes, faults } = await readChanges(db, file);
  if (faults.length > 0) throw new ShopError(ErrorCode.InvalidInput);
  if ((await revisionOf(changes)) !== revision) throw new ShopError(StaffErrorCode.EditConflict);
  return db.withTransaction((sql) => changePrices(sql, changes));
}

/** Restores the prices before a price list, or none. Throws NotFound, and EditConflict if one of them has changed since. */
export const undoPrices = ({ db }: AppContext, id: number): Promise<{ values: number }> =>
  db.withTransaction(async (sql) => {
    type Cells = Record<string, Partial<PriceCells>>;
    const entry = await sql.row<{ before: Cells; after: Cells }>(
      `select detail -> 'before' as before, detail -> 'after' as after from audit_log
        where id = $1 and subject = 'prices' and action = 'prices.edit' and detail ? 'before'`,
      [id],
    );
    if (!entry) throw new ShopError(ErrorCode.NotFound);
    const changes = Object.entries(entry.after).map(([name, before]) => {
      const [goods = '', spec = ''] = name.split(' ');
      return { goods, spec, before, after: entry.before[name] ?? {} };
    });
    return changePrices(sql, changes, { put_back: id });
  });

type Change = Pick<PriceChange, 'goods' | 'spec' | 'before' | 'after'>;

/**
 * Changes prices and records them: an entry for the list, and one in the history of each product. Unlike edits of single products it
 * locks no counter of stock, for which orders would wait. Throws EditConflict if a cell is not as before its change.
 */
async function changePrices(sql: Sql, changes: Change[], detail = {}): Promise<{ values: number }> {
  const keys = [...new Set(changes.map(({ goods }) => goods))];
  await sql.rows('select 1 from goods where key = any($1) order by id for no key update', [keys]);
  const before = new Map<string, PriceCells>();
  for await (const rows of currentRows(sql, keys)) for (const row of rows) before.set(nameOf(row), row.cells);
  for (const change of changes) {
    const cells = before.get(nameOf(change));
    const isAsBefore = Object.entries(change.before).every(([cell, value]) => cells?.[cell as PriceCell] === value);
    if (!cells || !isAsBefore) throw new ShopError(StaffErrorCode.EditConflict);
  }
  for (let from = 0; from < keys.length; from += BATCH) {
    const some = keys.slice(from, from + BATCH);
    const own = changes.filter(({ goods }) => some.includes(goods));
    const old = await readAllGoods(sql, some);
    await writePrices(
      sql,
      own.map((change) => ({ ...change, cells: { ...before.get(nameOf(change)), ...change.after } })),
    );
    for (const [key, value] of await readAllGoods(sql, some)) {
      const entry = { ...detail, ...changesOf({ ...old.get(key) }, value) };
      await addEntry(sql, { ...staffActor(), action: 'goods.edit', subject: key, detail: entry });
    }
  }
  const cellsOf = (side: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [nameOf(change), change[side]]));
  const entry = { ...detail, before: cellsOf('before'), after: cellsOf('after') };
  await addEntry(sql, { ...staffActor(), action: 'prices.edit', subject: 'prices', detail: entry });
  return { values: changes.length };
}

/** Writes prices by set, because a list may have thousands. */
async function writePrices(
  sql: Sql,
  rows: Array<{ goods: string; spec: string; cells: Partial<PriceCells> }>,
): Promise<void> {
  const prices = rows.flatMap(({ goods, spec, cells }) =>
    currencies.map((currency) => {
      const price = cells[`price.${currency}`];
      const original = cells[`original.${currency}`] ?? price;
      return { goods, spec, currency, price: price && minor(price), original: original && minor(original) };
    }),
  );
  await sql.run(
    `with listed as (
       select v.*, s.id as spec_id, s.goods_id from jsonb_to_recordset($1::jsonb) as v (goods text, spec text, currency text, price bigint, original bigint)
         join goods g on g.key = v.goods join goods_specs s on s.goods_id = g.id and s.key = v.spec
     ), ended as (
       delete from prices p using listed v where p.spec_id = v.spec_id and p.currency = v.currency and v.price is null
     )
     insert into prices (goods_id, spec_id, currency, price, original_price)
     select goods_id, spec_id, currency, price, original from listed where price is not null
     on conflict (spec_id, currency) where spec_id is not null
       do update set price = excluded.price, original_price = excluded.original_price`,
    [JSON.stringify(prices)],
  );
  await sql.run(
    `update goods g set status = v.status, updated_at = now()
       from (select distinct * from unnest($1::text[], $2::integer[]) as u (key, status)) v where g.key = v.key`,
    [rows.map(({ goods }) => goods), rows.map(({ cells }) => cells.status)],
  );
  await sql.one('select supply_refresh(array(select id from goods where key = any($1)))', [
    rows.map(({ goods }) => goods),
  ]);
}

/** The newest price lists that were applied or undone; `put_back` is the one that was undone. */
export const listPriceEdits = (sql: Sql) =>
  sql.rows<{ id: number; at: Date; by: string; values: number; put_back: number | null }>(
    `select id, at, actor as by, (select count(*) from jsonb_object_keys(detail -> 'after')) as values,
            (detail ->> 'put_back')::bigint as put_back
       from audit_log where subject = 'prices' and action = 'prices.edit' and detail ? 'before' order by id desc limit $1`,
    [MOST_EDITS],
  );
