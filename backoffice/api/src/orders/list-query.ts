import type { Sql } from '@shop/server/platform/db/sql';
import { fieldError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { fromWire } from '@shop/server/platform/http/money';
import { atMicros } from '@shop/server/platform/http/paging';
import type { Locale } from '@shop/server/platform/http/schemas';
import { DeliveryStatus, OrderStatus, RechargeType } from '@shop/shared/domain';
import { endOfDay, instantOf } from '@shop/shared/domain/time-zone';
import type { OrderFilter, OrderSort } from './list.schemas';

/** A closed order has the status of an unpaid one in the database. */
export const CLOSED = 0;
/** Numbers of the database by their names in the API. */
const numbers = {
  state: {
    unpaid: OrderStatus.Unpaid,
    closed: CLOSED,
    paid: OrderStatus.Paid,
    delivered: OrderStatus.Finished,
    refunded: OrderStatus.Refunded,
  },
  delivery: {
    none: DeliveryStatus.Unpaid,
    waiting: DeliveryStatus.ToDeliver,
    delivered: DeliveryStatus.Delivered,
  },
  kind: {
    card: RechargeType.CardCode,
    direct: RechargeType.Direct,
    proxy: RechargeType.Proxy,
    manual: RechargeType.Manual,
  },
};
type Numbers = typeof numbers;
export const nameOf = <Field extends keyof Numbers>(field: Field, number: number) =>
  Object.entries(numbers[field]).find(([, value]) => value === number)?.[0] as keyof Numbers[Field];

const HIGHEST = '9999999999';
/** So few orders are sorted faster than any index is read in another order. */
const FEW = 2000;
export const isByAmount = (sort: OrderSort) => sort === 'highest' || sort === 'lowest';

/** Columns and expressions of the indexes of the table orders, as o. */
const spec = 'coalesce(o.spec_id, 0)';
export const levelPart = `jsonb_path_query_first(o.snapshot, '$.price.parts[*] ? (@.kind == "level")')`;
const level = `(jsonb_path_query_first(o.snapshot, '$.price.parts[*] ? (@.kind == "level").level')::bigint)`;
const facets = {
  currency: 'o.currency',
  kind: 'o.recharge_type',
  supplier: 'o.stock_type',
  state: `(case when o.closed_at is null then o.status else ${CLOSED} end)`,
  delivery: 'o.delivery_status',
  method: "coalesce(o.pay_method, '')",
};
const facetNames = Object.keys(facets) as Array<keyof typeof facets>;
const facetKeys = Object.values(facets).join(', ');
const facetColumns = facetNames.map((name) => `${facets[name]} as ${name}`).join(', ');
/** The combinations of facets that orders have. Each takes one step in the index, so values that few orders have are found as fast. */
export const existingFacets = `recursive f as (
  (select ${facetColumns} from orders o order by ${facetKeys} limit 1)
  union all
  select n.* from f cross join lateral (
    select ${facetColumns} from orders o where (${facetKeys}) > (${facetNames.map((name) => `f.${name}`).join(', ')})
     order by ${facetKeys} limit 1) n)`;

export interface View {
  /** The days of the filter begin and end in this time zone. */
  zone: string;
  locale: Locale;
  /** Contacts of buyers are masked without it. */
  showsContacts?: boolean;
}

export interface Condition {
  filter: OrderFilter;
  sort: OrderSort;
  /** Tables, with orders as o. */
  from: string;
  where: string[];
  values: unknown[];
}

/** Begins a transaction of the list. Throws InvalidInput, which names the field. */
export async function conditionOf(
  sql: Sql,
  filter: OrderFilter,
  sort: OrderSort,
  { zone, locale }: View,
): Promise<Condition> {
  // Plans must fit the values of the filter; compiling them (jit) would take longer than running them.
  await sql.script('set local plan_cache_mode = force_custom_plan; set local jit = off');
  const condition: Condition = { filter, sort, from: 'orders o', where: ['true'], values: [] };
  const { where, values } = condition;
  const bind = (value: unknown) => `$${values.push(value)}`;
  const refuse = (field: keyof OrderFilter, rule = 'other') => fieldError({ [field]: fieldText(rule, locale) });
  const idOf = async (field: keyof OrderFilter, text: string, ...keys: unknown[]) => {
    const row = await sql.row<{ id: number }>(`select id from ${text}`, keys);
    if (!row) throw refuse(field);
    return bind(row.id);
  };
  const { goods, value, coupon, from, to, currency, state, delivery, kind } = filter;
  const { amount_from: least, amount_to: most } = filter;
  const goodsId = goods && (await idOf('goods', 'goods where key = $1', goods));
  if (goodsId) where.push(`o.goods_id = ${goodsId}`);
  if (value && !goodsId) throw refuse('goods', 'required');
  if (value) {
    const ofGoods = 'goods_specs where key = $1 and goods_id = (select id from goods where key = $2)';
    where.push(`${spec} = ${await idOf('value', ofGoods, value, goods)}`);
  }
  if (coupon) {
    const id = await idOf('coupon', 'coupons where key = $1', coupon);
    condition.from += ` join user_coupons c on c.order_id = o.id and c.coupon_id = ${id}`;
  }
  if (filter.level) where.push(`${level} = ${await idOf('level', 'levels where key = $1', filter.level)}`);
  const stored = {
    ...filter,
    state: state && numbers.state[state],
    delivery: delivery && numbers.delivery[delivery],
    kind: kind && numbers.kind[kind],
  };
  for (const name of facetNames) if (stored[name] !== undefined) where.push(`${facets[name]} = ${bind(stored[name])}`);
  const timeOf = (field: 'from' | 'to', instant: typeof instantOf) => {
    const time = instant(filter[field] ?? '', zone);
    if (Number.isNaN(time.getTime())) throw refuse(field, 'pattern');
    return bind(time);
  };
  if (from) where.push(`o.created_at >= ${timeOf('from', instantOf)}`);
  if (to) where.push(`o.created_at < ${timeOf('to', endOfDay)}`);
  // Amounts of several currencies have no order.
  if ((isByAmount(sort) || least || most) && !currency) throw refuse('currency', 'required');
  if (least || most) {
    const bounds = [currency, fromWire(least ?? '0'), fromWire(most ?? HIGHEST)];
    const count = await sql.value<number>(
      `select count(*) from (${ofAmount(['$1', '$2', '$3'])} limit ${FEW}) o`,
      bounds,
    );
    const matching = ofAmount(bounds.map(bind));
    // The planner's statistics overestimate the highest amounts, and it would look for them in the order of time.
    condition.from = condition.from.replace('orders o', `(${matching} ${count < FEW ? 'offset 0' : ''}) o`);
  }
  return condition;
}

const ofAmount = ([currency, least, most]: string[]) =>
  `select * from orders o where o.currency = ${currency} and o.total_amount between ${least} and ${most}`;

/**
 * Ids of the next `limit` orders after the place of the cursor. Two orders never have the same place: it is the time or the amount, and the
 * id. Orders of a coupon are in the order of their ids, as its index has them.
 */
export async function orderIds(
  sql: Sql,
  { filter, sort, from, where, values }: Condition,
  cursor: string | undefined,
  limit: number,
): Promise<number[]> {
  const bound = [...values];
  const bind = (value: unknown) => `$${bound.push(value)}`;
  const most = bind(limit);
  const byAmount = isByAmount(sort);
  const [direction, beyond] = sort === 'newest' || sort === 'highest' ? ['desc', '<'] : ['asc', '>'];
  const ordered = (columns: string[]) => columns.map((column) => `${column} ${direction}`).join(', ');
  const isOfCoupon = filter.coupon !== undefined && !byAmount;
  const keys = isOfCoupon ? ['c.order_id'] : [byAmount ? 'o.total_amount' : 'o.created_at', 'o.id'];
  const after: string[] = [];
  if (cursor) {
    const [, first, id] = cursor.split('.');
    const place = [`${bind(id)}::bigint`];
    if (!isOfCoupon) place.unshift(byAmount ? `${bind(first)}::bigint` : atMicros(bind(first)));
    after.push(`(${keys.join(', ')}) ${beyond} (${place.join(', ')})`);
  }
  const scan = (...prefix: string[]) =>
    `select o.id, o.created_at from ${from} where ${[...prefix, ...where, ...after].join(' and ')} order by ${ordered(keys)} limit ${most}`;
  /** The index begins with columns that the filter does not name, so it is read once for each of their values. */
  const scanEach = (prefixes: string, ...prefix: string[]) =>
    `select s.id from ${prefixes} cross join lateral (${scan(...prefix)}) s order by ${ordered(['s.created_at', 's.id'])} limit ${most}`;
  const statement = () => {
    const { goods, value, coupon, level, amount_from, amount_to } = filter;
    if (byAmount || coupon || level || amount_from || amount_to || value) return scan();
    if (goods)
      return scanEach(`(select 0 as id union all select id from goods_specs where goods_id = $1) p`, `${spec} = p.id`);
    if (facetNames.every((name) => filter[name] === undefined)) return scan();
    return `with ${existingFacets} ${scanEach('f', ...facetNames.map((name) => `${facets[name]} = f.${name}`))}`;
  };
  return sql.column(statement(), bound);
}
