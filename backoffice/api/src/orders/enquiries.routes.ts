import type { DomainOptions } from '@shop/server/context';
import { staffActor } from '@shop/server/platform/audit/audit';
import { ofLines } from '@shop/server/platform/http/body-validator';
import { ShopError } from '@shop/server/platform/http/errors';
import { IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { maskEmail, maskPhone } from '@shop/shared/domain/mask-phone';
import { type Static, Type } from 'typebox';
import { ByIdSchema, callFor } from '../calls';
import { record } from '../people/record';

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

const columns = Object.keys(EnquirySchema.properties).join(', ');
const call = callFor('enquiries');

export const enquiryCalls = ({ context: { db } }: DomainOptions) => ({
  /** Open enquiries, oldest first; with `all` also closed ones, newest first. */
  'GET enquiries': call({ query: EnquiriesQuerySchema, answer: Type.Array(EnquirySchema) }, async ({ query }) => {
    const rows = await db.rows<StaffEnquiry>(
      `select ${columns}
         from business_enquiries where $1 or closed_at is null order by (closed_at is null) desc, case when $1 then -id else id end limit 200`,
      [query.all ?? false],
    );
    await record(db, { action: 'enquiry.list', detail: { enquiries: rows.map(({ id }) => id) } });
    return rows.map((enquiry) => ({
      ...enquiry,
      phone: maskPhone(enquiry.phone),
      email: maskEmail(enquiry.email),
    }));
  }),
  'GET enquiries/:id': call({ params: ByIdSchema, answer: EnquirySchema }, async ({ params }) => {
    const enquiry = await db.row<StaffEnquiry>(`select ${columns} from business_enquiries where id = $1`, [params.id]);
    if (!enquiry) throw new ShopError(ErrorCode.NotFound);
    await record(db, { action: 'enquiry.view', subject: String(params.id) });
    return enquiry;
  }),
  /** `answer` is the reply, or the reason why there was none. */
  'POST enquiries/close': call({ body: CloseEnquiryBodySchema }, ({ body: { id, answer } }) =>
    db.withTransaction(async (sql) => {
      const closed = await sql.run(
        'update business_enquiries set closed_at = clock_timestamp(), closed_by = $2, answer = $3 where id = $1 and closed_at is null',
        [id, staffActor().actor, answer],
      );
      if (!closed) throw new ShopError(ErrorCode.NotFound);
      await record(sql, { action: 'enquiry.close', subject: String(id), detail: { answer } });
    }),
  ),
});
