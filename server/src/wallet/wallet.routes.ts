import type { DomainRoutes } from '../context';
import { callsOf } from '../platform/http/calls';
import { withIdempotency } from '../platform/http/idempotency';
import { createRecharge, rechargeInfo, rechargeList, rechargeOptions } from './recharge/recharge.service';
import {
  balanceLogCall,
  RechargeOptionsSchema,
  rechargeCreateCall,
  rechargeInfoCall,
  rechargeListCall,
} from './wallet.schemas';
import { balanceLog } from './wallet.service';

export const walletRoutes: DomainRoutes = async (app, { context, reads, userReads }) => {
  userReads.serve(app, '/api/front/user/balanceLog', balanceLogCall, (query, { viewer, currency, locale }) =>
    balanceLog(reads, viewer, query, currency, locale),
  );
  const { user } = callsOf(app);
  const { db } = context;
  user.get('/api/front/recharge/options', { data: RechargeOptionsSchema }, async ({ viewer, currency }) =>
    rechargeOptions(reads, viewer, currency),
  );
  user.postOnce('/api/front/recharge/create', rechargeCreateCall, ({ viewer, body, request, reply }) =>
    withIdempotency(db, request, reply, (sql) => createRecharge(context, sql, viewer, body, request)),
  );
  user.get('/api/front/recharge/list', rechargeListCall, async ({ viewer, query, currency }) =>
    rechargeList(reads, viewer, query, currency),
  );
  user.get('/api/front/recharge/info', rechargeInfoCall, async ({ viewer, query }) =>
    rechargeInfo(reads, viewer, query.recharge_no),
  );
};
