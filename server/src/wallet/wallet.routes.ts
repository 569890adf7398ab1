import type { AppContext } from '../context';
import { ok } from '../http/envelope';
import { type App, signedIn, viewerOf } from '../http/request';
import { answer } from '../http/schemas';
import { BalanceLogQuerySchema, BalanceLogSchema } from './wallet.schemas';
import { balanceLog } from './wallet.service';

export function walletRoutes(app: App, { db }: AppContext): void {
  app.get(
    '/api/front/user/balanceLog',
    { ...signedIn, schema: { querystring: BalanceLogQuerySchema, response: answer(BalanceLogSchema) } },
    async (request) =>
      ok(request, await balanceLog(db, viewerOf(request), request.query, request.currency, request.locale)),
  );
}
