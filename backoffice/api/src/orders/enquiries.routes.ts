import { closeEnquiry, listEnquiries, openEnquiry } from '@shop/server/content/enquiries.service';
import type { DomainOptions } from '@shop/server/context';
import { ofLines } from '@shop/server/platform/http/body-validator';
import { ShopError } from '@shop/server/platform/http/errors';
import { maskEmail, maskPhone } from '@shop/server/platform/http/mask-phone';
import { IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import { ByIdSchema, callFor } from '../calls';

const EnquirySchema = Type.Object({
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
const EnquiriesQuerySchema = Type.Object({ all: Type.Optional(Type.Boolean()) });

const call = callFor('enquiries');

export const enquiryCalls = ({ context: { db } }: DomainOptions) => ({
  'GET enquiries': call({ query: EnquiriesQuerySchema, answer: Type.Array(EnquirySchema) }, async ({ query }) =>
    (await listEnquiries(db, query.all ?? false)).map((enquiry) => ({
      ...enquiry,
      phone: maskPhone(enquiry.phone),
      email: maskEmail(enquiry.email),
    })),
  ),
  'GET enquiries/:id': call({ params: ByIdSchema, answer: EnquirySchema }, async ({ params }) => {
    const enquiry = await openEnquiry(db, params.id);
    if (!enquiry) throw new ShopError(ErrorCode.NotFound);
    return enquiry;
  }),
  'POST enquiries/close': call({ body: CloseEnquiryBodySchema }, async ({ body: { id, answer } }) => {
    if (!(await db.withTransaction((sql) => closeEnquiry(sql, id, answer)))) throw new ShopError(ErrorCode.NotFound);
  }),
});
