import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { orderValueTexts } from '@shop/shared/domain/lists';
import { localTime } from '@shop/shared/domain/time-zone';
import type { Sent } from '../calls';
import { tableFile } from '../table-file';
import type { ListedOrder, OrderExportQuery } from './list.schemas';
import { orderPage } from './list.service';
import { CLOSED, type Condition, conditionOf, nameOf, type View } from './list-query';

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

const textIn = (texts: Texts | undefined, { locale }: View) => texts?.[locale === 'en' ? 1 : 0] ?? '';

function cellOf(order: Sent<ListedOrder>, name: keyof ListedOrder, view: View): string | number {
  const value = name === 'status' ? nameOf('state', order.closed ? CLOSED : order.status) : order[name];
  if (value === null || typeof value === 'boolean') return '';
  if (value instanceof Date) return localTime(value, view.zone).replace('T', ' ');
  return valueNames[name] ? textIn(valueNames[name][value], view) : value;
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
      header: textIn(columns[name], view),
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
