import { closeEnquiry, type EnquiryRow, listEnquiries, openEnquiry } from '@shop/server/content/enquiries.service';
import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import { ShopError } from '@shop/server/platform/http/errors';
import { maskEmail, maskPhone } from '@shop/server/platform/http/mask-phone';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { Type } from 'typebox';
import {
  CloseEnquiryBodySchema,
  EnquiriesQuerySchema,
  EnquiryParamsSchema,
  EnquirySchema,
  type StaffEnquiry,
} from './enquiries.schemas';
import { StaffDoneSchema } from './staff.schemas';
import { serves } from './staff-access';

const seller = serves('seller');

/** What businesses have asked. */
export function enquiryRoutes(app: App, { context: { db } }: Pick<DomainOptions, 'context'>): void {
  app.get(
    '/staff/api/enquiries',
    { ...seller, schema: { querystring: EnquiriesQuerySchema, response: answer(Type.Array(EnquirySchema)) } },
    async (request) => ok(request, (await listEnquiries(db, request.query.all ?? false)).map(toListed)),
  );
  app.get(
    '/staff/api/enquiries/:id',
    { ...seller, schema: { params: EnquiryParamsSchema, response: answer(EnquirySchema) } },
    async (request) => {
      const row = await openEnquiry(db, request.params.id);
      if (!row) throw new ShopError(ErrorCode.NotFound);
      return ok(request, toEnquiry(row));
    },
  );
  app.post(
    '/staff/api/enquiries/close',
    { ...seller, schema: { body: CloseEnquiryBodySchema, response: answer(StaffDoneSchema) } },
    async (request) => {
      const { id, answer: text } = request.body;
      if (!(await db.withTransaction((sql) => closeEnquiry(sql, id, text)))) throw new ShopError(ErrorCode.NotFound);
      return ok(request, { done: true });
    },
  );
}

const toEnquiry = (row: EnquiryRow): StaffEnquiry => ({
  ...row,
  created_at: row.created_at.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
});

const toListed = (row: EnquiryRow): StaffEnquiry =>
  toEnquiry({ ...row, phone: maskPhone(row.phone), email: maskEmail(row.email) });
