import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callFor } from '../calls';
import { record } from '../people/record';
import { isServed } from '../people/roles';
import { staffOf } from '../people/staff-access';
import { sendTable } from '../table-file';
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
});

export const orderExportRoute = (app: App, { context: { db, config } }: DomainOptions): void => {
  app.get(
    '/staff/api/orders/export',
    { config: { staff: 'orders' }, schema: { querystring: OrderExportQuerySchema } },
    async (request, reply) => {
      const { query, locale } = request;
      const showsContacts = isServed('contacts', staffOf(request).role);
      const view = { zone: config.timeZone, locale, showsContacts };
      // Orders and jobs use none of the connections for staff. Two exports run at the same time, and others wait.
      const { total, file } = await exportOrders(db.as('staff', 'order-export'), query, view, (rows) =>
        record(db, { action: 'order.export', detail: { ...query, rows } }),
      );
      return sendTable(reply.header('x-total-rows', total), 'orders', query.format, file);
    },
  );
};
