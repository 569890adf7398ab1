import { type App, ok, type Shop, signedIn, signedInOnce, viewerOf } from '../app/context';
import { once } from '../app/idempotency';
import { answer } from '../app/schema';
import {
  RechargeCreateBodySchema,
  RechargeCreatedSchema,
  RechargeListQuerySchema,
  RechargeOptionsSchema,
  RechargePageSchema,
} from './recharge.schemas';
import { createRecharge, rechargeList, rechargeOptions } from './recharge.service';

export function rechargeRoutes(app: App, shop: Shop): void {
  const { db } = shop;
  app.get(
    '/api/front/recharge/options',
    { ...signedIn, schema: { response: answer(RechargeOptionsSchema) } },
    async (request) => ok(request, await rechargeOptions(db, viewerOf(request), request.currency)),
  );
  app.post(
    '/api/front/recharge/create',
    { ...signedInOnce, schema: { body: RechargeCreateBodySchema, response: answer(RechargeCreatedSchema) } },
    (request, reply) =>
      once(shop, request, reply, (sql) => createRecharge(shop, sql, viewerOf(request), request.body, request)),
  );
  app.get(
    '/api/front/recharge/list',
    { ...signedIn, schema: { querystring: RechargeListQuerySchema, response: answer(RechargePageSchema) } },
    async (request) => ok(request, await rechargeList(db, viewerOf(request), request.query, request.currency)),
  );
}
