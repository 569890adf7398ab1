import { closeEnquiry, type EnquiryRow, listEnquiries, openEnquiry } from '@shop/server/content/enquiries.service';
import type { DomainOptions } from '@shop/server/context';
import { ShopError } from '@shop/server/platform/http/errors';
import { maskEmail, maskPhone } from '@shop/server/platform/http/mask-phone';
import type { App } from '@shop/server/platform/http/request';
import { ErrorCode } from '@shop/shared/domain';
import { Type } from 'typebox';
import { callsFor } from './calls';
import {
  CloseEnquiryBodySchema,
  EnquiriesQuerySchema,
  EnquiryParamsSchema,
  EnquirySchema,
  type StaffEnquiry,
} from './enquiries.schemas';

/** What businesses have asked. */
export function enquiryRoutes(app: App, { context: { db } }: DomainOptions): void {
  const { get, post } = callsFor(app, 'seller');
  get('enquiries', { query: EnquiriesQuerySchema, answer: Type.Array(EnquirySchema) }, async ({ query }) =>
    (await listEnquiries(db, query.all ?? false)).map(toListed),
  );
  get('enquiries/:id', { params: EnquiryParamsSchema, answer: EnquirySchema }, async ({ params }) => {
    const row = await openEnquiry(db, params.id);
    if (!row) throw new ShopError(ErrorCode.NotFound);
    return toEnquiry(row);
  });
  post('enquiries/close', { body: CloseEnquiryBodySchema }, async ({ body: { id, answer } }) => {
    if (!(await db.withTransaction((sql) => closeEnquiry(sql, id, answer)))) throw new ShopError(ErrorCode.NotFound);
  });
}

const toEnquiry = (row: EnquiryRow): StaffEnquiry => ({
  ...row,
  created_at: row.created_at.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
});

const toListed = (row: EnquiryRow): StaffEnquiry =>
  toEnquiry({ ...row, phone: maskPhone(row.phone), email: maskEmail(row.email) });
