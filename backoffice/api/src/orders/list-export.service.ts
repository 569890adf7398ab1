import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { orderText } from '@shop/server/orders/order-texts';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { textOf } from '@shop/server/platform/http/localised-text';
import { maskEmail, maskPhone } from '@shop/server/platform/http/mask-phone';
import { toWire } from '@shop/server/platform/http/money';
import { CSV_MARK, csvRows } from '@shop/shared/domain/csv';
import { localTime } from '@shop/shared/domain/time-zone';
import { writeXlsxStream } from 'hucre/xlsx';
import type { OrderExportQuery } from './list.schemas';
import {
  conditionOf,
  deliveries,
  kinds,
  type ListedRow,
  nameOf,
  orderIds,
  orderRows,
  planEach,
  states,
  type View,
} from './list.service';

/** Orders of one statement: few enough that reading them delays no other request. */
const BATCH = 200;

export interface ExportView extends View {
  /** Contacts of buyers are masked without it. */
  showsContacts: boolean;
}

type Names = readonly [zh: string, en: string];
const valueNames = {
  state: {
    unpaid: ['待付款', 'Unpaid'],
    paid: ['待发货', 'To deliver'],
    delivered: ['已完成', 'Finished'],
    refunded: ['已退款', 'Refunded'],
    closed: ['已关闭', 'Closed'],
  },
  delivery: { none: ['未付款', 'Not paid'], waiting: ['等待发货', 'Waiting'], delivered: ['已发货', 'Delivered'] },
  kind: {
    card: ['卡密', 'Codes'],
    direct: ['直充', 'Direct top-up'],
    proxy: ['代充', 'Top-up by the shop'],
    manual: ['人工', 'Manual'],
  },
} as const;

interface Column {
  name: Names;
  /** Minor units for an amount. */
  cell(row: ListedRow, view: ExportView): string | number;
  isAmount?: true;
}

const timeOf = (at: Date | null, { zone }: View) => (at ? localTime(at, zone).replace('T', ' ') : '');
const textIn = ([zh, en]: Names, { locale }: View) => (locale === 'en' ? en : zh);
function contactOf({ phone, sign_in_email: email }: ListedRow, { showsContacts }: ExportView): string {
  if (showsContacts) return phone ?? email ?? '';
  return phone ? maskPhone(phone) : maskEmail(email ?? '');
}

/** No column has codes or account fields. */
const columns: Column[] = [
  { name: ['订单号', 'Order'], cell: ({ order_no }) => order_no },
  { name: ['下单时间', 'Placed at'], cell: ({ created_at }, view) => timeOf(created_at, view) },
  { name: ['商品', 'Product'], cell: ({ snapshot }, { locale }) => textOf(snapshot.name, locale) },
  { name: ['面值', 'Value'], cell: ({ snapshot }, { locale }) => textOf(snapshot.face_value, locale) },
  { name: ['数量', 'Quantity'], cell: ({ quantity }) => quantity },
  { name: ['类型', 'Kind'], cell: (row, view) => textIn(valueNames.kind[nameOf(kinds, row.recharge_type)], view) },
  {
    name: ['订单状态', 'Status'],
    cell: ({ status, closed_at }, view) =>
      textIn(valueNames.state[nameOf(states, closed_at ? states.closed : status)], view),
  },
  {
    name: ['发货状态', 'Delivery'],
    cell: (row, view) => textIn(valueNames.delivery[nameOf(deliveries, row.delivery_status)], view),
  },
  { name: ['支付方式', 'Payment method'], cell: ({ pay_method }, { locale }) => orderText(pay_method ?? '', locale) },
  { name: ['币种', 'Currency'], cell: ({ currency }) => currency },
  { name: ['金额', 'Amount'], cell: ({ total_amount }) => total_amount, isAmount: true },
  { name: ['已退金额', 'Refunded'], cell: ({ refunded_amount }) => refunded_amount, isAmount: true },
  { name: ['优惠券', 'Coupon'], cell: ({ coupon }, { locale }) => textOf(coupon, locale) },
  { name: ['等级', 'Level'], cell: ({ level }, { locale }) => textOf(level, locale) },
  { name: ['供应商', 'Supplier'], cell: ({ stock_type }) => stock_type },
  { name: ['付款时间', 'Paid at'], cell: ({ paid_at }, view) => timeOf(paid_at, view) },
  { name: ['用户编号', 'User'], cell: ({ user_id }) => user_id },
  { name: ['联系方式', 'Contact'], cell: contactOf },
];

const headersIn = (view: View) => columns.map(({ name }) => textIn(name, view));

async function* csvFile(batches: AsyncIterable<ListedRow[]>, view: ExportView) {
  yield CSV_MARK + csvRows([headersIn(view)]);
  const cellOf = (row: ListedRow, { cell, isAmount }: Column) => {
    const value = cell(row, view);
    return isAmount ? toWire(Number(value)) : String(value);
  };
  for await (const rows of batches) yield csvRows(rows.map((row) => columns.map((column) => cellOf(row, column))));
}

function xlsxFile(batches: AsyncIterable<ListedRow[]>, view: ExportView): ReadableStream {
  const headers = headersIn(view);
  const cellOf = (row: ListedRow, { cell, isAmount }: Column) =>
    isAmount ? Number(cell(row, view)) / 100 : cell(row, view);
  async function* cells() {
    for await (const rows of batches) for (const row of rows) yield columns.map((column) => cellOf(row, column));
  }
  const sheet = columns.map(({ isAmount }, at) => ({
    header: headers[at],
    width: 16,
    ...(isAmount && { numFmt: '0.00' }),
  }));
  return writeXlsxStream(cells(), { name: 'Orders', columns: sheet, freezePane: { rows: 1 } }) as ReadableStream;
}

async function* batchesOf(sql: Sql, ids: number[]) {
  for (let at = 0; at < ids.length; at += BATCH) yield orderRows(sql, ids.slice(at, at + BATCH));
}

/**
 * A transaction sees the orders as they were when it began. The embedded database has one connection, which the shop needs meanwhile, so its
 * statements run one by one.
 */
const inSnapshot = (db: Database, work: (sql: Sql) => Promise<void>): Promise<void> =>
  db.kind === 'embedded'
    ? work(db)
    : db.withTransaction(async (sql) => {
        await sql.script('set transaction isolation level repeatable read, read only');
        await planEach(sql);
        await work(sql);
      });

/**
 * The orders of the filter as a file. It is read from the database while the client receives it: a client that goes
 * away ends that, and an error destroys the stream. `begin` runs first. Throws InvalidInput and the errors of `begin`.
 */
export function exportOrders(
  db: Database,
  { format, sort = 'newest', ...filter }: OrderExportQuery,
  view: ExportView,
  begin: (total: number) => Promise<void>,
): Promise<Readable> {
  const file = new PassThrough();
  // Before the response reads the file, its error is that of the promise.
  file.on('error', () => {});
  return new Promise((resolve, reject) => {
    inSnapshot(db, async (sql) => {
      const ids = await orderIds(sql, await conditionOf(sql, filter, sort, view), undefined, null);
      await begin(ids.length);
      resolve(file);
      await pipeline((format === 'csv' ? csvFile : xlsxFile)(batchesOf(sql, ids), view), file);
    }).catch((error) => {
      reject(error);
      file.destroy(error);
    });
  });
}
