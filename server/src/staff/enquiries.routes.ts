import { ErrorCode } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import { closeEnquiry, type EnquiryRow, listEnquiries } from '../content/enquiries.service';
import type { DomainOptions } from '../context';
import { ofLines } from '../http/body-validator';
import { ok } from '../http/envelope';
import { ShopError } from '../http/errors';
import type { App } from '../http/request';
import { answer, IdSchema, Nullable, TimeSchema } from '../http/schemas';
import { StaffDoneSchema } from './staff.schemas';
import { serves } from './staff-access';

const EnquirySchema = Type.Object({
  id: Type.Integer(),
  created_at: TimeSchema,
  company: Type.String(),
  contact: Type.String(),
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
export function enquiryRoutes(app: App, { context: { db }, reads }: Pick<DomainOptions, 'context' | 'reads'>): void {
  app.get(
    '/staff/api/enquiries',
    { ...seller, schema: { querystring: QuerySchema, response: answer(Type.Array(EnquirySchema)) } },
    async (request) => ok(request, (await listEnquiries(reads, request.query.all ?? false)).map(toEnquiry)),
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
