import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { Type } from 'typebox';
import { callsFor } from './calls';
import { RefundIdBodySchema, StaffRefundSchema } from './refunds.schemas';
import { WaitingWalletActSchema, WalletActBodySchema } from './wallet.schemas';
import { actOnWallet, agreeToWalletAct, refuseWalletAct, waitingWalletActs } from './wallet.service';

/** Acts on people's wallets, and the second person above an amount. */
export function walletRoutes(app: App, { context, reads }: DomainOptions): void {
  const { get, post } = callsFor(app, 'money');
  get('wallet', { answer: Type.Array(WaitingWalletActSchema) }, ({ staff }) => waitingWalletActs(reads, staff));
  post('wallet', { body: WalletActBodySchema, answer: StaffRefundSchema }, ({ body, staff }) =>
    actOnWallet(context, staff, body),
  );
  post('wallet/agree', { body: RefundIdBodySchema, answer: StaffRefundSchema }, ({ body, staff }) =>
    agreeToWalletAct(context, staff, body.id),
  );
  post('wallet/refuse', { body: RefundIdBodySchema }, ({ body, staff }) => refuseWalletAct(context, staff, body.id));
}
