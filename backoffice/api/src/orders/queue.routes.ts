import type { DomainOptions } from '@shop/server/context';
import { askBuyer, openFields, refuseRefundRequest } from '@shop/server/orders/deliver-order.service';
import { ByIdSchema, callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import {
  holdSettingsEditable,
  RefundHeldBodySchema,
  refundOnHold,
  release,
  StaffHoldSettingsSchema,
} from './holds.service';
import {
  AskBodySchema,
  DeliverBodySchema,
  deliver,
  endClaim,
  FieldsSchema,
  giveBack,
  onClaimed,
  QueueOrderBodySchema,
  QueueSchema,
  queue,
  RefuseBodySchema,
  RefuseRefundBodySchema,
  refundClaimed,
  takeOrder,
} from './queue.service';
import {
  AgreeBodySchema,
  approveRefund,
  refuseWaitingRefund,
  StaffRefundBodySchema,
  staffRefund,
  waitingRefunds,
} from './refunds.service';
import { actOnWallet, decideWalletAction, WalletActBodySchema, waitingWalletActions } from './wallet.service';

const call = callFor('queue');
const callForMoney = callFor('refunds');

/**
 * Orders that wait for staff, also on hold, and the rules that put them on hold; refunds and actions on wallets, with those that wait for a
 * second staff member.
 */
export const queueCalls = (options: DomainOptions) => {
  const { context, reads } = options;
  return {
    'GET queue': call({ answer: QueueSchema }, ({ staff, locale }) => queue(reads, staff, locale)),
    'POST queue/take': call({ body: QueueOrderBodySchema }, async ({ body, staff }) => ({
      until: await context.db.withTransaction((sql) => takeOrder(sql, staff, body.order_no)),
    })),
    'POST queue/give-back': call({ body: QueueOrderBodySchema }, ({ body, staff }) =>
      onClaimed(context, staff, body, giveBack),
    ),
    'POST queue/fields': call({ body: QueueOrderBodySchema, answer: FieldsSchema }, async ({ body, staff }) => ({
      fields: await onClaimed(context, staff, body, (sql, order) => openFields(sql, context.keyring, order)),
    })),
    'POST queue/ask': call({ body: AskBodySchema }, ({ body, staff }) =>
      onClaimed(context, staff, body, (sql, order) => askBuyer(sql, order, body.question.trim())),
    ),
    'POST queue/deliver': call({ body: DeliverBodySchema }, ({ body, staff }) => deliver(context, staff, body)),
    'POST queue/refund': call({ body: RefuseBodySchema }, ({ body, staff }) => refundClaimed(context, staff, body)),
    'POST queue/refuse-refund': call({ body: RefuseRefundBodySchema }, ({ body, staff }) =>
      onClaimed(context, staff, body, async (sql, order) => {
        await refuseRefundRequest(sql, order, body.reason);
        await endClaim(sql, order);
      }),
    ),
    'POST holds/release': call({ body: QueueOrderBodySchema }, ({ body }) => release(context, body.order_no)),
    'POST holds/refund': call({ body: RefundHeldBodySchema }, ({ body, staff }) => refundOnHold(context, staff, body)),
    ...editCalls(options, {
      path: 'hold-settings',
      area: 'holds',
      schema: StaffHoldSettingsSchema,
      editable: holdSettingsEditable,
    }),
    'GET refunds': callForMoney({}, ({ staff, locale }) => waitingRefunds(reads, staff, locale)),
    'POST refunds': callForMoney({ body: StaffRefundBodySchema }, ({ body, staff }) =>
      staffRefund(context, staff, body),
    ),
    'POST refunds/agree': callForMoney({ body: AgreeBodySchema }, ({ body, staff }) =>
      approveRefund(context, staff, body),
    ),
    'POST refunds/refuse': callForMoney({ body: ByIdSchema }, ({ body, staff }) =>
      refuseWaitingRefund(context, staff, body.id),
    ),
    'GET wallet': callForMoney({}, ({ staff }) => waitingWalletActions(reads, staff)),
    'POST wallet': callForMoney({ body: WalletActBodySchema }, ({ body, staff }) => actOnWallet(context, staff, body)),
    'POST wallet/agree': callForMoney({ body: ByIdSchema }, ({ body, staff }) =>
      decideWalletAction(context, staff, body.id, 'done'),
    ),
    'POST wallet/refuse': callForMoney({ body: ByIdSchema }, async ({ body, staff }) => {
      await decideWalletAction(context, staff, body.id, 'refused');
    }),
  };
};
