import { closeEnquiry, type EnquiryRow, listEnquiries, openEnquiry } from '@shop/server/content/enquiries.service';
import type { DomainOptions } from '@shop/server/context';
import { ShopError } from '@shop/server/platform/http/errors';
import { maskEmail, maskPhone } from '@shop/server/platform/http/mask-phone';
import { ErrorCode } from '@shop/shared/domain';
import { Type } from 'typebox';
import { callFor } from '../calls';
import {
  CloseEnquiryBodySchema,
  EnquiriesQuerySchema,
  EnquiryParamsSchema,
  EnquirySchema,
  type StaffEnquiry,
} from './enquiries.schemas';

const call = callFor('enquiries');

export const enquiryCalls = ({ context: { db } }: DomainOptions) => ({
  'GET enquiries': call({ query: EnquiriesQuerySchema, answer: Type.Array(EnquirySchema) }, async ({ query }) =>
    (await listEnquiries(db, query.all ?? false)).map(toListed),
  ),
  'GET enquiries/:id': call({ params: EnquiryParamsSchema, answer: EnquirySchema }, async ({ params }) => {
    const row = await openEnquiry(db, params.id);
    if (!row) throw new ShopError(ErrorCode.NotFound);
    return toEnquiry(row);
  }),
  'POST enquiries/close': call({ body: CloseEnquiryBodySchema }, async ({ body: { id, answer } }) => {
    if (!(await db.withTransaction((sql) => closeEnquiry(sql, id, answer)))) throw new ShopError(ErrorCode.NotFound);
  }),
});

const toEnquiry = (row: EnquiryRow): StaffEnquiry => ({
  ...row,
  created_at: row.created_at.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
});

const toListed = (row: EnquiryRow): StaffEnquiry =>
  toEnquiry({ ...row, phone: maskPhone(row.phone), email: maskEmail(row.email) });
