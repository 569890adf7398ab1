import { closeEnquiry, listEnquiries, openEnquiry } from '@shop/server/content/enquiries.service';
import type { DomainOptions } from '@shop/server/context';
import { ShopError } from '@shop/server/platform/http/errors';
import { maskEmail, maskPhone } from '@shop/server/platform/http/mask-phone';
import { ErrorCode } from '@shop/shared/domain';
import { Type } from 'typebox';
import { callFor } from '../calls';
import { CloseEnquiryBodySchema, EnquiriesQuerySchema, EnquiryParamsSchema, EnquirySchema } from './enquiries.schemas';

const call = callFor('enquiries');

export const enquiryCalls = ({ context: { db } }: DomainOptions) => ({
  'GET enquiries': call({ query: EnquiriesQuerySchema, answer: Type.Array(EnquirySchema) }, async ({ query }) =>
    (await listEnquiries(db, query.all ?? false)).map((enquiry) => ({
      ...enquiry,
      phone: maskPhone(enquiry.phone),
      email: maskEmail(enquiry.email),
    })),
  ),
  'GET enquiries/:id': call({ params: EnquiryParamsSchema, answer: EnquirySchema }, async ({ params }) => {
    const enquiry = await openEnquiry(db, params.id);
    if (!enquiry) throw new ShopError(ErrorCode.NotFound);
    return enquiry;
  }),
  'POST enquiries/close': call({ body: CloseEnquiryBodySchema }, async ({ body: { id, answer } }) => {
    if (!(await db.withTransaction((sql) => closeEnquiry(sql, id, answer)))) throw new ShopError(ErrorCode.NotFound);
  }),
});
