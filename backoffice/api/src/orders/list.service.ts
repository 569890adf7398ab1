import type { OrderRow } from '@shop/server/orders/order-row';
import { orderText } from '@shop/server/orders/order-texts';
import type { Database } from '@shop/server/platform/db/database';
import { isTimeOut } from '@shop/server/platform/db/database-busy';
import type { Sql } from '@shop/server/platform/db/sql';
import { fieldError, ShopError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { suffixOf, type Texts, textOf } from '@shop/server/platform/http/localised-text';
import { maskEmail, maskPhone } from '@shop/server/platform/http/mask-phone';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import { atMicros } from '@shop/server/platform/http/paging';
import type { Currency, Locale } from '@shop/server/platform/http/schemas';
import { DeliveryStatus, OrderStatus, RechargeType } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { endOfDay, instantOf } from '@shop/shared/domain/time-zone';
import { toFoundOrder } from './find.service';
import type {
  ListedOrder,
  OrderChoices,
  OrderFilter,
  OrderSort,
  OrderSums,
  StaffOrders,
  StaffOrdersQuery,
} from './list.schemas';

/** A closed order has the status of an unpaid one in the database. */
const CLOSED = 0;
export const states = {
  unpaid: OrderStatus.Unpaid,
  closed: CLOSED,
  paid: OrderStatus.Paid,
  delivered: OrderStatus.Finished,
  refunded: OrderStatus.Refunded,
};
export const deliveries = {
  none: DeliveryStatus.Unpaid,
  waiting: DeliveryStatus.ToDeliver,
  delivered: DeliveryStatus.Delivered,
};
export const kinds = {
  card: RechargeType.CardCode,
  direct: RechargeType.Direct,
  proxy: RechargeType.Proxy,
  manual: RechargeType.Manual,
};
export const nameOf = <Name extends string>(table: Record<Name, number>, value: number): Name =>
  (Object.keys(table) as Name[]).find((name) => table[name] === value) as Name;

const ID_BYTES = 8;
const amountSorts: OrderSort[] = ['highest', 'lowest'];

/** Columns and expressions of the indexes of the table orders, as o. */
const spec = 'coalesce(o.spec_id, 0)';
const levelPart = `jsonb_path_query_first(o.snapshot, '$.price.parts[*] ? (@.kind == "level")')`;
const level = `(jsonb_path_query_first(o.snapshot, '$.price.parts[*] ? (@.kind == "level").level')::bigint)`;
const facets = {
  currency: 'o.currency',
  kind: 'o.recharge_type',
  supplier: 'o.stock_type',
  state: `(case when o.closed_at is null then o.status else ${CLOSED} end)`,
  delivery: 'o.delivery_status',
  method: "coalesce(o.pay_method, '')",
};
type Facet = keyof typeof facets;
const facetNames = Object.keys(facets) as Facet[];
const facetKeys = Object.values(facets).join(', ');
const facetColumns = facetNames.map((name) => `${facets[name]} as ${name}`).join(', ');
/** The combinations of facets that orders have. Each takes one step in the index, so values that few orders have are found as fast. */
const existingFacets = `recursive f as (
  (select ${facetColumns} from orders o order by ${facetKeys} limit 1)
  union all
  select n.* from f cross join lateral (
    select ${facetColumns} from orders o where (${facetKeys}) > (${facetNames.map((name) => `f.${name}`).join(', ')})
     order by ${facetKeys} limit 1) n)`;

/** The time zone of the days, and the language of the texts. */
export interface View {
  zone: string;
  locale: Locale;
}

interface Condition {
  filter: OrderFilter;
  sort: OrderSort;
  /** Tables, with orders as o. */
  from: string;
  where: string[];
  values: unknown[];
}

/** Throws InvalidInput, which names the field. */
export async function conditionOf(
  sql: Sql,
  filter: OrderFilter,
  sort: OrderSort,
  { zone, locale }: View,
): Promise<Condition> {
  const condition: Condition = { filter, sort, from: 'orders o', where: [], values: [] };
  const { where, values } = condition;
  const bind = (value: unknown) => `$${values.push(value)}`;
  const refuse = (field: keyof OrderFilter, rule = 'other') => fieldError({ [field]: fieldText(rule, locale) });
  const idOf = async (field: keyof OrderFilter, text: string, ...keys: unknown[]) => {
    const row = await sql.row<{ id: number }>(`select id from ${text}`, keys);
    if (!row) throw refuse(field);
    return bind(row.id);
  };
  const { currency, goods, value, coupon, state, delivery, kind } = filter;
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
  const chosen: Record<Facet, unknown> = {
    ...{ currency, supplier: filter.supplier, method: filter.method },
    state: state && states[state],
    delivery: delivery && deliveries[delivery],
    kind: kind && kinds[kind],
  };
  for (const name of facetNames) if (chosen[name] !== undefined) where.push(`${facets[name]} = ${bind(chosen[name])}`);
  for (const [field, operator, instant] of [
    ['from', '>=', instantOf],
    ['to', '<', endOfDay],
  ] as const) {
    const day = filter[field];
    const time = day && instant(day, zone);
    if (time && Number.isNaN(time.getTime())) throw refuse(field, 'pattern');
    if (time) where.push(`o.created_at ${operator} ${bind(time)}`);
  }
  // Amounts of several currencies have no order.
  const isByAmount = amountSorts.includes(sort) || filter.amount_from || filter.amount_to;
  if (isByAmount && !currency) throw refuse('currency', 'required');
  for (const [field, operator] of [
    ['amount_from', '>='],
    ['amount_to', '<='],
  ] as const) {
    const amount = filter[field];
    if (amount) where.push(`o.total_amount ${operator} ${bind(fromWire(amount))}`);
  }
  return condition;
}

const ofAll = (conditions: string[]) => (conditions.length > 0 ? `where ${conditions.join(' and ')}` : '');

export interface ListedRow extends OrderRow {
  stock_type: string;
  micros: string;
  coupon: Texts | null;
  level: Texts | null;
  phone: string | null;
  sign_in_email: string | null;
}

/**
 * Ids of the next `limit` orders after the place of the cursor; null means all. Two orders never have the same place: it is the time or
 * the amount, and the id. Orders of a coupon are in the order of their ids, as its index has them.
 */
export async function orderIds(
  sql: Sql,
  { filter, sort, from, where, values }: Condition,
  cursor: string | undefined,
  limit: number | null,
): Promise<number[]> {
  const bound = [...values];
  const bind = (value: unknown) => `$${bound.push(value)}`;
  const most = bind(limit);
  const isByAmount = amountSorts.includes(sort);
  const [direction, beyond] = sort === 'newest' || sort === 'highest' ? ['desc', '<'] : ['asc', '>'];
  const ordered = (columns: string[]) => columns.map((column) => `${column} ${direction}`).join(', ');
  const isOfCoupon = filter.coupon !== undefined && !isByAmount;
  const keys = isOfCoupon ? ['c.order_id'] : [isByAmount ? 'o.total_amount' : 'o.created_at', 'o.id'];
  const after: string[] = [];
  if (cursor) {
    const [, first, id] = cursor.split('.');
    const place = [`${bind(id)}::bigint`];
    if (!isOfCoupon) place.unshift(isByAmount ? `${bind(first)}::bigint` : atMicros(bind(first)));
    after.push(`(${keys.join(', ')}) ${beyond} (${place.join(', ')})`);
  }
  const scan = (...prefix: string[]) =>
    `select o.id, o.created_at from ${from} ${ofAll([...prefix, ...where, ...after])} order by ${ordered(keys)} limit ${most}`;
  /** The index begins with columns that the filter does not name, so it is read once for each of their values. */
  const scanEach = (prefixes: string, ...prefix: string[]) =>
    `select s.id from ${prefixes} cross join lateral (${scan(...prefix)}) s order by ${ordered(['s.created_at', 's.id'])} limit ${most}`;
  const found = () => {
    if (isByAmount || filter.coupon || filter.level || filter.amount_from || filter.amount_to || filter.value)
      return scan();
    if (filter.goods)
      return scanEach(`(select 0 as id union all select id from goods_specs where goods_id = $1) p`, `${spec} = p.id`);
    if (facetNames.every((name) => filter[name] === undefined)) return scan();
    return `with ${existingFacets} ${scanEach('f', ...facetNames.map((name) => `${facets[name]} = f.${name}`))}`;
  };
  // One value, because reading a row for each of a hundred thousand ids would delay other requests.
  const { ids } = await sql.one<{ ids: Buffer | null }>(
    `select string_agg(int8send(found.id), '') as ids from (${found()}) found`,
    bound,
  );
  return Array.from({ length: (ids?.length ?? 0) / ID_BYTES }, (_, at) => Number(ids?.readBigInt64BE(at * ID_BYTES)));
}

/** In the order of the ids. */
export const orderRows = (sql: Sql, ids: number[]) =>
  sql.rows<ListedRow>(
    `select o.id, o.order_no, o.user_id, o.quantity, o.status, o.delivery_status, o.closed_at, o.total_amount, o.refunded_amount,
            o.currency, o.created_at, o.paid_at, o.recharge_type, o.pay_method, o.stock_type,
            jsonb_build_object('name', o.snapshot -> 'name', 'face_value', o.snapshot -> 'face_value') as snapshot,
            (extract(epoch from o.created_at) * 1000000)::bigint::text as micros,
            (select jsonb_build_object('zh-CN', c.name_zh, 'en', c.name_en)
               from user_coupons uc join coupons c on c.id = uc.coupon_id where uc.order_id = o.id) as coupon,
            ${levelPart} -> 'name' as level, u.phone, u.sign_in_email
       from unnest($1::bigint[]) with ordinality found (id, place)
       join orders o on o.id = found.id join users u on u.id = o.user_id order by found.place`,
    [ids],
  );

const cursorOf = (sort: OrderSort, { micros, total_amount, id }: ListedRow) =>
  `${sort}.${amountSorts.includes(sort) ? total_amount : micros}.${id}`;

/** Plans must fit the values of the filter; compiling them (jit) would take longer than running them. */
export const planEach = (sql: Sql) => sql.script('set local plan_cache_mode = force_custom_plan; set local jit = off');

/** Throws InvalidInput. */
export const listOrders = (
  db: Database,
  { sort = 'newest', cursor, limit = 30, ...filter }: StaffOrdersQuery,
  view: View,
): Promise<StaffOrders> =>
  db.withTransaction(async (sql) => {
    if (cursor && !cursor.startsWith(`${sort}.`)) throw fieldError({ cursor: fieldText('other', view.locale) });
    const condition = await conditionOf(sql, filter, sort, view);
    await planEach(sql);
    const ids = await orderIds(sql, condition, cursor, limit + 1);
    const rows = await orderRows(sql, ids.slice(0, limit));
    const last = ids.length > limit && rows.at(-1);
    return { list: rows.map((row) => toListedOrder(row, view.locale)), next: last ? cursorOf(sort, last) : null };
  });

const toListedOrder = (row: ListedRow, locale: Locale): ListedOrder => ({
  ...toFoundOrder(row, locale),
  kind: nameOf(kinds, row.recharge_type),
  delivery: nameOf(deliveries, row.delivery_status),
  pay_method: row.pay_method && orderText(row.pay_method, locale),
  supplier: row.stock_type,
  coupon: row.coupon && textOf(row.coupon, locale),
  level: row.level && textOf(row.level, locale),
  paid_at: row.paid_at?.toISOString() ?? null,
  contact: row.phone ? maskPhone(row.phone) : maskEmail(row.sign_in_email ?? ''),
});

/** Throws InvalidInput, and TooManyOrders when the sums take longer than a read may. */
export async function sumOrders(db: Database, filter: OrderFilter, view: View): Promise<OrderSums> {
  const rows = await db
    .withTransaction(async (sql) => {
      const { from, where, values } = await conditionOf(sql, filter, 'newest', view);
      await planEach(sql);
      return sql.rows<{ currency: Currency; orders: number; paid: number; refunded: number }>(
        `select o.currency, count(*) as orders, coalesce(sum(o.total_amount) filter (where o.status <> ${OrderStatus.Unpaid}), 0)::bigint as paid,
                coalesce(sum(o.refunded_amount), 0)::bigint as refunded
           from ${from} ${ofAll(where)} group by o.currency order by o.currency`,
        values,
      );
    })
    .catch((error) => {
      throw isTimeOut(error) ? new ShopError(StaffErrorCode.TooManyOrders) : error;
    });
  return {
    orders: rows.reduce((sum, { orders }) => sum + orders, 0),
    sums: rows.map((row) => ({ ...row, paid: toWire(row.paid), refunded: toWire(row.refunded) })),
  };
}

/** Values of the filter, including those of products that are off sale. */
export async function orderChoices(sql: Sql, goods: string | undefined, locale: Locale): Promise<OrderChoices> {
  const choices = (table: string, name = `name_${suffixOf(locale)}`, ...values: unknown[]) =>
    sql.rows<{ key: string; name: string }>(`select key, ${name} as name from ${table}`, values);
  const used = await sql.rows<{ method: string; supplier: string }>(
    `with ${existingFacets} select distinct method, supplier from f`,
  );
  const sorted = (names: string[]) => [...new Set(names)].filter(Boolean).sort();
  return {
    goods: await choices('goods order by name, key'),
    values: goods
      ? await choices(
          'goods_specs where goods_id = (select id from goods where key = $1) order by sort, id',
          undefined,
          goods,
        )
      : [],
    coupons: await choices('coupons order by id desc'),
    levels: await choices('levels order by rank, id'),
    methods: sorted(used.map(({ method }) => method)).map((key) => ({ key, name: orderText(key, locale) })),
    suppliers: sorted(used.map(({ supplier }) => supplier)),
  };
}
