import { actingAs, addEntry, staffActor } from '@shop/server/platform/audit/audit';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { fieldError, ShopError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import type { Currency, Locale } from '@shop/server/platform/http/schemas';
import { ErrorCode, SpecType } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { edit } from '../edits/edits.service';
import type { StaffGoods } from './goods.schemas';
import { goodsEditable } from './goods.service';
import type { PriceChangeBody, StaffPriceChange } from './price-changes.schemas';

/** Of one job's run. */
const BATCH = 50;
const LATEST_MS = 2 * 366 * 86_400_000;

type Amounts = Partial<Record<Currency, number>>;
type Before = Partial<Record<Currency, { price: number; original: number }>>;
interface Row {
  id: number;
  goods: string;
  spec: string | null;
  prices: Amounts;
  before: Before | null;
  starts_at: Date;
  ends_at: Date | null;
  state: StaffPriceChange['state'];
  asked_by: string;
  on_sale: boolean;
}

/** Of `c`, `g` and the value `s`. */
const isOnSale = `case when c.spec_id is null then g.spec_type = ${SpecType.Custom} else s.active end`;

const rows = (condition: string) =>
  `select c.id, g.key as goods, s.key as spec, c.prices, c.before, c.starts_at, c.ends_at, c.state, c.asked_by, ${isOnSale} as on_sale
     from price_changes c join goods g on g.id = c.goods_id left join goods_specs s on s.id = c.spec_id where ${condition}`;

const currenciesOf = (amounts: object) => Object.keys(amounts) as Currency[];

/** Those that wait or run, and the last that have ended. */
export async function listPriceChanges(sql: Sql, goods: string): Promise<StaffPriceChange[]> {
  const found = await sql.rows<Row>(
    `${rows('g.key = $1')} order by c.state in ('waiting', 'running') desc, case when c.state in ('waiting', 'running') then c.starts_at end, c.id desc limit 30`,
    [goods],
  );
  return found.map(({ id, spec, prices, starts_at, ends_at, state, asked_by, on_sale }) => ({
    id,
    spec,
    prices: currenciesOf(prices).map((currency) => ({ currency, price: toWire(prices[currency] ?? 0) })),
    starts_at: starts_at.toISOString(),
    ends_at: ends_at?.toISOString() ?? null,
    state: (state === 'waiting' || state === 'running') && !on_sale ? 'off_sale' : state,
    asked_by,
  }));
}

/** Throws InvalidInput, NotFound, and PriceChangesOverlap where another one has the same price at the same time. */
export const addPriceChange = (db: Database, body: PriceChangeBody, locale: Locale): Promise<void> =>
  db.withTransaction(async (sql) => {
    const { goods, spec } = body;
    // Locks the product: one change after the other is compared with those that are there.
    const current = await goodsEditable.read(sql, goods);
    if (!current) throw new ShopError(ErrorCode.NotFound);
    const { prices } = priced(current, spec);
    refuseWrong(body, prices, locale);
    const place = await sql.one<{ goods_id: number; spec_id: number | null }>(
      'select g.id as goods_id, (select id from goods_specs where goods_id = g.id and key = $2) as spec_id from goods g where g.key = $1',
      [goods, spec],
    );
    const amounts = Object.fromEntries(currenciesOf(body.prices).map((one) => [one, fromWire(body.prices[one] ?? '')]));
    const other = await sql.row(
      `select 1 from price_changes where goods_id = $1 and spec_id is not distinct from $2 and state in ('waiting', 'running')
          and prices ?| $3::text[] and tstzrange(starts_at, coalesce(ends_at, starts_at), '[]') && tstzrange($4::timestamptz, coalesce($5::timestamptz, $4::timestamptz), '[]')`,
      [place.goods_id, place.spec_id, currenciesOf(amounts), body.starts_at, body.ends_at],
    );
    if (other) throw new ShopError(StaffErrorCode.PriceChangesOverlap);
    const { actor } = staffActor();
    const { id } = await sql.one<{ id: number }>(
      'insert into price_changes (goods_id, spec_id, prices, starts_at, ends_at, asked_by) values ($1, $2, $3, $4, $5, $6) returning id',
      [place.goods_id, place.spec_id, JSON.stringify(amounts), body.starts_at, body.ends_at, actor],
    );
    const { goods: subject, ...detail } = body;
    await addEntry(sql, { ...staffActor(), action: 'price-change.add', subject, detail: { id, ...detail } });
  });

function refuseWrong(
  { prices, starts_at, ends_at }: PriceChangeBody,
  now: StaffGoods['specs'][number]['prices'],
  locale: Locale,
): void {
  const rules: Record<string, string> = {};
  const [start, end] = [Date.parse(starts_at), ends_at === null ? undefined : Date.parse(ends_at)];
  if (currenciesOf(prices).length === 0) rules.prices = 'required';
  for (const currency of currenciesOf(prices)) if (now[currency] === undefined) rules[`prices.${currency}`] = 'other';
  if (Number.isNaN(start)) rules.starts_at = 'pattern';
  else if (start > Date.now() + LATEST_MS) rules.starts_at = 'maximum';
  if (end !== undefined && !(end > Math.max(start, Date.now()))) rules.ends_at = 'minimum';
  else if (end !== undefined && end > Date.now() + LATEST_MS) rules.ends_at = 'maximum';
  const faults = Object.entries(rules).map(([field, rule]) => [field, fieldText(rule, locale)]);
  if (faults.length > 0) throw fieldError(Object.fromEntries(faults));
}

/** The prices of a value, or of a unit. Throws NotFound. */
function priced(
  goods: StaffGoods,
  spec: string | null,
): Pick<StaffGoods['specs'][number], 'prices' | 'original_prices'> {
  const found =
    spec === null
      ? goods.custom && { prices: goods.custom.unit_price, original_prices: goods.custom.unit_price }
      : goods.specs.find(({ key }) => key === spec);
  if (!found) throw new ShopError(ErrorCode.NotFound);
  return found;
}

function withPrices(goods: StaffGoods, spec: string | null, wanted: Before): StaffGoods {
  const { prices, original_prices } = priced(goods, spec);
  const next = { prices: { ...prices }, original_prices: { ...original_prices } };
  for (const currency of currenciesOf(wanted)) {
    const amount = wanted[currency];
    if (!amount) continue;
    next.prices[currency] = toWire(amount.price);
    next.original_prices[currency] = toWire(Math.max(amount.original, amount.price));
  }
  if (spec === null) return { ...goods, custom: goods.custom && { ...goods.custom, unit_price: next.prices } };
  return { ...goods, specs: goods.specs.map((one) => (one.key === spec ? { ...one, ...next } : one)) };
}

const setState = (sql: Sql, id: number, state: string, before: Before | null = null) =>
  sql.run('update price_changes set state = $2, before = coalesce($3, before) where id = $1', [
    id,
    state,
    before && JSON.stringify(before),
  ]);

/** Puts the new prices in place; what they were stays as the original price, which shoppers see struck through. */
async function begin(sql: Sql, { id, goods, spec, prices, ends_at }: Row): Promise<void> {
  const before: Before = {};
  await edit(sql, goodsEditable, {
    key: goods,
    detail: { price_change: id },
    change: (value) => {
      if (!value) throw new ShopError(ErrorCode.NotFound);
      const now = priced(value, spec);
      const wanted: Before = {};
      for (const currency of currenciesOf(prices)) {
        const price = fromWire(now.prices[currency] ?? '');
        if (price === undefined) throw new ShopError(ErrorCode.NotFound);
        const original = fromWire(now.original_prices[currency] ?? '') ?? price;
        before[currency] = { price, original };
        wanted[currency] = {
          price: prices[currency] ?? price,
          original: ends_at ? original : (prices[currency] ?? price),
        };
      }
      return withPrices(value, spec, wanted);
    },
  });
  await setState(sql, id, ends_at ? 'running' : 'done', before);
}

/** Puts the old prices back; a price that somebody has changed meanwhile stays as it is. */
async function end(sql: Sql, { id, goods, spec, prices, before }: Row, state: 'done' | 'cancelled'): Promise<void> {
  await edit(sql, goodsEditable, {
    key: goods,
    detail: { price_change: id },
    change: (value) => {
      if (!value) throw new ShopError(ErrorCode.NotFound);
      const now = priced(value, spec);
      const untouched = currenciesOf(before ?? {}).filter((one) => fromWire(now.prices[one] ?? '') === prices[one]);
      return withPrices(value, spec, Object.fromEntries(untouched.map((one) => [one, before?.[one]])) as Before);
    },
  });
  await setState(sql, id, state);
}

/**
 * Begins and ends what is due at `now`, the database's time by default; each once, however many servers do it. Entries are by
 * whoever asked for the change. Answers how many it were.
 */
export async function applyPriceChanges(db: Database, now: Date | null = null): Promise<number> {
  let done = 0;
  for (; done < BATCH; done++) {
    let due: Row | undefined;
    const apply = async (sql: Sql) => {
      due = await sql.row<Row>(
        `${rows(`(c.state = 'waiting' and c.starts_at <= coalesce($1, clock_timestamp()))
            or (c.state = 'running' and c.ends_at <= coalesce($1, clock_timestamp()))`)}
          order by coalesce(case when c.state = 'running' then c.ends_at end, c.starts_at), c.id limit 1 for update of c skip locked`,
        [now],
      );
      const change = due;
      if (!change) return;
      const isOver = change.ends_at !== null && change.ends_at.getTime() <= (now?.getTime() ?? Date.now());
      if (change.state === 'waiting' && isOver) await setState(sql, change.id, 'missed');
      else
        await actingAs({ actor: change.asked_by }, () =>
          change.state === 'waiting' ? begin(sql, change) : end(sql, change, 'done'),
        );
    };
    try {
      await db.withTransaction(apply);
    } catch (error) {
      // The value is not on sale any more, or the product has another fault: the others go on.
      if (!(error instanceof ShopError) || !due) throw error;
      await db.run("update price_changes set state = 'failed' where id = $1 and state = $2", [due.id, due.state]);
    }
    if (!due) break;
  }
  return done;
}

/** One that waits never begins; one that runs ends now. Throws NotFound, and PriceChangeOver. */
export const cancelPriceChange = (db: Database, id: number): Promise<string> =>
  db.withTransaction(async (sql) => {
    const change = await sql.row<Row>(`${rows('c.id = $1')} for update of c`, [id]);
    if (!change) throw new ShopError(ErrorCode.NotFound);
    // A value that is not sold has no price to put back.
    if (change.state === 'waiting' || (change.state === 'running' && !change.on_sale))
      await setState(sql, id, 'cancelled');
    else if (change.state === 'running') await end(sql, change, 'cancelled');
    else throw new ShopError(StaffErrorCode.PriceChangeOver);
    await addEntry(sql, { ...staffActor(), action: 'price-change.cancel', subject: change.goods, detail: { id } });
    return change.goods;
  });
