import { ofLines } from '@shop/server/platform/http/body-validator';
import { IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

export const EnquirySchema = Type.Object({
  id: Type.Integer(),
  created_at: TimeSchema,
  company: Type.String(),
  contact: Type.String(),
  /** Masked in the list; so is the email. */
  phone: Type.String(),
  email: Type.String(),
  type: Type.String(),
  content: Type.String(),
  closed_at: Nullable(TimeSchema),
  closed_by: Type.String(),
  answer: Type.String(),
});
export type StaffEnquiry = Static<typeof EnquirySchema>;
export const CloseEnquiryBodySchema = Type.Object({
  id: IdSchema,
  answer: Type.String({ minLength: 1, maxLength: 2000, ...ofLines }),
});
export const EnquiriesQuerySchema = Type.Object({ all: Type.Optional(Type.Boolean()) });

export const EnquiryParamsSchema = Type.Object({ id: IdSchema });
