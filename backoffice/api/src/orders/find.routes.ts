import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import {
  FindQuerySchema,
  FoundSchema,
  NoteBodySchema,
  OrderParamsSchema,
  StaffOrderSchema,
  StaffShopperSchema,
  UserParamsSchema,
} from './find.schemas';
import { addNote, auditSearch, find, staffOrder, staffShopper } from './find.service';

const call = callFor('find');

export const findCalls = ({ context, reads }: DomainOptions) => ({
  'GET find': call({ query: FindQuerySchema, answer: FoundSchema }, async ({ query: { q }, locale }) => {
    const records = await find(reads, q, context.config.secret, locale);
    await auditSearch(context.db, q, records);
    return records;
  }),
  'GET order/:order_no': call({ params: OrderParamsSchema, answer: StaffOrderSchema }, ({ params, locale }) =>
    staffOrder(context, params.order_no, locale),
  ),
  'GET shopper/:id': call({ params: UserParamsSchema, answer: StaffShopperSchema }, ({ params, locale }) =>
    staffShopper(context.db, params.id, context.config.sessionIdleSeconds, locale),
  ),
  'POST shopper/note': call({ body: NoteBodySchema }, ({ body, staff }) =>
    context.db.withTransaction((sql) => addNote(sql, staff, body.id, body.note.trim())),
  ),
});
