import { type Static, Type } from 'typebox';
import { OnlinePaymentSchema } from '../payments/payments.schemas';
import {
  CurrencySchema,
  CursorQuery,
  MoneySchema,
  NUMBER_CURSOR,
  Nullable,
  NumberSchema,
  Paged,
  TimeSchema,
} from '../platform/http/schemas';

export const BalanceLogQuerySchema = Type.Object({
  /** 0 buy, 1 recharge, 2 refund, 3 deduction, 4 freeze and 5 thaw. */
  type: Type.Optional(Type.Integer({ minimum: 0, maximum: 8 })),
  /** ISO time or YYYY-MM-DD; a date as the end is inclusive. */
  start: Type.Optional(Type.String({ maxLength: 40 })),
  end: Type.Optional(Type.String({ maxLength: 40 })),
  ...CursorQuery('^\\d{1,15}$').properties,
});
export type BalanceLogQuery = Static<typeof BalanceLogQuerySchema>;
const BalanceLogItemSchema = Type.Object({
  id: Type.Integer(),
  type: Type.Integer(),
  /** Signed. */
  amount: MoneySchema,
  balance_after: MoneySchema,
  frozen_after: MoneySchema,
  currency: CurrencySchema,
  order_no: Type.Optional(Type.String()),
  recharge_no: Type.Optional(Type.String()),
  remark: Type.String(),
  created_at: TimeSchema,
});
export type BalanceLogItem = Static<typeof BalanceLogItemSchema>;
export const BalanceLogSchema = Type.Object({
  ...Paged(BalanceLogItemSchema).properties,
  /** Sums of the whole filtered range; expense is unsigned. */
  summary: Type.Object({ income: MoneySchema, expense: MoneySchema }),
});
export type BalanceLog = Static<typeof BalanceLogSchema>;
export const balanceLogCall = { query: BalanceLogQuerySchema, data: BalanceLogSchema };

export const RechargeOptionsSchema = Type.Object({
  currency: CurrencySchema,
  amounts: Type.Array(MoneySchema),
  min: MoneySchema,
  max: MoneySchema,
  day_left: MoneySchema,
});
export type RechargeOptions = Static<typeof RechargeOptionsSchema>;

export const RechargeCreateBodySchema = Type.Object({
  amount: Type.String({ pattern: '^\\d{1,9}(\\.\\d{1,2})?$' }),
  method: Type.String({ minLength: 1, maxLength: 20, pattern: '^[a-z]+$' }),
});
export type RechargeCreateBody = Static<typeof RechargeCreateBodySchema>;
export const RechargeCreatedSchema = Type.Object({
  recharge_no: Type.String(),
  amount: MoneySchema,
  currency: CurrencySchema,
  ...OnlinePaymentSchema.properties,
});
export type RechargeCreated = Static<typeof RechargeCreatedSchema>;
export const rechargeCreateCall = { body: RechargeCreateBodySchema, data: RechargeCreatedSchema };

export const RechargeListQuerySchema = CursorQuery(NUMBER_CURSOR);
export type RechargeListQuery = Static<typeof RechargeListQuerySchema>;
const RechargeSchema = Type.Object({
  recharge_no: Type.String(),
  amount: MoneySchema,
  currency: CurrencySchema,
  method: Type.String(),
  /** pending | paid | closed */
  state: Type.String(),
  created_at: TimeSchema,
  paid_at: Nullable(TimeSchema),
});
export type Recharge = Static<typeof RechargeSchema>;
export const RechargeInfoSchema = Type.Object({
  ...RechargeSchema.properties,
  payment_no: Nullable(Type.String()),
  /** Returned to the payment method. */
  refunded_amount: MoneySchema,
});
export type RechargeInfo = Static<typeof RechargeInfoSchema>;
export const rechargeInfoCall = { query: Type.Object({ recharge_no: NumberSchema }), data: RechargeInfoSchema };
export const RechargePageSchema = Paged(RechargeSchema);
export const rechargeListCall = { query: RechargeListQuerySchema, data: RechargePageSchema };
