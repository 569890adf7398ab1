/** What an answer may acknowledge, and the same as the database has it. */
export const facts = {
  placed: "select order_no || ' ' || total_amount as fact from orders",
  paid: 'select order_no as fact from orders where paid_at is not null',
  closed: 'select order_no as fact from orders where closed_at is not null',
  delivered:
    "select o.order_no as fact from order_events e join orders o on o.id = e.order_id where e.kind = 'delivered'",
  recharged: "select recharge_no || ' ' || amount as fact from recharges where state = 'paid'",
  received: "select user_id || ' ' || coupon_id as fact from user_coupons where invitee_id is null",
  refunded: `select refund_no || ' ' || order_no || ' ' || amount as fact
    from order_refunds r join orders o on o.id = r.order_id where actor = 'staff'`,
  released: `select order_no as fact from order_holds h join orders o on o.id = h.order_id
    where state = 'released' and ended_by = 'staff'`,
};
export type Fact = keyof typeof facts;

/** Those that may also happen without an answer. A release has no number by which it could be repeated. */
export const alsoUntold: Fact[] = ['closed', 'delivered', 'released'];
