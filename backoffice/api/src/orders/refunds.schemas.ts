import { ofLines } from '@shop/server/platform/http/body-validator';
import { IdSchema, NumberSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

export const reasonSchema = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', ...ofLines });
/** The same key again is the same refund or action. */
export const keySchema = Type.String({ pattern: '^[\\w-]{8,40}$' });

/** Confirmations by staff; a refund is refused without those that it needs. */
export const refundAnswers = {
  /** The supplier has confirmed by other means that it did not and will not deliver. */
  not_delivered: Type.Optional(Type.Boolean()),
  /** The refund is wanted although the buyer has viewed the codes. */
  revealed_ok: Type.Optional(Type.Boolean()),
};

export const StaffRefundBodySchema = Type.Object({
  order_no: NumberSchema,
  /** Absent, without units: the rest of the order. */
  amount: Type.Optional(Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,2})?$' })),
  /** Refunded units; without an amount at their share of the paid amount. */
  quantity: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Ids of the codes of those units; they determine the quantity. */
  codes: Type.Optional(Type.Array(IdSchema, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  target: Type.Union([Type.Literal('wallet'), Type.Literal('source')]),
  reason: reasonSchema,
  key: keySchema,
  ...refundAnswers,
});
export type StaffRefundBody = Static<typeof StaffRefundBodySchema>;

export const AgreeBodySchema = Type.Object({ id: IdSchema, ...refundAnswers });
export type AgreeBody = Static<typeof AgreeBodySchema>;
