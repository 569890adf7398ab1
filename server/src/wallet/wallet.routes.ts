import type { DomainRoutes } from '../context';
import { BalanceLogQuerySchema, BalanceLogSchema } from './wallet.schemas';
import { balanceLog } from './wallet.service';

export const walletRoutes: DomainRoutes = async (app, { reads, personReads }) => {
  personReads.serve(
    app,
    '/api/front/user/balanceLog',
    { query: BalanceLogQuerySchema, data: BalanceLogSchema },
    (query, { viewer, currency, locale }) => balanceLog(reads, viewer, query, currency, locale),
  );
};
