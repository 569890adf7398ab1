import { Readable } from 'node:stream';
import { exportFile } from '@shop/server/accounts/privacy/export.service';
import type { DomainOptions } from '@shop/server/context';
import { NumberSchema } from '@shop/server/platform/http/schemas';
import { Type } from 'typebox';
import { ByIdSchema, callFor } from '../calls';
import { record } from '../people/record';
import { isServed } from '../people/roles';
import { fileAnswer, tableAnswer } from '../table-file';
import { FoundSchema, NoteBodySchema, StaffOrderSchema, StaffShopperSchema } from './find.schemas';
import { addNote, auditSearch, find, staffOrder, staffShopper } from './find.service';
import {
  OrderChoicesQuerySchema,
  OrderExportQuerySchema,
  OrderFilterSchema,
  StaffOrdersQuerySchema,
  StaffOrdersSchema,
} from './list.schemas';
import { exportOrders, listOrders, orderChoices, sumOrders } from './list.service';
import {
  ClosingSchema,
  changeShopper,
  closings,
  EraseShopperBodySchema,
  enterExport,
  eraseShopper,
  GiveCouponBodySchema,
  GiveLevelBodySchema,
  giveShopperCoupon,
  giveShopperLevel,
  ShopperChangeBodySchema,
} from './shopper.service';

const callToFind = callFor('find');
const callForLists = callFor('orders');
const callForAccounts = callFor('accounts');
const callForErasure = callFor('erasure');

/** Orders and shoppers: the search, the pages of one, the list of all orders, and actions on accounts. */
export const orderCalls = ({ context, reads }: DomainOptions) => {
  const { db, config } = context;
  return {
    'GET find': callToFind(
      { query: Type.Object({ q: Type.String({ minLength: 4, maxLength: 80 }) }), answer: FoundSchema },
      async ({ query: { q }, locale }) => {
        const records = await find(reads, q, config.secret, locale);
        await auditSearch(db, q, records);
        return records;
      },
    ),
    'GET order/:order_no': callToFind(
      { params: Type.Object({ order_no: NumberSchema }), answer: StaffOrderSchema },
      ({ params, locale }) => staffOrder(context, params.order_no, locale),
    ),
    'GET shopper/:id': callToFind({ params: ByIdSchema, answer: StaffShopperSchema }, ({ params, locale }) =>
      staffShopper(db, params.id, config.sessionIdleSeconds, locale),
    ),
    'POST shopper/note': callToFind({ body: NoteBodySchema }, ({ body, staff }) =>
      db.withTransaction((sql) => addNote(sql, staff, body.id, body.note.trim())),
    ),
    'GET orders': callForLists(
      { query: StaffOrdersQuerySchema, answer: StaffOrdersSchema },
      async ({ query, locale }) => {
        const list = await listOrders(reads, query, { zone: config.timeZone, locale });
        await record(db, { action: 'order.list', detail: query });
        return list;
      },
    ),
    'GET orders/sums': callForLists({ query: OrderFilterSchema }, ({ query, locale }) =>
      sumOrders(reads, query, { zone: config.timeZone, locale }),
    ),
    'GET orders/choices': callForLists({ query: OrderChoicesQuerySchema }, ({ query, locale }) =>
      orderChoices(reads, query.goods, locale),
    ),
    'GET orders/export': callForLists({ query: OrderExportQuerySchema }, async ({ query, locale, staff, reply }) => {
      const view = { zone: config.timeZone, locale, showsContacts: isServed('contacts', staff.role) };
      // Orders and jobs use none of the connections for staff. Two exports run at the same time, and others wait.
      const { total, file } = await exportOrders(db.as('staff', 'order-export'), query, view, (rows) =>
        record(db, { action: 'order.export', detail: { ...query, rows } }),
      );
      return tableAnswer(reply.header('x-total-rows', total), 'orders', query.format, file);
    }),
    'POST shopper/change': callForAccounts({ body: ShopperChangeBodySchema }, ({ body }) => changeShopper(db, body)),
    'POST shopper/coupon': callForAccounts({ body: GiveCouponBodySchema }, ({ body, staff }) =>
      giveShopperCoupon(context, staff, body.id, body.coupon),
    ),
    'POST shopper/level': callForAccounts({ body: GiveLevelBodySchema }, ({ body, locale }) =>
      giveShopperLevel(db, body, locale),
    ),
    'GET closures': callForAccounts({ answer: Type.Array(ClosingSchema) }, () => closings(db)),
    'POST shopper/erase': callForErasure({ body: EraseShopperBodySchema }, async ({ body: { id, reason } }) => ({
      pseudonym: await eraseShopper(context, id, reason),
    })),
    'POST shopper/export': callForErasure({ body: ByIdSchema }, async ({ body: { id }, reply }) => {
      await enterExport(db, id);
      const file = Readable.from(exportFile(context, id));
      return fileAnswer(reply, `person-${id}.json`, 'application/json; charset=utf-8', file);
    }),
  };
};
