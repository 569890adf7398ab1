import { ErrorCode } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import { closeEnquiry, type EnquiryRow, listEnquiries, openEnquiry } from '../content/enquiries.service';
import type { DomainOptions } from '../context';
import { ofLines } from '../platform/http/body-validator';
import { ok } from '../platform/http/envelope';
import { ShopError } from '../platform/http/errors';
import { maskEmail, maskPhone } from '../platform/http/mask-phone';
import type { App } from '../platform/http/request';
import { answer, IdSchema, Nullable, TimeSchema } from '../platform/http/schemas';
import { StaffDoneSchema } from './staff.schemas';
import { serves } from './staff-access';

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
const CloseBodySchema = Type.Object({
  id: IdSchema,
  answer: Type.String({ minLength: 1, maxLength: 2000, ...ofLines }),
});
const QuerySchema = Type.Object({ all: Type.Optional(Type.Boolean()) });

const seller = serves('seller');

/** What businesses have asked. */
export function enquiryRoutes(app: App, { context: { db } }: Pick<DomainOptions, 'context'>): void {
  app.get(
    '/staff/api/enquiries',
    { ...seller, schema: { querystring: QuerySchema, response: answer(Type.Array(EnquirySchema)) } },
    async (request) => ok(request, (await listEnquiries(db, request.query.all ?? false)).map(toListed)),
  );
  app.get(
    '/staff/api/enquiries/:id',
    { ...seller, schema: { params: Type.Object({ id: IdSchema }), response: answer(EnquirySchema) } },
    async (request) => {
      const row = await openEnquiry(db, request.params.id);
      if (!row) throw new ShopError(ErrorCode.NotFound);
      return ok(request, toEnquiry(row));
    },
  );
  app.post(
    '/staff/api/enquiries/close',
    { ...seller, schema: { body: CloseBodySchema, response: answer(StaffDoneSchema) } },
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
