import { type Prices, saveGoods, stepFaults } from '@shop/server/catalogue/goods.store';
import { patternFaults } from '@shop/server/catalogue/goods-fields';
import { countsCodes, sellable } from '@shop/server/catalogue/low-stock';
import { normalise } from '@shop/server/catalogue/search-text';
import { hasBadLinks } from '@shop/server/content/sanitise';
import type { Sql } from '@shop/server/platform/db/sql';
import { canonicalJson } from '@shop/server/platform/http/canonical-json';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import { cursorPageOf, pagingOf } from '@shop/server/platform/http/paging';
import type { Currency } from '@shop/server/platform/http/schemas';
import { languages, RechargeType, SpecType } from '@shop/shared/domain';
import type { Editable } from '../edits/edits.service';
import type { StaffGoods } from './goods.schemas';

const PAGE_SIZE = 30;

export const goodsEditable: Editable<StaffGoods> = {
  kind: 'goods',
  lock: (sql, key) => sql.row('select 1 from goods where key = $1 for no key update', [key]),
  read: async (sql, key) => (await readAllGoods(sql, [key])).get(key),
  faults: faultsOf,
  write: async (sql, key, value) => {
    const { id } = await sql.one<{ id: number }>('select id from categories where key = $1', [value.category]);
    await saveGoods(sql, id, { key, ...value });
  },
};

interface MinorPrice {
  currency: Currency;
  price: number;
  original_price: number;
}
interface Row extends Omit<StaffGoods, 'specs' | 'custom'> {
  specs: Array<
    Omit<StaffGoods['specs'][number], 'prices' | 'original_prices' | 'steps'> & {
      prices: MinorPrice[];
      steps: Array<{ from: number; prices: Partial<Record<Currency, number>> }>;
    }
  >;
  custom: Omit<NonNullable<StaffGoods['custom']>, 'unit_price'> | null;
  unit_prices: MinorPrice[];
}

const inBoth = (column: string) => `json_build_object('zh-CN', g.${column}_zh, 'en', g.${column}_en)`;
const prices = (condition: string) =>
  `coalesce((select json_agg(json_build_object('currency', p.currency, 'price', p.price, 'original_price', p.original_price) order by p.currency)
     from prices p where ${condition}), '[]')`;

const steps = `coalesce((select json_agg(json_build_object('from', one.from_qty, 'prices', one.prices) order by one.from_qty)
     from (select t.from_qty, json_object_agg(t.currency, t.price) as prices from price_steps t where t.spec_id = s.id group by t.from_qty) one),
   '[]')`;

const wirePrices = (rows: MinorPrice[], which: 'price' | 'original_price'): Prices =>
  Object.fromEntries(rows.map((row) => [row.currency, toWire(row[which])]));

/** Products by their keys; unknown keys are left out. */
export async function readAllGoods(sql: Sql, keys: string[]): Promise<Map<string, StaffGoods>> {
  const rows = await sql.rows<Row & { key: string }>(
    `select g.key, ${inBoth('name')} as name, (select key from categories where id = g.category_id) as category, g.status, g.recharge_type,
            g.stock_type, g.aliases, g.initial, g.tags, g.image, g.images, ${inBoth('description')} as description_html,
            ${inBoth('notice')} as notice, ${inBoth('redeem')} as redeem, g.spec_type,
            coalesce((select json_agg(json_build_object('key', s.key, 'name', json_build_object('zh-CN', s.name_zh, 'en', s.name_en),
                'face_value', s.face_value, 'prices', ${prices('p.spec_id = s.id')}, 'steps', ${steps}, 'max_qty', s.max_qty)
                order by s.sort, s.id)
              from goods_specs s where s.goods_id = g.id and s.active), '[]') as specs,
            case when g.spec_type = ${SpecType.Custom} then json_build_object('min', g.custom_min, 'max', g.custom_max, 'step', g.custom_step,
              'unit', g.custom_unit) end as custom, ${prices('p.goods_id = g.id and p.spec_id is null')} as unit_prices, g.fields,
            json_build_object('min', g.min_qty, 'max', g.max_qty, 'per_user', nullif(g.per_user, 0), 'per_day', nullif(g.per_day, 0)) as limits,
            g.need_verify_account, g.sort
       from goods g where g.key = any($1)`,
    [keys],
  );
  return new Map(rows.map(({ key, ...row }) => [key, toGoods(row)]));
}

function toGoods({ specs, custom, unit_prices, fields, ...plain }: Row): StaffGoods {
  return {
    ...plain,
    fields: fields.map((field) => ({ ...field, remember: field.remember ?? false })),
    specs: specs.map(({ prices, steps, ...spec }) => ({
      ...spec,
      steps: steps.map((step) => ({
        from: step.from,
        prices: Object.fromEntries(Object.entries(step.prices).map(([currency, price]) => [currency, toWire(price)])),
      })),
      prices: wirePrices(prices, 'price'),
      original_prices: wirePrices(prices, 'original_price'),
    })),
    custom: custom && { ...custom, unit_price: wirePrices(unit_prices, 'price') },
  };
}

async function faultsOf(sql: Sql, value: StaffGoods, before: StaffGoods | undefined): Promise<Record<string, string>> {
  const { specs, custom, limits, fields } = value;
  const faults: Record<string, string> = {};
  const isFaceValues = value.spec_type === SpecType.FaceValues;
  if (!(await sql.row('select 1 from categories where key = $1', [value.category]))) faults.category = 'other';
  if (isFaceValues && specs.length === 0) faults.specs = 'required';
  if (!isFaceValues && !custom) faults.custom = 'required';
  if (isFaceValues !== (custom === null)) faults.custom ??= 'other';
  if (!isFaceValues && value.recharge_type === RechargeType.CardCode) faults.spec_type = 'other';
  for (const language of languages)
    if (hasBadLinks(value.description_html[language])) faults[`description_html.${language}`] = 'link';
  if (limits.max < limits.min) faults['limits.max'] = 'minimum';
  if (custom && custom.max < custom.min) faults['custom.max'] = 'minimum';
  if (custom && Object.keys(custom.unit_price).length === 0) faults['custom.unit_price'] = 'required';
  for (const [index, spec] of specs.entries()) {
    const at = `specs.${index}`;
    if (specs.findIndex((other) => other.key === spec.key) !== index) faults[`${at}.key`] = 'other';
    const offered = Object.entries(spec.prices) as Array<[Currency, string]>;
    if (offered.length === 0) faults[`${at}.prices`] = 'required';
    for (const [currency, price] of offered) {
      const original = spec.original_prices[currency];
      if (original !== undefined && (fromWire(original) ?? 0) < (fromWire(price) ?? 0))
        faults[`${at}.original_prices.${currency}`] = 'minimum';
    }
    // A list price may fall below a step price, which then does not apply. Only an edit of the steps reports it.
    const was = before?.specs.find(({ key }) => key === spec.key)?.steps;
    if (canonicalJson(was ?? []) !== canonicalJson(spec.steps ?? []))
      for (const [field, rule] of Object.entries(stepFaults(spec.steps ?? [], spec.prices)))
        faults[`${at}.${field}`] = rule;
  }
  for (const [index, field] of fields.entries()) {
    if (fields.findIndex((other) => other.key === field.key) !== index) faults[`fields.${index}.key`] = 'other';
    if (field.type === 'select' && !field.options?.length) faults[`fields.${index}.options`] = 'required';
  }
  return { ...faults, ...patternFaults(fields) };
}

interface ListedRow extends Pick<StaffGoods, 'name' | 'image' | 'status' | 'recharge_type'> {
  key: string;
  sort: number;
  id: number;
  prices: Array<{ currency: Currency; price: number }>;
  stock: number | null;
  updated_at: Date;
}

/** $1 is the normalised text of a search, $2 the text as typed. */
const matches = "($1 = '' or strpos(g.search_text, $1) > 0 or strpos(lower(g.key), lower($2)) > 0)";

/** The keys of all products that `listGoods` finds, in its order. */
export async function matchingGoods(sql: Sql, q: string): Promise<string[]> {
  const rows = await sql.rows<{ key: string }>(`select g.key from goods g where ${matches} order by g.sort, g.id`, [
    normalise(q),
    q.trim(),
  ]);
  return rows.map(({ key }) => key);
}

/** Searches by name, alias, pinyin or key. Hidden products are included. */
export async function listGoods(sql: Sql, query: { q?: string; page?: number; cursor?: string }) {
  const { q = '' } = query;
  const paging = pagingOf({ ...query, limit: PAGE_SIZE });
  const [sort = null, id = null] = paging.cursor?.split('.') ?? [];
  const word = normalise(q);
  const rows = await sql.rows<ListedRow>(
    `select g.key, ${inBoth('name')} as name, g.image, g.status, g.recharge_type, g.updated_at, g.sort, g.id,
            coalesce((select json_agg(p order by p.currency) from (
              select p.currency, min(p.price) as price from prices p left join goods_specs s on s.id = p.spec_id
               where p.goods_id = g.id and (p.spec_id is null or s.active) group by p.currency) p), '[]') as prices,
            case when exists (select 1 from goods_specs s where s.goods_id = g.id and s.active and s.stock is null and not ${countsCodes}) then null
              else (select coalesce(sum(case when ${countsCodes} then (select count(*) from card_codes c where c.spec_id = s.id and ${sellable('c')})
                  else s.stock end)::bigint, case when g.recharge_type = ${RechargeType.CardCode} then 0 end)
                from goods_specs s where s.goods_id = g.id and s.active) end as stock
       from goods g where ${matches} and ($5::integer is null or (g.sort, g.id) > ($5, $6::bigint))
      order by g.sort, g.id limit $3 offset $4`,
    [word, q.trim(), paging.limit + 1, paging.offset, sort, id],
  );
  const { total } = await sql.one<{ total: number }>(`select count(*) as total from goods g where ${matches}`, [
    word,
    q.trim(),
  ]);
  const itemOf = ({ sort: _sort, id: _id, prices, ...row }: ListedRow) => ({
    ...row,
    prices: prices.map(({ currency, price }) => ({ currency, price: toWire(price) })),
  });
  return cursorPageOf(rows, total, paging, itemOf, (row) => `${row.sort}.${row.id}`);
}

export const listCategories = (sql: Sql) =>
  sql.rows<{ key: string; name: StaffGoods['name'] }>(
    "select key, json_build_object('zh-CN', name_zh, 'en', name_en) as name from categories order by sort, id",
  );
