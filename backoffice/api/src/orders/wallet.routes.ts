import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { RefundIdBodySchema } from './refunds.schemas';
import { WalletActBodySchema } from './wallet.schemas';
import { actOnWallet, approveWalletAction, refuseWalletAction, waitingWalletActions } from './wallet.service';

const call = callFor('refunds');

export const walletCalls = ({ context, reads }: DomainOptions) => ({
  'GET wallet': call({}, ({ staff }) => waitingWalletActions(reads, staff)),
  'POST wallet': call({ body: WalletActBodySchema }, ({ body, staff }) => actOnWallet(context, staff, body)),
  'POST wallet/agree': call({ body: RefundIdBodySchema }, ({ body, staff }) =>
    approveWalletAction(context, staff, body.id),
  ),
  'POST wallet/refuse': call({ body: RefundIdBodySchema }, ({ body, staff }) =>
    refuseWalletAction(context, staff, body.id),
  ),
});
