import { Readable } from 'node:stream';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { orderValueTexts } from '@shop/shared/domain/lists';
import { localTime } from '@shop/shared/domain/time-zone';
import { tableFile } from '../table-file';
import type { ListedOrder, OrderExportQuery } from './list.schemas';
import { orderRows, toListedOrder } from './list.service';
import { CLOSED, conditionOf, nameOf, orderIds, type View } from './list-query';

/** Orders of one statement: few enough that reading them delays no other request. */
const BATCH = 100;

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

function cellOf(order: ListedOrder, name: keyof ListedOrder, view: View): string | number {
  const value = name === 'status' ? nameOf('state', order.closed ? CLOSED : order.status) : order[name];
  if (value === null || typeof value === 'boolean') return '';
  if (name === 'created_at' || name === 'paid_at') return localTime(new Date(value), view.zone).replace('T', ' ');
  return valueNames[name] ? textIn(valueNames[name][value], view) : value;
}

async function* batchesOf(sql: Sql, ids: number[], view: View) {
  for (let at = 0; at < ids.length; at += BATCH) {
    const orders = (await orderRows(sql, ids.slice(at, at + BATCH))).map((row) => toListedOrder(row, view));
    yield orders.map((order) => columnNames.map((name) => cellOf(order, name, view)));
  }
}

/**
 * The orders of the filter as a file. It is read from the database, without a transaction, while the client receives it. Throws
 * InvalidInput.
 */
export async function exportOrders(
  db: Database,
  { format, sort = 'newest', ...filter }: OrderExportQuery,
  view: View,
): Promise<{ total: number; file: Readable }> {
  const ids = await db.withTransaction(async (sql) =>
    orderIds(sql, await conditionOf(sql, filter, sort, view), undefined, null),
  );
  const headings = columnNames.map((name) => ({
    header: textIn(columns[name], view),
    isAmount: name === 'amount' || name === 'refunded',
  }));
  return { total: ids.length, file: Readable.from(tableFile(format, headings, batchesOf(db, ids, view))) };
}
