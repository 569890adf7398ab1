import type { DomainOptions } from '@shop/server/context';
import { addEntry, staffActor } from '@shop/server/platform/audit/audit';
import { callFor } from '../calls';
import {
  OrderChoicesQuerySchema,
  OrderChoicesSchema,
  OrderSumsQuerySchema,
  OrderSumsSchema,
  StaffOrdersQuerySchema,
  StaffOrdersSchema,
} from './list.schemas';
import { listOrders, orderChoices, sumOrders } from './list.service';

const call = callFor('orders');

export const orderListCalls = ({ context: { db, config }, reads }: DomainOptions) => ({
  'GET orders': call({ query: StaffOrdersQuerySchema, answer: StaffOrdersSchema }, async ({ query, locale }) => {
    const list = await listOrders(reads, query, config.timeZone, locale);
    await addEntry(db, { ...staffActor(), action: 'order.list', detail: query });
    return list;
  }),
  'GET orders/sums': call({ query: OrderSumsQuerySchema, answer: OrderSumsSchema }, ({ query, locale }) =>
    sumOrders(reads, query, config.timeZone, locale),
  ),
  'GET orders/choices': call({ query: OrderChoicesQuerySchema, answer: OrderChoicesSchema }, ({ query, locale }) =>
    orderChoices(reads, query.goods, locale),
  ),
});
