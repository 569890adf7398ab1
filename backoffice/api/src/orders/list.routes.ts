import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { record } from '../people/record';
import { isServed } from '../people/roles';
import { tableAnswer } from '../table-file';
import {
  OrderChoicesQuerySchema,
  OrderExportQuerySchema,
  OrderFilterSchema,
  StaffOrdersQuerySchema,
  StaffOrdersSchema,
} from './list.schemas';
import { listOrders, orderChoices, sumOrders } from './list.service';
import { exportOrders } from './list-export.service';

const call = callFor('orders');

export const orderListCalls = ({ context: { db, config }, reads }: DomainOptions) => ({
  'GET orders': call({ query: StaffOrdersQuerySchema, answer: StaffOrdersSchema }, async ({ query, locale }) => {
    const list = await listOrders(reads, query, { zone: config.timeZone, locale });
    await record(db, { action: 'order.list', detail: query });
    return list;
  }),
  'GET orders/sums': call({ query: OrderFilterSchema }, ({ query, locale }) =>
    sumOrders(reads, query, { zone: config.timeZone, locale }),
  ),
  'GET orders/choices': call({ query: OrderChoicesQuerySchema }, ({ query, locale }) =>
    orderChoices(reads, query.goods, locale),
  ),
  'GET orders/export': call({ query: OrderExportQuerySchema }, async ({ query, locale, staff, reply }) => {
    const view = { zone: config.timeZone, locale, showsContacts: isServed('contacts', staff.role) };
    // Orders and jobs use none of the connections for staff. Two exports run at the same time, and others wait.
    const { total, file } = await exportOrders(db.as('staff', 'order-export'), query, view, (rows) =>
      record(db, { action: 'order.export', detail: { ...query, rows } }),
    );
    return tableAnswer(reply.header('x-total-rows', total), 'orders', query.format, file);
  }),
});
