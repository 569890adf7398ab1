import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { AppContext } from '../../context';
import {
  deliverOrder,
  type OpenRequest,
  openFields,
  orderForStaff,
  refuseRefundRequest,
} from '../../orders/deliver-order.service';
import { CodesRevealedError, refundOrder } from '../../payments/refund-order.service';
import { staffActor } from '../../platform/audit/audit';
import { messageOf, shopErrorOf } from '../../platform/http/errors';
import { fromWire, toWire } from '../../platform/http/money';
import { StaffError } from './common';

export function waitingOrders({ db }: AppContext) {
  return db.rows(
    `select o.order_no, o.snapshot -> 'name' ->> 'zh-CN' as name, o.snapshot -> 'face_value' ->> 'zh-CN' as face_value,
            o.quantity, o.paid_at, o.refund_state, r.supplier, r.tries, r.detail,
            (select min(at) from audit_log where action = 'cards.reveal' and subject = o.order_no) as codes_shown,
            (array['to send', 'open', 'delivered', 'refused', 'delivered after the refund'])[r.state + 1] as request
       from orders o left join supplier_requests r on r.order_id = o.id
      where o.status = 12 or o.refund_state = 'requested' or r.state = 4 order by o.paid_at limit 200`,
  );
}

/** Throws StaffError for an unknown order. */
const known = (orderNo: string) => (error: unknown) => {
  throw shopErrorOf(error)?.code === ErrorCode.OrderNotFound ? new StaffError(`There is no order ${orderNo}.`) : error;
};

export const orderFields = ({ db, keyring }: AppContext, orderNo: string): Promise<Record<string, string>> =>
  db.withTransaction(async (sql) => openFields(sql, keyring, await orderForStaff(sql, orderNo))).catch(known(orderNo));

export async function deliver({ db }: AppContext, orderNo: string, note: string): Promise<void> {
  const done = await db
    .withTransaction(async (sql) => deliverOrder(sql, await orderForStaff(sql, orderNo), note))
    .catch((error) => {
      if (shopErrorOf(error)?.code !== StaffErrorCode.RefundWaits) return known(orderNo)(error);
      throw new StaffError(`Not delivered: a refund of order ${orderNo} waits at /staff for a second person.`);
    });
  if (!done) throw new StaffError(`Order ${orderNo} is not waiting for delivery.`);
}

export interface RefundOptions {
  /** The supplier has confirmed by other means that it did not and will not deliver. */
  notDelivered?: boolean;
  amount?: string;
  quantity?: string;
  to?: string;
  /** The same key again is the same refund. */
  key?: string;
  /** Although the buyer has seen its codes. */
  revealedOk?: boolean;
}

/** Answers what was refunded. Refused while the supplier may still deliver. */
export async function refund(
  context: AppContext,
  orderNo: string,
  reason: string,
  options: RefundOptions = {},
): Promise<string> {
  const { to = 'wallet', key } = options;
  const amount = options.amount === undefined ? undefined : fromWire(options.amount);
  const quantity = options.quantity === undefined ? undefined : Number(options.quantity);
  if (options.amount !== undefined && !amount) throw new StaffError(`"${options.amount}" is not an amount like 12.34.`);
  if (quantity !== undefined && !(Number.isInteger(quantity) && quantity > 0))
    throw new StaffError(`"${options.quantity}" is not a number of units.`);
  if (amount && quantity) throw new StaffError('Either --amount or --quantity.');
  if (to !== 'wallet' && to !== 'source') throw new StaffError(`"${to}" is none of wallet, source.`);
  if (key !== undefined && !/^[\w-]{8,40}$/.test(key))
    throw new StaffError('A key has 8 to 40 letters, digits, - or _.');
  const done = await refundOrder(context, {
    orderNo,
    amount,
    quantity,
    target: to,
    reason,
    actor: 'staff',
    by: staffActor().actor,
    refundNo: key,
    notDelivered: options.notDelivered ?? false,
    revealedOk: options.revealedOk ?? false,
  }).catch((error) => {
    if (error instanceof CodesRevealedError) throw new StaffError(revealed(orderNo, error));
    const { code, data } = shopErrorOf(error) ?? {};
    if (code === ErrorCode.SupplierRequestOpen) throw new StaffError(openRequest(orderNo, data as OpenRequest));
    throw code ? new StaffError(refundFaults(orderNo)[code] ?? messageOf(code, 'en')) : error;
  });
  const where = {
    wallet: 'to the wallet',
    pending: 'to the source; the shop asks the provider until it is done',
    done: 'to the source',
    returned: 'to the wallet, because the provider refused',
  }[done.target === 'wallet' ? 'wallet' : done.state];
  return `Refunded ${toWire(done.amount)} ${done.currency} ${where}, as ${done.refund_no}.`;
}

const revealed = (orderNo: string, { first, times }: CodesRevealedError) =>
  `Not refunded: the buyer has seen the codes of order ${orderNo}, first on ${first.toISOString()}, ${times} time(s) in all, and may have used them. Have the issuer void them if it can, then add --revealed-ok.`;

const refundFaults = (orderNo: string): Partial<Record<number, string>> => ({
  [ErrorCode.OrderNotFound]: `There is no order ${orderNo}.`,
  [ErrorCode.WrongOrderState]: `Order ${orderNo} has nothing to refund.`,
  [ErrorCode.OrderDisputed]: `The payment of order ${orderNo} is disputed: the provider decides where its money goes.`,
  [ErrorCode.RefundTooLarge]: `That is more than is left of order ${orderNo}.`,
  [ErrorCode.PaymentMethodUnavailable]: `Order ${orderNo} was not paid by a method that can pay back: refund to the wallet.`,
  [ErrorCode.IdempotencyKeyReused]: 'This key belongs to another refund.',
});

const openRequest = (orderNo: string, request: OpenRequest) =>
  `Not refunded: the supplier may still deliver order ${orderNo}. It was asked ${request.tries} time(s) (${request.detail || 'no answer yet'}) and will be asked again at ${request.next_at.toISOString()}; a refusal refunds by itself. If the supplier has confirmed that it did not and will not deliver, add --not-delivered.`;

export async function refuseRefund({ db }: AppContext, orderNo: string, reason: string): Promise<void> {
  const done = await db
    .withTransaction(async (sql) => refuseRefundRequest(sql, await orderForStaff(sql, orderNo), reason))
    .catch(known(orderNo));
  if (!done) throw new StaffError(`No refund was asked for order ${orderNo}.`);
}
