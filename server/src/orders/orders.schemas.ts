import { type Static, Type } from 'typebox';
import { FieldValuesSchema } from '../catalogue/catalogue.schemas';
import { PreviewCouponSchema, PreviewOfferSchema } from '../coupons/coupons.schemas';
import { anyText, ofLines } from '../platform/http/body-validator';
import {
  CurrencySchema,
  CursorQuery,
  IdSchema,
  MoneySchema,
  NUMBER_CURSOR,
  Nullable,
  NumberSchema,
  Paged,
  TimeSchema,
} from '../platform/http/schemas';

/** Exactly one of spec_id and custom_value; at most one of user_coupon_id and coupon (default "best"). */
const selection = {
  goods_id: IdSchema,
  spec_id: Type.Optional(IdSchema),
  custom_value: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  user_coupon_id: Type.Optional(IdSchema),
  coupon: Type.Optional(Type.Union([Type.Literal('best'), Type.Literal('none')])),
};
export const OrderPreviewBodySchema = Type.Object(selection);
export type OrderPreviewBody = Static<typeof OrderPreviewBodySchema>;

export const OrderPreviewSchema = Type.Object({
  currency: CurrencySchema,
  /** Price after the quantity step and the shopper's level; of a custom value the list price. */
  unit_price: MoneySchema,
  list_price: Type.Optional(MoneySchema),
  quantity: Type.Integer(),
  /** After step and level, before the coupon. */
  original_amount: MoneySchema,
  coupon_discount: MoneySchema,
  total_amount: MoneySchema,
  /** kind: 'goods' (at the list price) | 'step' | 'level' | 'coupon' | 'total'; a discount is negative. */
  breakdown: Type.Array(Type.Object({ kind: Type.String(), label: Type.String(), amount: MoneySchema })),
  coupon: Nullable(PreviewCouponSchema),
  available: Type.Array(PreviewCouponSchema),
  /** reason is text in the request's language, code the error code behind it (CouponNotValidNow to CouponInUnpaidOrder). */
  unavailable: Type.Array(
    Type.Object({ ...PreviewCouponSchema.properties, reason: Type.String(), code: Type.Integer() }),
  ),
  offer: Nullable(PreviewOfferSchema),
  balance: MoneySchema,
  balance_enough: Type.Boolean(),
  price_version: Type.String(),
});
export type OrderPreview = Static<typeof OrderPreviewSchema>;
export const previewCall = { body: OrderPreviewBodySchema, data: OrderPreviewSchema };

export const OrderCreateBodySchema = Type.Object({
  ...selection,
  fields: Type.Optional(FieldValuesSchema),
  price_version: Type.String({ minLength: 1, maxLength: 80 }),
  validation_token: Type.Optional(Type.String({ maxLength: 400 })),
});
export type OrderCreateBody = Static<typeof OrderCreateBodySchema>;
export const OrderCreatedSchema = Type.Object({
  order_no: Type.String(),
  status: Type.Integer(),
  delivery_status: Type.Integer(),
  total_amount: MoneySchema,
  currency: CurrencySchema,
  expire_at: TimeSchema,
  server_time: TimeSchema,
});
export type OrderCreated = Static<typeof OrderCreatedSchema>;
export const createCall = { body: OrderCreateBodySchema, data: OrderCreatedSchema };

const OrderTabSchema = Type.Enum(['all', 'unpaid', 'processing', 'finished', 'refunded', 'closed']);
export type OrderTab = Static<typeof OrderTabSchema>;
export const OrderListQuerySchema = Type.Object({
  tab: Type.Optional(OrderTabSchema),
  keyword: Type.Optional(Type.String({ maxLength: 60 })),
  ...CursorQuery(NUMBER_CURSOR).properties,
});
export type OrderListQuery = Static<typeof OrderListQuerySchema>;

const OrderActionsSchema = Type.Object({
  pay: Type.Boolean(),
  cancel: Type.Boolean(),
  delete: Type.Boolean(),
  refund: Type.Boolean(),
  again: Type.Boolean(),
  reveal: Type.Boolean(),
});
export type OrderActions = Static<typeof OrderActionsSchema>;

/** The goods of an order as its buyer saw them. */
const shownGoods = {
  goods_id: Type.Integer(),
  name: Type.String(),
  image: Type.String(),
  face_value: Type.String(),
};
const state = {
  order_no: Type.String(),
  /** 10 unpaid (closed when closed_at is set), 12 paid, 30 finished, 60 refunded. */
  status: Type.Integer(),
  /** 0 unpaid, 10 to deliver, 20 delivered. */
  delivery_status: Type.Integer(),
  closed_at: Nullable(TimeSchema),
  /** 0 open, 1 timeout, 2 user, 3 risk. */
  close_reason: Type.Integer(),
  /** none | requested | refunded | refused */
  refund_state: Type.String(),
  server_time: TimeSchema,
};
const head = {
  ...state,
  recharge_type: Type.Integer(),
  currency: CurrencySchema,
  total_amount: MoneySchema,
  quantity: Type.Integer(),
  created_at: TimeSchema,
  expire_at: TimeSchema,
  /** A paid order on hold for review: the latest end, and how many minutes that is after the payment. */
  held: Nullable(Type.Object({ until: TimeSchema, minutes: Type.Integer() })),
  actions: OrderActionsSchema,
};
const OrderListItemSchema = Type.Object({ ...head, ...shownGoods });
export type OrderListItem = Static<typeof OrderListItemSchema>;
export const OrderPageSchema = Paged(OrderListItemSchema);
export type OrderPage = Static<typeof OrderPageSchema>;
export const listCall = { query: OrderListQuerySchema, data: OrderPageSchema };

const OrderTimelineSchema = Type.Object({
  at: TimeSchema,
  /**
   * created | paid | paid_late | held | released | delivering | delivered | closed | asked | answered | refund_requested | refund_refused | refunded | refunded_source |
   * refunded_part | refunded_part_source | refund_returned | disputed | dispute_won | dispute_lost
   */
  kind: Type.String(),
  text: Type.String(),
});
export type OrderTimeline = Static<typeof OrderTimelineSchema>;
export const OrderInfoSchema = Type.Object({
  ...head,
  /** True for an unpaid order that is delivered later by a shop that sends notices. */
  tells: Type.Optional(Type.Boolean()),
  unit_price: MoneySchema,
  /** Present if a step or a level applied: the amount at the list price, and each reduction as a negative amount. */
  price: Type.Optional(
    Type.Object({
      list_amount: MoneySchema,
      parts: Type.Array(Type.Object({ kind: Type.String(), label: Type.String(), amount: MoneySchema })),
    }),
  ),
  original_amount: MoneySchema,
  coupon_discount: MoneySchema,
  snapshot: Type.Object({
    ...shownGoods,
    spec_id: Nullable(Type.Integer()),
    custom_value: Nullable(Type.Integer()),
    unit_price: MoneySchema,
    /** Secrets and phones are masked. */
    fields: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), value: Type.String() })),
  }),
  coupon: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
  timeline: Type.Array(OrderTimelineSchema),
  payment: Nullable(
    Type.Object({
      /** balance, sandbox, wechat, alipay, stripe */
      method: Type.String(),
      name: Type.String(),
      payment_no: Nullable(Type.String()),
      amount: MoneySchema,
      paid_at: TimeSchema,
    }),
  ),
  /** Money that a provider reported when the order could no longer be paid; it went to the wallet. */
  late_payment: Type.Optional(Type.Object({ amount: MoneySchema, at: TimeSchema })),
  refund: Nullable(
    Type.Object({
      /** requested | refunded | refused */
      state: Type.String(),
      amount: MoneySchema,
      reason: Type.String(),
      requested_at: Nullable(TimeSchema),
      refunded_at: Nullable(TimeSchema),
    }),
  ),
  /** The payer's bank disputes the payment; codes and refunds are blocked. */
  disputed: Type.Boolean(),
  refunded_amount: MoneySchema,
  refunds: Type.Array(
    Type.Object({
      refund_no: Type.String(),
      amount: MoneySchema,
      quantity: Type.Integer(),
      /** wallet | source (where the payment came from) */
      target: Type.String(),
      /** done | pending | returned (the payout failed, and the wallet has the money) */
      state: Type.String(),
      at: TimeSchema,
    }),
  ),
  cards_count: Type.Integer(),
  paid_at: Nullable(TimeSchema),
  finished_at: Nullable(TimeSchema),
});
export type OrderInfo = Static<typeof OrderInfoSchema>;
export const infoCall = { query: Type.Object({ order_no: NumberSchema }), data: OrderInfoSchema };

export const OrderNoBodySchema = Type.Object({ order_no: NumberSchema });
export type OrderNoBody = Static<typeof OrderNoBodySchema>;
export const RefundApplyBodySchema = Type.Object({
  order_no: NumberSchema,
  reason: Type.Optional(Type.String({ maxLength: 200, ...ofLines })),
});
export const OrderAnswerBodySchema = Type.Object({
  order_no: NumberSchema,
  answer: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', ...ofLines }),
});
export const OrderStateSchema = Type.Object(state);
export type OrderState = Static<typeof OrderStateSchema>;
export const answerCall = { body: OrderAnswerBodySchema, data: OrderStateSchema };
export const refundApplyCall = { body: RefundApplyBodySchema, data: OrderStateSchema };
export const stateCall = { body: OrderNoBodySchema, data: OrderStateSchema };
export const OrderAgainSchema = Type.Object({
  order_no: Type.String(),
  goods_id: Type.Integer(),
  spec_id: Nullable(Type.Integer()),
  custom_value: Nullable(Type.Integer()),
  quantity: Type.Integer(),
  /** Values that may be stored; secrets are left out. */
  fields: Type.Record(Type.String(), Type.String()),
  available: Type.Boolean(),
  need_verify_account: Type.Boolean(),
  server_time: TimeSchema,
});
export type OrderAgain = Static<typeof OrderAgainSchema>;
export const againCall = { body: OrderNoBodySchema, data: OrderAgainSchema };

export const RecentOrderSchema = Type.Object({
  order_no: Type.String(),
  ...shownGoods,
  quantity: Type.Integer(),
  /** The account that was topped up, with phones masked; empty if there is none. */
  account: Type.String(),
  /** Current price without a coupon; null if it is not offered. */
  price: Nullable(MoneySchema),
  currency: CurrencySchema,
  available: Type.Boolean(),
});
export type RecentOrder = Static<typeof RecentOrderSchema>;

const OrderNoticeSchema = Type.Object({
  id: Type.Integer(),
  order_no: Type.String(),
  kind: Type.String(),
  text: Type.String(),
  name: Type.String(),
  image: Type.String(),
  at: TimeSchema,
  read: Type.Boolean(),
});
export type OrderNotice = Static<typeof OrderNoticeSchema>;
/** The latest 50 of 90 days. */
export const OrderNoticesSchema = Type.Object({ list: Type.Array(OrderNoticeSchema), unread: Type.Integer() });
export type OrderNotices = Static<typeof OrderNoticesSchema>;
export const readNoticesCall = {
  body: Type.Object({ last_id: IdSchema }),
  data: Type.Object({ unread: Type.Integer() }),
};

export const OrderCardsQuerySchema = Type.Object({ format: Type.Optional(Type.Literal('txt')) });
export const OrderCardsBodySchema = Type.Object({
  order_no: NumberSchema,
  password: Type.Optional(Type.String({ maxLength: 128, ...anyText })),
  verify: Type.Optional(Type.String({ maxLength: 12 })),
  format: Type.Optional(Type.Literal('txt')),
});
export type OrderCardsBody = Static<typeof OrderCardsBodySchema>;
export const OrderCardsSchema = Type.Object({
  cards: Type.Array(
    Type.Object({
      id: Type.Integer(),
      card_no: Type.String(),
      card_pwd: Type.String(),
      expire_at: Nullable(TimeSchema),
      /** card_no is a text of several lines, the same for all buyers of the value. */
      is_text: Type.Optional(Type.Boolean()),
    }),
  ),
  redeem: Type.Array(Type.String()),
});
export type OrderCards = Static<typeof OrderCardsSchema>;
