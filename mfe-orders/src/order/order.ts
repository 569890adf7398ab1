import type { OrderInfo, OrderListItem } from '@shop/server/wire';
import { DeliveryStatus, OrderStatus } from '@shop/shared/domain';
import type { Tone } from '@shop/shared/ui';

/** The state that a user sees, derived from `status`, `delivery_status`, `refund_state` and `closed_at`. */
export type OrderPhase = 'unpaid' | 'processing' | 'refunding' | 'finished' | 'refunded' | 'closed';

type WireOrder = OrderListItem | OrderInfo;
export type Derived<T extends WireOrder> = T & { phase: OrderPhase };
export type OrderSummary = Derived<OrderListItem>;
export type Order = Derived<OrderInfo>;

export function phaseOf(
  order: Pick<WireOrder, 'status' | 'delivery_status' | 'refund_state' | 'closed_at'>,
): OrderPhase {
  if (order.status === OrderStatus.Refunded) return 'refunded';
  if (order.refund_state === 'requested') return 'refunding';
  if (order.status === OrderStatus.Finished || order.delivery_status === DeliveryStatus.Delivered) return 'finished';
  if (order.status === OrderStatus.Paid) return 'processing';
  return order.closed_at ? 'closed' : 'unpaid';
}

/** Paid and on hold for review; a requested refund takes precedence. */
export const holdOf = ({ phase, held }: Pick<OrderSummary, 'phase' | 'held'>) => (phase === 'processing' ? held : null);

export const toOrder = <T extends WireOrder>(wire: T): Derived<T> => ({ ...wire, phase: phaseOf(wire) });

export const isAwaited = (phase: OrderPhase | undefined): boolean => phase === 'processing' || phase === 'refunding';

export const phaseTone: Record<OrderPhase, Tone> = {
  unpaid: 'warning',
  processing: 'accent',
  refunding: 'warning',
  finished: 'success',
  refunded: 'neutral',
  closed: 'neutral',
};
