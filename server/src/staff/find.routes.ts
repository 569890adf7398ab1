import type { DomainOptions } from '../context';
import { ok } from '../http/envelope';
import type { App } from '../http/request';
import { answer } from '../http/schemas';
import {
  FindQuerySchema,
  FoundSchema,
  OrderParamsSchema,
  PersonParamsSchema,
  StaffOrderSchema,
  StaffShopperSchema,
} from './find.schemas';
import { find, staffOrder, staffShopper } from './find.service';
import { serves } from './staff-access';

const desk = serves('seller', 'money');

/** Orders and people. */
export function findRoutes(app: App, { context, reads }: Pick<DomainOptions, 'context' | 'reads'>): void {
  const { db, config } = context;
  app.get(
    '/staff/api/find',
    { ...desk, schema: { querystring: FindQuerySchema, response: answer(FoundSchema) } },
    async (request) => ok(request, await find(reads, request.query.q, config.secret, request.locale)),
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
}
