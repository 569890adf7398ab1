import { addCards, DEMO_CODE_PREFIX } from '@shop/server/catalogue/goods.store';
import { countsCodes, LOW_STOCK, sellable } from '@shop/server/catalogue/low-stock';
import { type CodeFault, hasTooManyLines, readCodes, type WrittenCode } from '@shop/server/catalogue/read-codes';
import type { AppContext } from '@shop/server/context';
import { cardMarkKey, cardMarks } from '@shop/server/platform/crypto/card-marks';
import { CardState } from '@shop/server/platform/db/named-numbers';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import type { Texts } from '@shop/server/platform/http/localised-text';
import { yieldingTurns } from '@shop/server/platform/http/yielding-turns';
import { ErrorCode, GoodsStatus, RechargeType } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { Sent } from '../calls';
import { record } from '../people/record';
import { matches, searchOf, textsOf, update } from '../sql';
import { addBatch } from './batches.service';
import type { CodesBody, ImportCodesBody, Place, StaffFreeCode, StockSaveBody } from './codes.schemas';

/** On the embedded database, shoppers wait for the transaction of an import. */
const MOST_CODES = 5000;
const MOST_ROWS = 300;
/** Codes that a preview shows. */
const ROWS_SHOWN = 5;
const PAGE_SIZE = 50;
/** A search compares the ends of at most this many codes. */
const MOST_COMPARED = 5000;

type GoodCode = WrittenCode & { specId: number };

/**
 * The fault of each code that repeats another one of the list, or one that the shop has for any value; unless `sameNumbers`, also numbers with another
 * password.
 */
export async function repeatedCodes(
  { keyring }: AppContext,
  sql: Sql,
  codes: ReadonlyArray<Pick<WrittenCode, 'line' | 'card_no' | 'card_pwd'>>,
  sameNumbers = false,
): Promise<Array<CodeFault | undefined>> {
  const key = await cardMarkKey(sql, keyring);
  const giveWay = yieldingTurns();
  const marked: Array<{ line: number; number: string; code: string }> = [];
  for (const { line, card_no, card_pwd } of codes) {
    await giveWay();
    const { number, code } = cardMarks(key, card_no, card_pwd);
    marked.push({ line, number: number.toString('hex'), code: code.toString('hex') });
  }
  const stored = await sql.rows<{ number: string; code: string | null }>(
    `select encode(number_mark, 'hex') as number, encode(code_mark, 'hex') as code from card_codes
      where number_mark in (select decode(hex, 'hex') from unnest($1::text[]) hex)`,
    [marked.map(({ number }) => number)],
  );
  const storedMarks = new Set(stored.flatMap(({ number, code }) => [number, code]));
  const lines = new Map<string, number>();
  return marked.map(({ line, number, code }) => {
    const [sameCode, sameNumber] = [lines.get(code), lines.get(number)];
    lines.set(code, sameCode ?? line).set(number, sameNumber ?? line);
    if (sameCode) return { line, kind: 'twice', other: sameCode };
    if (storedMarks.has(code)) return { line, kind: 'known' };
    if (sameNumbers) return undefined;
    if (storedMarks.has(number)) return { line, kind: 'number' };
    return sameNumber ? { line, kind: 'numberTwice', other: sameNumber } : undefined;
  });
}

/** Codes that can be imported, and what is wrong with the others. */
export async function checkCodes(context: AppContext, sql: Sql, codes: readonly WrittenCode[], sameNumbers?: boolean) {
  const faults: CodeFault[] = [];
  const names = [...new Set(codes.map((code) => `${code.goods}/${code.spec}`))];
  const rows = await sql.rows<{ id: number; name: string; shared: boolean }>(
    `select s.id, g.key || '/' || s.key as name, s.shared from goods_specs s join goods g on g.id = s.goods_id
      where g.recharge_type = ${RechargeType.CardCode} and s.active and g.key || '/' || s.key = any ($1)`,
    [names],
  );
  const specs = new Map(rows.map(({ name, ...spec }) => [name, spec]));
  const good: GoodCode[] = [];
  for (const code of codes) {
    const { line, card_no } = code;
    const match = specs.get(`${code.goods}/${code.spec}`);
    if (!match) faults.push({ line, kind: 'goods' });
    else if (match.shared) faults.push({ line, kind: 'shared' });
    else if (context.config.live && card_no.startsWith(DEMO_CODE_PREFIX)) faults.push({ line, kind: 'demo' });
    else good.push({ ...code, specId: match.id });
  }
  const repeated = await repeatedCodes(context, sql, good, sameNumbers);
  return {
    good: good.filter((_, at) => !repeated[at]),
    faults: [...faults, ...repeated.filter((fault) => fault !== undefined)],
  };
}

async function check(context: AppContext, sql: Sql, { goods, spec, text, same_numbers }: CodesBody) {
  if (hasTooManyLines(text)) throw new ShopError(StaffErrorCode.TooManyCodes, { most: MOST_CODES });
  const { codes, faults } = await readCodes(text, { goods, spec }, context.config.timeZone);
  if (codes.length + faults.length > MOST_CODES) throw new ShopError(StaffErrorCode.TooManyCodes, { most: MOST_CODES });
  const checked = await checkCodes(context, sql, codes, same_numbers);
  return { good: checked.good, faults: [...faults, ...checked.faults].sort((a, b) => a.line - b.line) };
}

export function bySpec(all: readonly GoodCode[]) {
  const specs = new Map(all.map(({ goods, spec, specId }) => [specId, { goods, spec, specId }]));
  return [...specs.values()].map((spec) => ({ ...spec, codes: all.filter(({ specId }) => specId === spec.specId) }));
}

/** Changes nothing, and shows how the first codes are read. Throws TooManyCodes. */
export async function previewCodes(context: AppContext, sql: Sql, body: CodesBody) {
  const { good, faults } = await check(context, sql, body);
  const specs = bySpec(good).map(({ goods, spec, codes }) => ({ goods, spec, good: codes.length }));
  const rows = good
    .slice(0, ROWS_SHOWN)
    .map(({ line, card_no, card_pwd, expire_at }) => ({ line, card_no, card_pwd, expire_at }));
  return { good: good.length, faults, specs, rows };
}

/** Imports codes as one batch. Throws CodesNotTaken with the faults if a line has one and `only_good` is not set, or if no code is new. */
export async function importCodes(context: AppContext, { batch, ...body }: ImportCodesBody) {
  return context.db.withTransaction(async (sql) => {
    const { good, faults } = await check(context, sql, body);
    if (good.length === 0 || (faults.length > 0 && !body.only_good))
      throw new ShopError(StaffErrorCode.CodesNotTaken, { faults });
    const { keyring, config } = context;
    const batchId = await addBatch(sql, config, batch);
    let added = 0;
    for (const { goods, spec, specId, codes } of bySpec(good)) {
      const count = await addCards(sql, keyring, specId, codes, { batchId });
      added += count;
      const detail = { added: count, batch: batchId };
      await record(sql, { action: 'codes.import', subject: `${goods}/${spec}`, detail });
    }
    // Another import has added some of these codes meanwhile.
    if (added === 0 || (added < good.length && !body.only_good))
      throw new ShopError(StaffErrorCode.CodesNotTaken, { faults });
    return { added, left_out: faults.length + good.length - added };
  });
}

interface StockRow {
  goods: string;
  spec: string;
  name: Texts;
  spec_name: Texts;
  /** Its stock is the number of its codes; otherwise it has a counter. */
  codes: boolean;
  shared: boolean;
  pieces: number | null;
  expiring: number;
  low_stock: number;
  low: boolean;
}

/** Specifications with low stock come first. A search also finds hidden products: staff stock them before they are on sale. */
export const listStock = (sql: Sql, q = '') =>
  sql.rows<StockRow>(
    `select goods, spec, name, spec_name, codes, shared, pieces, expiring, low_stock, coalesce(pieces <= low_stock, false) as low from (
       select g.key as goods, s.key as spec, ${textsOf('g.name')} as name, ${textsOf('s.name')} as spec_name, ${countsCodes} as codes, s.shared,
              case when ${countsCodes} then n.free else s.stock end as pieces, n.expiring,
              coalesce(s.low_stock, ${LOW_STOCK}) as low_stock, g.sort, g.id, s.sort as spec_sort
         from goods g join goods_specs s on s.goods_id = g.id and s.active
         cross join lateral (
           select count(*) as free, count(*) filter (where c.expire_at < clock_timestamp() + interval '30 days') as expiring
             from card_codes c where ${countsCodes} and c.spec_id = s.id and ${sellable('c')}) n
        where (g.status <> ${GoodsStatus.OffShelf} or $1 <> '') and (g.recharge_type = ${RechargeType.CardCode} or s.stock is not null)
          and ${matches}) stock
      order by coalesce(pieces <= low_stock, false) desc, sort, id, spec_sort limit ${MOST_ROWS}`,
    searchOf(q),
  );

/** Throws NotFound. */
async function specOf(sql: Sql, { goods, spec }: Place, lock = '') {
  const row = await sql.row<{ id: number; stock: number | null; low_stock: number | null }>(
    `select s.id, s.stock, s.low_stock from goods_specs s join goods g on g.id = s.goods_id where g.key = $1 and s.key = $2 ${lock}`,
    [goods, spec],
  );
  if (!row) throw new ShopError(ErrorCode.NotFound);
  return row;
}

/**
 * Saves the threshold of low stock and changes a counter by `add` pieces, because orders change it meanwhile. Throws NotFound,
 * and OutOfStock below zero.
 */
export const saveStock = ({ db }: AppContext, { add = 0, low_stock, ...place }: StockSaveBody): Promise<void> =>
  db.withTransaction(async (sql) => {
    const before = await specOf(sql, place, 'for no key update of s');
    if (add !== 0 && (before.stock === null || before.stock + add < 0)) throw new ShopError(ErrorCode.OutOfStock);
    const after = { stock: before.stock === null ? null : before.stock + add, low_stock };
    await update(sql, 'goods_specs', 'id', before.id, after);
    const detail = { before: { stock: before.stock, low_stock: before.low_stock }, after };
    await record(sql, { action: 'stock.edit', subject: `${place.goods}/${place.spec}`, detail });
  });

const tailOf = (number: string) => [...number].slice(-4).join('');
export const maskedNumber = (number: string) => `••••${[...number].length > 8 ? tailOf(number) : ''}`;

type FreeCode = Sent<StaffFreeCode>;
type FreeRow = Omit<FreeCode, 'number'> & { key_id: string; card_no: Buffer };

/** Unsold codes, newest first, with masked numbers; with `tail` only those whose number ends with it. */
export async function freeCodes(
  { keyring }: AppContext,
  sql: Sql,
  { tail = '', before, ...place }: Place & { tail?: string; before?: number },
): Promise<FreeCode[]> {
  const { id } = await specOf(sql, place);
  const rows = await sql.rows<FreeRow>(
    `select c.id, c.key_id, c.card_no, c.created_at, c.expire_at, c.batch_id, b.name as batch
       from card_codes c left join card_batches b on b.id = c.batch_id
      where c.spec_id = $1 and c.state = ${CardState.Free} and ($2::bigint is null or c.id < $2) order by c.id desc limit $3`,
    [id, before ?? null, tail ? MOST_COMPARED : PAGE_SIZE],
  );
  const ending = tail.trim().toUpperCase();
  const matches: FreeCode[] = [];
  for (const { key_id, card_no, ...code } of rows) {
    const number = keyring.decrypt(key_id, card_no);
    if (number.toUpperCase().endsWith(ending)) matches.push({ ...code, number: maskedNumber(number) });
    if (matches.length === PAGE_SIZE) break;
  }
  return matches;
}

/** Takes codes off sale for good. Throws CodesNotFree with the ids of sold or reserved codes, and voids none. */
export const voidCodes = ({ db }: AppContext, ids: number[], reason: string): Promise<void> =>
  db.withTransaction(async (sql) => {
    const free = await sql.rows<{ id: number; name: string }>(
      `select c.id, g.key || '/' || s.key as name from card_codes c join goods_specs s on s.id = c.spec_id join goods g on g.id = s.goods_id
        where c.id = any ($1) and c.state = ${CardState.Free} order by c.id for update of c`,
      [ids],
    );
    const freeIds = new Set(free.map(({ id }) => id));
    const notFree = ids.filter((id) => !freeIds.has(id));
    if (notFree.length > 0) throw new ShopError(StaffErrorCode.CodesNotFree, { ids: notFree });
    await sql.run(`update card_codes set state = ${CardState.Void} where id = any ($1)`, [ids]);
    for (const name of new Set(free.map((code) => code.name))) {
      const voided = free.filter((code) => code.name === name).map(({ id }) => id);
      await record(sql, { action: 'codes.void', subject: name, detail: { ids: voided, reason } });
    }
  });
