import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { Type } from 'typebox';
import { RefundIdBodySchema, StaffRefundSchema } from './refunds.schemas';
import { StaffDoneSchema } from './staff.schemas';
import { serves, staffOf } from './staff-access';
import { WaitingWalletActSchema, WalletActBodySchema } from './wallet.schemas';
import { actOnWallet, agreeToWalletAct, refuseWalletAct, waitingWalletActs } from './wallet.service';

const money = serves('money');

/** Acts on people's wallets, and the second person above an amount. */
export function walletRoutes(app: App, { context, reads }: Pick<DomainOptions, 'context' | 'reads'>): void {
  app.get(
    '/staff/api/wallet',
    { ...money, schema: { response: answer(Type.Array(WaitingWalletActSchema)) } },
    async (request) => ok(request, await waitingWalletActs(reads, staffOf(request))),
  );
  app.post(
    '/staff/api/wallet',
    { ...money, schema: { body: WalletActBodySchema, response: answer(StaffRefundSchema) } },
    async (request) => ok(request, await actOnWallet(context, staffOf(request), request.body)),
  );
  app.post(
    '/staff/api/wallet/agree',
    { ...money, schema: { body: RefundIdBodySchema, response: answer(StaffRefundSchema) } },
    async (request) => ok(request, await agreeToWalletAct(context, staffOf(request), request.body.id)),
  );
  app.post(
    '/staff/api/wallet/refuse',
    { ...money, schema: { body: RefundIdBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      await refuseWalletAct(context, staffOf(request), request.body.id);
      return ok(request, { done: true });
    },
  );
}
