import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from './calls';
import {
  FindQuerySchema,
  FoundSchema,
  NoteBodySchema,
  OrderParamsSchema,
  PersonParamsSchema,
  StaffOrderSchema,
  StaffShopperSchema,
} from './find.schemas';
import { addNote, enterFound, find, staffOrder, staffShopper } from './find.service';

/** Orders and people. */
export function findRoutes(app: App, { context, reads }: DomainOptions): void {
  const { db, config } = context;
  const { get, post } = callsFor(app, 'seller', 'money');
  get('find', { query: FindQuerySchema, answer: FoundSchema }, async ({ query: { q }, locale }) => {
    const found = await find(reads, q, config.secret, locale);
    await enterFound(db, q, found);
    return found;
  });
  get('order/:order_no', { params: OrderParamsSchema, answer: StaffOrderSchema }, ({ params, locale }) =>
    staffOrder(context, params.order_no, locale),
  );
  get('shopper/:id', { params: PersonParamsSchema, answer: StaffShopperSchema }, ({ params, locale }) =>
    staffShopper(db, params.id, config.sessionIdleSeconds, locale),
  );
  post('shopper/note', { body: NoteBodySchema }, ({ body, staff }) =>
    db.withTransaction((sql) => addNote(sql, staff, body.id, body.note.trim())),
  );
}
