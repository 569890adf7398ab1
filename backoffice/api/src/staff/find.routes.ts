import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
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
import { StaffDoneSchema } from './staff.schemas';
import { serves, staffOf } from './staff-access';

const desk = serves('seller', 'money');

/** Orders and people. */
export function findRoutes(app: App, { context, reads }: Pick<DomainOptions, 'context' | 'reads'>): void {
  const { db, config } = context;
  app.get(
    '/staff/api/find',
    { ...desk, schema: { querystring: FindQuerySchema, response: answer(FoundSchema) } },
    async (request) => {
      const { q } = request.query;
      const found = await find(reads, q, config.secret, request.locale);
      await enterFound(db, q, found);
      return ok(request, found);
    },
  );
  app.get(
    '/staff/api/order/:order_no',
    { ...desk, schema: { params: OrderParamsSchema, response: answer(StaffOrderSchema) } },
    async (request) => ok(request, await staffOrder(db, request.params.order_no, request.locale)),
  );
  app.get(
    '/staff/api/shopper/:id',
    { ...desk, schema: { params: PersonParamsSchema, response: answer(StaffShopperSchema) } },
    async (request) =>
      ok(request, await staffShopper(db, request.params.id, config.sessionIdleSeconds, request.locale)),
  );
  app.post(
    '/staff/api/shopper/note',
    { ...desk, schema: { body: NoteBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      const { id, note } = request.body;
      await db.withTransaction((sql) => addNote(sql, staffOf(request), id, note.trim()));
      return ok(request, { done: true });
    },
  );
}
