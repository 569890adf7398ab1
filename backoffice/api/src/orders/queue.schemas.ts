import { ofLines } from '@shop/server/platform/http/body-validator';
import { oneOf } from '@shop/server/platform/http/edit-schemas';
import { CurrencySchema, MoneySchema, Nullable, NumberSchema, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { keySchema, reasonSchema, refundAnswers } from './refunds.schemas';

const TextSchema = Type.String({ maxLength: 500, ...ofLines });

const QueueOrderSchema = Type.Object({
  order_no: Type.String(),
  kind: Type.Union([Type.Literal('deliver'), Type.Literal('refund'), Type.Literal('held')]),
  name: Type.String(),
  face_value: Type.String(),
  /** Units that are neither delivered nor refunded. */
  quantity: Type.Integer(),
  amount: MoneySchema,
  currency: CurrencySchema,
  recharge_type: Type.Integer(),
  delivered: Type.Boolean(),
  paid_at: TimeSchema,
  /** The end of the delivery promise or of the hold, or one day after a refund request. */
  due_at: TimeSchema,
  refund_reason: Type.String(),
  takes_codes: Type.Boolean(),
  fields: Type.Array(Type.Object({ key: Type.String(), label: Type.String(), value: Type.String() })),
  taken: Nullable(Type.Object({ by: Type.String(), mine: Type.Boolean(), until: TimeSchema })),
  /** `open`: the supplier may still deliver. */
  supplier: Nullable(
    Type.Object({
      state: Type.Union([Type.Literal('waiting'), Type.Literal('open'), Type.Literal('ended')]),
      tries: Type.Integer(),
      detail: Type.String(),
    }),
  ),
  disputed: Type.Boolean(),
  /** The reasons of the hold; null if the order is not on hold. */
  held: Nullable(Type.Array(oneOf(['amount', 'new-account', 'codes', 'country', 'network'] as const))),
  question: Nullable(Type.Object({ text: Type.String(), asked_at: TimeSchema, answered_at: Nullable(TimeSchema) })),
  codes_shown: Type.Integer(),
});
export type QueueOrder = Static<typeof QueueOrderSchema>;
export const QueueSchema = Type.Object({ server_time: TimeSchema, orders: Type.Array(QueueOrderSchema) });
export type Queue = Static<typeof QueueSchema>;

export const QueueOrderBodySchema = Type.Object({ order_no: NumberSchema });
export const AskBodySchema = Type.Object({
  order_no: NumberSchema,
  question: Type.String({ minLength: 1, maxLength: 300, pattern: '\\S', ...ofLines }),
});
export const FieldsSchema = Type.Object({ fields: Type.Record(Type.String(), Type.String()) });

const CodeSchema = Type.Object({
  card_no: Type.String({ minLength: 1, maxLength: 1000, pattern: '^\\P{Cc}*$' }),
  card_pwd: Type.String({ maxLength: 1000, pattern: '^\\P{Cc}*$' }),
});
export const DeliverBodySchema = Type.Object({
  order_no: NumberSchema,
  note: TextSchema,
  codes: Type.Optional(Type.Array(CodeSchema, { minItems: 1, maxItems: 100 })),
  /** Staff have asked the supplier by other means: it will not deliver too. */
  supplier_ok: Type.Optional(Type.Boolean()),
  /** Staff have confirmed that numbers which the shop has with another password are other codes. */
  same_numbers: Type.Optional(Type.Boolean()),
});
export type DeliverBody = Static<typeof DeliverBodySchema>;

export const RefuseBodySchema = Type.Object({
  order_no: NumberSchema,
  reason: reasonSchema,
  key: keySchema,
  ...refundAnswers,
});
export type RefuseBody = Static<typeof RefuseBodySchema>;
export const RefuseRefundBodySchema = Type.Object({ order_no: NumberSchema, reason: reasonSchema });
