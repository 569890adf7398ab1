import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { orderText } from '@shop/server/orders/order-texts';
import type { Database } from '@shop/server/platform/db/database';
import { isTimeOut } from '@shop/server/platform/db/database-busy';
import type { Sql } from '@shop/server/platform/db/sql';
import { fieldError, ShopError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { suffixOf } from '@shop/server/platform/http/localised-text';
import type { Currency, Locale } from '@shop/server/platform/http/schemas';
import { OrderStatus } from '@shop/shared/domain';
import { orderValueTexts } from '@shop/shared/domain/lists';
import { maskEmail, maskPhone } from '@shop/shared/domain/mask-phone';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { localTime } from '@shop/shared/domain/time-zone';
import type { Sent } from '../calls';
import { amount, textIn } from '../sql';
import { tableFile } from '../table-file';
import { orderColumns } from './find.service';
import type { ListedOrder, OrderExportQuery, OrderFilter, OrderSort, StaffOrdersQuery } from './list.schemas';
import {
  CLOSED,
  type Condition,
  conditionOf,
  existingFacets,
  isByAmount,
  levelPart,
  nameOf,
  orderIds,
  type View,
} from './list-query';

type NamedInCode = 'kind' | 'delivery' | 'pay_method' | 'contact';
interface ListedRow extends Omit<Sent<ListedOrder>, NamedInCode> {
  id: number;
  total_amount: number;
  micros: string;
  recharge_type: number;
  delivery_status: number;
  method: string | null;
  phone: string | null;
  sign_in_email: string | null;
}

/** In the order of the ids. */
const orderRows = (sql: Sql, ids: number[], locale: Locale) =>
  sql.rows<ListedRow>(
    `select ${orderColumns(locale)}, o.id, o.total_amount, (extract(epoch from o.created_at) * 1000000)::bigint::text as micros,
            o.recharge_type, o.delivery_status, o.pay_method as method, o.stock_type as supplier, o.paid_at,
            (select c.name_${suffixOf(locale)}
               from user_coupons uc join coupons c on c.id = uc.coupon_id where uc.order_id = o.id) as coupon,
            ${textIn(`${levelPart} -> 'name'`, locale)} as level, u.phone, u.sign_in_email
       from unnest($1::bigint[]) with ordinality found (id, place)
       join orders o on o.id = found.id join users u on u.id = o.user_id order by found.place`,
    [ids],
  );

const cursorOf = (sort: OrderSort, { micros, total_amount, id }: ListedRow) =>
  `${sort}.${isByAmount(sort) ? total_amount : micros}.${id}`;

/** Throws InvalidInput. */
export const listOrders = (
  db: Database,
  { sort = 'newest', cursor, limit = 30, ...filter }: StaffOrdersQuery,
  view: View,
) =>
  db.withTransaction(async (sql) => {
    if (cursor && !cursor.startsWith(`${sort}.`)) throw fieldError({ cursor: fieldText('other', view.locale) });
    return orderPage(sql, await conditionOf(sql, filter, sort, view), cursor, limit, view);
  });

/** The next orders after the place of the cursor. `next` is the cursor after them; null after the last order. */
async function orderPage(
  sql: Sql,
  condition: Condition,
  cursor: string | undefined,
  limit: number,
  view: View,
): Promise<{ list: Sent<ListedOrder>[]; next: string | null }> {
  const ids = await orderIds(sql, condition, cursor, limit + 1);
  const rows = await orderRows(sql, ids.slice(0, limit), view.locale);
  const last = ids.length > limit && rows.at(-1);
  return { list: rows.map((row) => toListedOrder(row, view)), next: last ? cursorOf(condition.sort, last) : null };
}

const toListedOrder = (row: ListedRow, { locale, showsContacts }: View): Sent<ListedOrder> => ({
  kind: nameOf('kind', row.recharge_type),
  delivery: nameOf('delivery', row.delivery_status),
  pay_method: row.method && orderText(row.method, locale),
  contact: contactOf(row, showsContacts),
  // Node 20 makes a hidden class for each object whose literal begins with a spread: two kilobytes that only a full collection frees.
  ...row,
});

function contactOf({ phone, sign_in_email: email }: ListedRow, isWhole = false): string {
  if (isWhole) return phone ?? email ?? '';
  return phone ? maskPhone(phone) : maskEmail(email ?? '');
}

/** Orders of one statement: few enough that reading them delays no other request. */
const BATCH = 100;
/** The database keeps all rows that change while a snapshot is open. */
const MOST_MS = 600_000;

type Texts = readonly [zh: string, en: string];
/** No column has codes or account fields. */
const columns: Partial<Record<keyof ListedOrder, Texts>> = {
  order_no: ['订单号', 'Order'],
  created_at: ['下单时间', 'Placed at'],
  name: ['商品', 'Product'],
  face_value: ['面值', 'Value'],
  quantity: ['数量', 'Quantity'],
  kind: ['类型', 'Kind'],
  status: ['订单状态', 'Status'],
  delivery: ['发货状态', 'Delivery'],
  pay_method: ['支付方式', 'Payment method'],
  currency: ['币种', 'Currency'],
  amount: ['金额', 'Amount'],
  refunded: ['已退金额', 'Refunded'],
  coupon: ['优惠券', 'Coupon'],
  level: ['等级', 'Level'],
  supplier: ['供应商', 'Supplier'],
  paid_at: ['付款时间', 'Paid at'],
  user_id: ['用户编号', 'User'],
  contact: ['联系方式', 'Contact'],
};
const columnNames = Object.keys(columns) as Array<keyof ListedOrder>;
const valueNames: Partial<Record<keyof ListedOrder, Record<string, Texts>>> = {
  kind: orderValueTexts.kind,
  status: orderValueTexts.state,
  delivery: orderValueTexts.delivery,
};

const nameIn = (texts: Texts | undefined, { locale }: View) => texts?.[locale === 'en' ? 1 : 0] ?? '';

function cellOf(order: Sent<ListedOrder>, name: keyof ListedOrder, view: View): string | number {
  const value = name === 'status' ? nameOf('state', order.closed ? CLOSED : order.status) : order[name];
  if (value === null || typeof value === 'boolean') return '';
  if (value instanceof Date) return localTime(value, view.zone).replace('T', ' ');
  return valueNames[name] ? nameIn(valueNames[name][value], view) : value;
}

async function* batchesOf(sql: Sql, condition: Condition, view: View) {
  let cursor: string | undefined;
  do {
    const { list, next } = await orderPage(sql, condition, cursor, BATCH, view);
    yield list.map((order) => columnNames.map((name) => cellOf(order, name, view)));
    cursor = next ?? undefined;
  } while (cursor);
}

const inSnapshot = (db: Database, work: (sql: Sql) => Promise<void>) =>
  // The embedded database has one connection, which a slow client must not hold.
  db.kind === 'embedded'
    ? work(db)
    : db.withTransaction(async (sql) => {
        await sql.script('set transaction isolation level repeatable read, read only');
        await work(sql);
      });

/**
 * The orders of the filter as a file of `total` rows, once `record` has recorded it. One snapshot of the database is read while the client
 * receives the file; the file fails if that takes longer than MOST_MS. Throws InvalidInput, and what `record` throws.
 */
export const exportOrders = (
  db: Database,
  { format, sort = 'newest', ...filter }: OrderExportQuery,
  view: View,
  record: (total: number) => Promise<void>,
) =>
  new Promise<{ total: number; file: Readable }>((resolve, reject) => {
    const headings = columnNames.map((name) => ({
      header: nameIn(columns[name], view),
      isAmount: name === 'amount' || name === 'refunded',
    }));
    inSnapshot(db, async (sql) => {
      const condition = await conditionOf(sql, filter, sort, view);
      const { from, where, values } = condition;
      const total = await sql.value<number>(`select count(*) from ${from} where ${where.join(' and ')}`, values);
      await record(total);
      const file = Readable.from(tableFile(format, headings, batchesOf(sql, condition, view)));
      resolve({ total, file });
      // It ends with the file, or when the client leaves.
      await finished(file, { signal: AbortSignal.timeout(MOST_MS) });
    }).catch(reject);
  });

/** `paid` is before refunds. Throws InvalidInput, and TooManyOrders when the sums take longer than a read may. */
export async function sumOrders(db: Database, filter: OrderFilter, view: View) {
  const rows = await db
    .withTransaction(async (sql) => {
      const { from, where, values } = await conditionOf(sql, filter, 'newest', view);
      const paid = `coalesce(sum(o.total_amount) filter (where o.status <> ${OrderStatus.Unpaid}), 0)`;
      return sql.rows<{ currency: Currency; orders: number; paid: string; refunded: string }>(
        `select o.currency, count(*) as orders, ${amount(paid)} as paid, ${amount('coalesce(sum(o.refunded_amount), 0)')} as refunded
           from ${from} where ${where.join(' and ')} group by o.currency order by o.currency`,
        values,
      );
    })
    .catch((error) => {
      throw isTimeOut(error) ? new ShopError(StaffErrorCode.TooManyOrders) : error;
    });
  return { orders: rows.reduce((sum, { orders }) => sum + orders, 0), sums: rows };
}

/** Returns what the filter can name, including products that are off sale. `values` are those of `goods`. */
export async function orderChoices(sql: Sql, goods: string | undefined, locale: Locale) {
  const name = `name_${suffixOf(locale)}`;
  const choices = (table: string, ...values: unknown[]) =>
    sql.rows<{ key: string; name: string }>(`select key, ${name} as name from ${table}`, values);
  const used = await sql.rows<{ method: string; supplier: string }>(
    `with ${existingFacets} select distinct method, supplier from f`,
  );
  const ofGoods = 'goods_id = (select id from goods where key = $1)';
  const sorted = (names: string[]) => [...new Set(names)].filter(Boolean).sort();
  return {
    goods: await choices('goods order by name, key'),
    values: goods ? await choices(`goods_specs where ${ofGoods} order by sort, id`, goods) : [],
    coupons: await choices('coupons order by id desc'),
    levels: await choices('levels order by rank, id'),
    methods: sorted(used.map(({ method }) => method)).map((key) => ({ key, name: orderText(key, locale) })),
    suppliers: sorted(used.map(({ supplier }) => supplier)),
  };
}
