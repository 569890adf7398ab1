import type { DomainRoutes } from '../../context';
import { ok } from '../../platform/http/envelope';
import { withIdempotency } from '../../platform/http/idempotency';
import { signedIn, signedInIdempotent, viewerOf } from '../../platform/http/request';
import { answer } from '../../platform/http/schemas';
import {
  RechargeCreateBodySchema,
  RechargeCreatedSchema,
  RechargeListQuerySchema,
  RechargeOptionsSchema,
  RechargePageSchema,
} from './recharge.schemas';
import { createRecharge, rechargeList, rechargeOptions } from './recharge.service';

export const rechargeRoutes: DomainRoutes = async (app, { context, reads }) => {
  const { db } = context;
  app.get(
    '/api/front/recharge/options',
    { ...signedIn, schema: { response: answer(RechargeOptionsSchema) } },
    async (request) => ok(request, await rechargeOptions(reads, viewerOf(request), request.currency)),
  );
  app.post(
    '/api/front/recharge/create',
    { ...signedInIdempotent, schema: { body: RechargeCreateBodySchema, response: answer(RechargeCreatedSchema) } },
    (request, reply) =>
      withIdempotency(db, request, reply, (sql) =>
        createRecharge(context, sql, viewerOf(request), request.body, request),
      ),
  );
  app.get(
    '/api/front/recharge/list',
    { ...signedIn, schema: { querystring: RechargeListQuerySchema, response: answer(RechargePageSchema) } },
    async (request) => ok(request, await rechargeList(reads, viewerOf(request), request.query, request.currency)),
  );
};
