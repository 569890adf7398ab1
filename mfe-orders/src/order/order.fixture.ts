import type { OrderInfo, OrderListItem } from '@shop/server/wire';

export const orderNo = 'A1B2C3D4E5F6G7H8J9K0';
const now = Date.now();
const iso = (shiftMs: number) => new Date(now + shiftMs).toISOString();
const none = { pay: false, cancel: false, delete: false, refund: false, again: true, reveal: false };

export const listItem: OrderListItem = {
  order_no: orderNo,
  held: null,
  status: 10,
  delivery_status: 0,
  recharge_type: 1,
  currency: 'CNY',
  total_amount: '96.00',
  quantity: 2,
  created_at: iso(0),
  expire_at: iso(600_000),
  closed_at: null,
  close_reason: 0,
  refund_state: 'none',
  server_time: iso(0),
  actions: { ...none, pay: true, cancel: true, again: false },
  goods_id: 7,
  name: 'Genshin Impact',
  image: '/media/genshin.webp',
  face_value: '¥50',
};

export const unpaid: OrderInfo = {
  ...listItem,
  unit_price: '50.00',
  original_amount: '100.00',
  coupon_discount: '4.00',
  snapshot: {
    goods_id: 7,
    spec_id: 3,
    custom_value: null,
    name: 'Genshin Impact',
    image: '/media/genshin.webp',
    face_value: '¥50',
    unit_price: '50.00',
    fields: [],
  },
  coupon: { id: 1, name: 'Welcome' },
  timeline: [{ at: iso(0), kind: 'created', text: 'Order placed' }],
  payment: null,
  refund: null,
  disputed: false,
  refunded_amount: '0.00',
  refunds: [],
  cards_count: 0,
  paid_at: null,
  finished_at: null,
};

const paid = {
  payment: { method: 'balance', name: 'Wallet', payment_no: null, amount: '96.00', paid_at: iso(1_000) },
  paid_at: iso(1_000),
};
export const finished: OrderInfo = {
  ...unpaid,
  ...paid,
  status: 30,
  delivery_status: 20,
  cards_count: 2,
  finished_at: iso(1_000),
  actions: { ...none, reveal: true, delete: true },
};
export const processing: OrderInfo = {
  ...unpaid,
  ...paid,
  status: 12,
  delivery_status: 10,
  recharge_type: 4,
  actions: { ...none, refund: true },
};
export const onHold: OrderInfo = {
  ...processing,
  recharge_type: 1,
  held: { until: iso(30 * 60_000), minutes: 30 },
  timeline: [...processing.timeline, { at: iso(2_000), kind: 'held', text: 'Checking the payment' }],
};
export const closed: OrderInfo = {
  ...unpaid,
  closed_at: iso(0),
  close_reason: 1,
  actions: { ...none, delete: true },
};

export const methods = [
  { code: 'balance', name: 'Wallet balance', fee: '0.00', enabled: true, reason: '' },
  { code: 'sandbox', name: 'Cashier', fee: '0.00', enabled: true, reason: '' },
];
/** The answer to "Buy again". */
export const again = {
  goods_id: 7,
  spec_id: 3,
  custom_value: null,
  quantity: 2,
  fields: { uid: '100000001' },
  available: true,
  need_verify_account: false,
};
export const questioned: OrderInfo = {
  ...processing,
  timeline: [...processing.timeline, { at: iso(2_000), kind: 'asked', text: 'We have a question: which server?' }],
};
