import { type PriceStep, type Prices, type StaffGoods, saveGoods } from '@shop/server/catalogue/goods.store';
import { patternFault } from '@shop/server/catalogue/goods-fields';
import { countsCodes, sellable } from '@shop/server/catalogue/low-stock';
import { hasBadLinks } from '@shop/server/content/sanitise';
import type { Sql } from '@shop/server/platform/db/sql';
import { canonicalJson } from '@shop/server/platform/http/canonical-json';
import { text } from '@shop/server/platform/http/edit-schemas';
import { cursorPageOf, pagingOf } from '@shop/server/platform/http/paging';
import type { Currency } from '@shop/server/platform/http/schemas';
import { languages, RechargeType, SpecType } from '@shop/shared/domain';
import { Type } from 'typebox';
import type { Editable } from '../edits/edits.service';
import { amount, amounts, matches, searchOf, textsOf } from '../sql';

export const GoodsQuerySchema = Type.Object({
  q: Type.Optional(text(60)),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })),
  cursor: Type.Optional(Type.String({ pattern: '^-?\\d{1,10}\\.\\d{1,15}$' })),
});

const PAGE_SIZE = 30;

export const goodsEditable: Editable<StaffGoods> = {
  kind: 'goods',
  lock: (sql, key) => sql.row('select 1 from goods where key = $1 for no key update', [key]),
  read: async (sql, key) => (await readAllGoods(sql, [key])).get(key),
  faults: faultsOf,
  write: saveGoods,
};

const steps = `coalesce((select json_agg(json_build_object('from', one.from_qty, 'prices', one.prices) order by one.from_qty)
     from (select from_qty, json_object_agg(currency, ${amount('price')}) as prices from price_steps where spec_id = s.id group by from_qty) one),
   '[]')`;

/** Products by their keys; unknown keys are left out. */
export async function readAllGoods(sql: Sql, keys: string[]): Promise<Map<string, StaffGoods>> {
  const rows = await sql.rows<StaffGoods & { key: string }>(
    `select g.key, ${textsOf('g.name')} as name, (select key from categories where id = g.category_id) as category, g.status, g.recharge_type,
            g.stock_type, g.aliases, g.initial, g.tags, g.image, g.images, ${textsOf('g.description')} as description_html,
            ${textsOf('g.notice')} as notice, ${textsOf('g.redeem')} as redeem, g.spec_type,
            coalesce((select json_agg(json_build_object('key', s.key, 'name', ${textsOf('s.name')}, 'face_value', s.face_value,
                'prices', ${amounts('price', 'prices where spec_id = s.id')},
                'original_prices', ${amounts('original_price', 'prices where spec_id = s.id')},
                'steps', ${steps}, 'max_qty', s.max_qty) order by s.sort, s.id)
              from goods_specs s where s.goods_id = g.id and s.active), '[]') as specs,
            case when g.spec_type = ${SpecType.Custom} then json_build_object('min', g.custom_min, 'max', g.custom_max, 'step', g.custom_step,
              'unit', g.custom_unit, 'unit_price', ${amounts('price', 'prices where goods_id = g.id and spec_id is null')}) end as custom,
            g.fields,
            json_build_object('min', g.min_qty, 'max', g.max_qty, 'per_user', nullif(g.per_user, 0), 'per_day', nullif(g.per_day, 0)) as limits,
            g.need_verify_account, g.sort
       from goods g where g.key = any($1)`,
    [keys],
  );
  return new Map(rows.map(({ key, ...goods }) => [key, goods]));
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
      if (original !== undefined && Number(original) < Number(price))
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
    const fault = field.pattern && patternFault(field.pattern);
    if (fault) faults[`fields.${index}.pattern`] = fault;
  }
  return faults;
}

/** Every step has more pieces and a lower price than the one before it; the first is below `prices`. */
function stepFaults(steps: PriceStep[], prices: Prices): Record<string, string> {
  const faults: Record<string, string> = {};
  const lowest: Prices = { ...prices };
  for (const [index, step] of steps.entries()) {
    const before = steps[index - 1];
    if (before && step.from <= before.from) faults[`steps.${index}.from`] = 'minimum';
    const offered = Object.entries(step.prices) as Array<[Currency, string]>;
    if (offered.length === 0) faults[`steps.${index}.prices`] = 'required';
    for (const [currency, price] of offered) {
      const bound = lowest[currency];
      if (bound === undefined) faults[`steps.${index}.prices.${currency}`] = 'other';
      else if (Number(price) >= Number(bound)) faults[`steps.${index}.prices.${currency}`] = 'maximum';
      lowest[currency] = price;
    }
  }
  return faults;
}

interface ListedRow extends Pick<StaffGoods, 'name' | 'image' | 'status' | 'recharge_type'> {
  key: string;
  sort: number;
  id: number;
  prices: Array<{ currency: Currency; price: string }>;
  stock: number | null;
  updated_at: Date;
}

/** The keys of all products that `listGoods` finds, in its order. */
export const matchingGoods = (sql: Sql, q: string): Promise<string[]> =>
  sql.column(`select g.key from goods g where ${matches} order by g.sort, g.id`, searchOf(q));

/** Searches by name, alias, pinyin or key. Hidden products are included. */
export async function listGoods(sql: Sql, { q = '', ...query }: { q?: string; page?: number; cursor?: string }) {
  const paging = pagingOf({ ...query, limit: PAGE_SIZE });
  const [sort = null, id = null] = paging.cursor?.split('.') ?? [];
  const rows = await sql.rows<ListedRow>(
    `select g.key, ${textsOf('g.name')} as name, g.image, g.status, g.recharge_type, g.updated_at, g.sort, g.id,
            coalesce((select json_agg(p order by p.currency) from (
              select p.currency, ${amount('min(p.price)')} as price from prices p left join goods_specs s on s.id = p.spec_id
               where p.goods_id = g.id and (p.spec_id is null or s.active) group by p.currency) p), '[]') as prices,
            case when exists (select 1 from goods_specs s where s.goods_id = g.id and s.active and s.stock is null and not ${countsCodes}) then null
              else (select coalesce(sum(case when ${countsCodes} then (select count(*) from card_codes c where c.spec_id = s.id and ${sellable('c')})
                  else s.stock end)::bigint, case when g.recharge_type = ${RechargeType.CardCode} then 0 end)
                from goods_specs s where s.goods_id = g.id and s.active) end as stock
       from goods g where ${matches} and ($5::integer is null or (g.sort, g.id) > ($5, $6::bigint))
      order by g.sort, g.id limit $3 offset $4`,
    [...searchOf(q), paging.limit + 1, paging.offset, sort, id],
  );
  const total = await sql.value<number>(`select count(*) from goods g where ${matches}`, searchOf(q));
  const itemOf = ({ sort: _sort, id: _id, ...row }: ListedRow) => row;
  return cursorPageOf(rows, total, paging, itemOf, (row) => `${row.sort}.${row.id}`);
}

export const listCategories = (sql: Sql) =>
  sql.rows<{ key: string; name: StaffGoods['name'] }>(
    `select c.key, ${textsOf('c.name')} as name from categories c order by c.sort, c.id`,
  );
