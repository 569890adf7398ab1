import type { DomainRoutes } from '../../context';
import { callsOf } from '../../platform/http/calls';
import { withIdempotency } from '../../platform/http/idempotency';
import {
  RechargeCreateBodySchema,
  RechargeCreatedSchema,
  RechargeListQuerySchema,
  RechargeOptionsSchema,
  RechargePageSchema,
} from './recharge.schemas';
import { createRecharge, rechargeList, rechargeOptions } from './recharge.service';

export const rechargeRoutes: DomainRoutes = async (app, { context, reads }) => {
  const { user } = callsOf(app);
  const { db } = context;
  user.get('/api/front/recharge/options', { data: RechargeOptionsSchema }, async ({ viewer, currency }) =>
    rechargeOptions(reads, viewer, currency),
  );
  user.postOnce(
    '/api/front/recharge/create',
    { body: RechargeCreateBodySchema, data: RechargeCreatedSchema },
    ({ viewer, body, request, reply }) =>
      withIdempotency(db, request, reply, (sql) => createRecharge(context, sql, viewer, body, request)),
  );
  user.get(
    '/api/front/recharge/list',
    { query: RechargeListQuerySchema, data: RechargePageSchema },
    async ({ viewer, query, currency }) => rechargeList(reads, viewer, query, currency),
  );
};
