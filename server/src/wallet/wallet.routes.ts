import { type App, ok, type Shop, signedIn, viewerOf } from '../app/context';
import { answer } from '../app/schema';
import { BalanceLogQuerySchema, BalanceLogSchema } from './wallet.schemas';
import { balanceLog } from './wallet.service';

export function walletRoutes(app: App, { db }: Shop): void {
  app.get(
    '/api/front/user/balanceLog',
    { ...signedIn, schema: { querystring: BalanceLogQuerySchema, response: answer(BalanceLogSchema) } },
    async (request) =>
      ok(request, await balanceLog(db, viewerOf(request), request.query, request.currency, request.locale)),
  );
}
