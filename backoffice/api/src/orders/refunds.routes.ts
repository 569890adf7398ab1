import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { AgreeBodySchema, RefundIdBodySchema, StaffRefundBodySchema } from './refunds.schemas';
import { approveRefund, refuseWaitingRefund, staffRefund, waitingRefunds } from './refunds.service';
import { WalletActBodySchema } from './wallet.schemas';
import { actOnWallet, approveWalletAction, refuseWalletAction, waitingWalletActions } from './wallet.service';

const call = callFor('refunds');

/** Refunds and actions on wallets, with those that wait for a second staff member. */
export const refundCalls = ({ context, reads }: DomainOptions) => ({
  'GET refunds': call({}, ({ staff, locale }) => waitingRefunds(reads, staff, locale)),
  'POST refunds': call({ body: StaffRefundBodySchema }, ({ body, staff }) => staffRefund(context, staff, body)),
  'POST refunds/agree': call({ body: AgreeBodySchema }, ({ body, staff }) => approveRefund(context, staff, body)),
  'POST refunds/refuse': call({ body: RefundIdBodySchema }, ({ body, staff }) =>
    refuseWaitingRefund(context, staff, body.id),
  ),
  'GET wallet': call({}, ({ staff }) => waitingWalletActions(reads, staff)),
  'POST wallet': call({ body: WalletActBodySchema }, ({ body, staff }) => actOnWallet(context, staff, body)),
  'POST wallet/agree': call({ body: RefundIdBodySchema }, ({ body, staff }) =>
    approveWalletAction(context, staff, body.id),
  ),
  'POST wallet/refuse': call({ body: RefundIdBodySchema }, ({ body, staff }) =>
    refuseWalletAction(context, staff, body.id),
  ),
});
