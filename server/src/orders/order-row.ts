import { OrderStatus, RechargeType } from '@shop/shared/domain';
import { maskPhone } from '@shop/shared/domain/mask-phone';
import { type Texts, textOf } from '../platform/http/localised-text';
import type { Currency, Locale } from '../platform/http/schemas';
import type { OrderActions } from './orders.schemas';

/** The reduction of the list price by one rule; minor units. */
export type PricePart =
  | { kind: 'step'; from: number; amount: number }
  | { kind: 'level'; level: number; name: Texts; amount: number };

/** The goods as the buyer saw them when ordering; later changes do not affect it. */
export interface Snapshot {
  name: Texts;
  image: string;
  face_value: Texts;
  price?: { list_amount: number; parts: PricePart[] };
}
export interface MaskedField {
  key: string;
  label: Texts;
  value: string;
  /** May be stored for "buy again"; never true for a password. */
  remember: boolean;
}
type StoredValue = MaskedField & { option?: Texts };

/** Passwords are stored masked; a phone is stored in full, for "buy again". */
export function shownValue({ key, value, option }: StoredValue, locale: Locale): string {
  if (option) return textOf(option, locale);
  return /phone|mobile/i.test(key) ? maskPhone(value) : value;
}

/** The columns of the table orders that the services read. Amounts are minor units. In JSON, times are texts. */
export interface OrderRow<Time = Date> {
  id: number;
  order_no: string;
  goods_id: number;
  spec_id: number | null;
  custom_value: number | null;
  quantity: number;
  currency: Currency;
  unit_price: number;
  original_amount: number;
  coupon_discount: number;
  total_amount: number;
  recharge_type: number;
  status: number;
  delivery_status: number;
  snapshot: Snapshot;
  fields_masked: StoredValue[];
  pay_method: string | null;
  refund_state: string;
  refund_reason: string;
  refund_requested_at: Time | null;
  refunded_at: Time | null;
  refunded_amount: number;
  /** A payment of the order is disputed: no code is shown, and nothing is refunded. */
  disputed: boolean;
  held_until: Time | null;
  created_at: Time;
  expire_at: Time;
  paid_at: Time | null;
  finished_at: Time | null;
  closed_at: Time | null;
  close_reason: number;
}

export const refundState = `case when r.target = 'wallet' or r.amount = 0 then 'done' else coalesce((
  select case p.state when 'failed' then 'returned' else p.state end from payment_refunds p where p.refund_no = r.refund_no), 'done') end`;

export function actionsOf(
  order: Pick<OrderRow<Date | string>, 'status' | 'closed_at' | 'refund_state' | 'disputed' | 'recharge_type'> & {
    cards?: number;
  },
): OrderActions {
  const open = order.status === OrderStatus.Unpaid && !order.closed_at;
  const isPaid = order.status === OrderStatus.Paid || order.status === OrderStatus.Finished;
  return {
    pay: open,
    cancel: open,
    delete: !open && order.status !== OrderStatus.Paid,
    refund: isPaid && order.refund_state === 'none' && !order.disputed,
    again: !open,
    // Staff may deliver other goods with codes too.
    reveal:
      order.status === OrderStatus.Finished &&
      (order.recharge_type === RechargeType.CardCode || (order.cards ?? 0) > 0) &&
      !order.disputed,
  };
}
