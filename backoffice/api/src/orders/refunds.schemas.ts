import { ofLines } from '@shop/server/platform/http/body-validator';
import { IdSchema, NumberSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

export const reasonSchema = Type.String({ minLength: 1, maxLength: 500, pattern: '\\S', ...ofLines });
/** The same key again is the same refund or act. */
export const keySchema = Type.String({ pattern: '^[\\w-]{8,40}$' });

/** What staff say to the questions that a refund is refused with. */
export const refundAnswers = {
  /** The supplier has confirmed by other means that it did not and will not deliver. */
  not_delivered: Type.Optional(Type.Boolean()),
  /** Although the buyer has seen the codes. */
  revealed_ok: Type.Optional(Type.Boolean()),
};

export const StaffRefundBodySchema = Type.Object({
  order_no: NumberSchema,
  /** All that is left without it and without units. */
  amount: Type.Optional(Type.String({ pattern: '^\\d{1,10}(\\.\\d{1,2})?$' })),
  /** Units that come back; without an amount at their share of what was paid. */
  quantity: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Which of its codes those units are, by their ids; the quantity is theirs. */
  codes: Type.Optional(Type.Array(IdSchema, { minItems: 1, maxItems: 1000, uniqueItems: true })),
  target: Type.Union([Type.Literal('wallet'), Type.Literal('source')]),
  reason: reasonSchema,
  key: keySchema,
  ...refundAnswers,
});
export type StaffRefundBody = Static<typeof StaffRefundBodySchema>;

export const RefundIdBodySchema = Type.Object({ id: IdSchema });
export const AgreeBodySchema = Type.Object({ id: IdSchema, ...refundAnswers });
export type AgreeBody = Static<typeof AgreeBodySchema>;
