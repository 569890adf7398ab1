import { type Static, Type } from 'typebox';
import { CurrencySchema, CursorQuery, MoneySchema, Paged, TimeSchema } from '../platform/http/schemas';

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
