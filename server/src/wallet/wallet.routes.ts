import type { DomainRoutes } from '../context';
import { ok } from '../platform/http/envelope';
import { signedIn, viewerOf } from '../platform/http/request';
import { answer } from '../platform/http/schemas';
import { BalanceLogQuerySchema, BalanceLogSchema } from './wallet.schemas';
import { balanceLog } from './wallet.service';

export const walletRoutes: DomainRoutes = async (app, { reads }) => {
  app.get(
    '/api/front/user/balanceLog',
    { ...signedIn, schema: { querystring: BalanceLogQuerySchema, response: answer(BalanceLogSchema) } },
    async (request) =>
      ok(request, await balanceLog(reads, viewerOf(request), request.query, request.currency, request.locale)),
  );
};
