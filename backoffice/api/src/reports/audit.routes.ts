import type { DomainOptions } from '@shop/server/context';
import type { Sql } from '@shop/server/platform/db/sql';
import { DaySchema } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { maskPhone } from '@shop/shared/domain/mask-phone';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { endOfDay, instantOf } from '@shop/shared/domain/time-zone';
import { type Static, Type } from 'typebox';
import { callFor, type Sent } from '../calls';
import { record } from '../people/record';
import { staffName } from '../people/staff-sessions.service';

const AuditQuerySchema = Type.Object({
  user: Type.Optional(Type.String({ maxLength: 100 })),
  /** The part of an action before its dot. */
  kind: Type.Optional(Type.String({ pattern: '^[a-z-]{1,30}$' })),
  from: Type.Optional(DaySchema),
  to: Type.Optional(DaySchema),
  before: Type.Optional(IdSchema),
});
export type AuditQuery = Static<typeof AuditQuerySchema>;

const FieldsSchema = Type.Record(Type.String(), Type.Unknown());
const AuditEntrySchema = Type.Object({
  id: Type.Integer(),
  at: TimeSchema,
  actor: Type.String(),
  action: Type.String(),
  subject: Type.String(),
  user_id: Nullable(Type.Integer()),
  network: Nullable(Type.String()),
  before: Nullable(FieldsSchema),
  after: Nullable(FieldsSchema),
  detail: FieldsSchema,
});
export type StaffAuditEntry = Static<typeof AuditEntrySchema>;
const AuditPageSchema = Type.Object({
  entries: Type.Array(AuditEntrySchema),
  next: Nullable(Type.Integer()),
});
export type StaffAuditPage = Static<typeof AuditPageSchema>;

const PAGE = 50;
type Row = Omit<Sent<StaffAuditEntry>, 'before' | 'after' | 'subject'> & { subject: string };

export const auditCalls = ({ context: { db, config }, reads }: DomainOptions) => ({
  'GET audit': callFor('audit')({ query: AuditQuerySchema, answer: AuditPageSchema }, async ({ query }) => {
    const page = await auditPage(reads, query, config.timeZone);
    await record(db, { action: 'audit.view', detail: query });
    return page;
  }),
});

/** Days are those of the time zone. Throws WrongDays. Reads of the log itself appear only with their own filter: otherwise they would be most of the log. */
export async function auditPage(
  sql: Sql,
  { user, kind, from, to, before }: AuditQuery,
  zone: string,
): Promise<Sent<StaffAuditPage>> {
  const start = from ? instantOf(from, zone) : null;
  const stop = to ? endOfDay(to, zone) : null;
  for (const time of [start, stop])
    if (time && Number.isNaN(time.getTime())) throw new ShopError(StaffErrorCode.WrongDays);
  const rows = await sql.rows<Row>(
    `select id, at, actor, action, subject, user_id, network::text as network, detail from audit_log
      where actor <> 'user' and ($1::text[] is null or actor = any($1)) and (case when $2::text is null then action <> 'audit.view' else split_part(action, '.', 1) = $2 end)
        and ($3::timestamptz is null or at >= $3) and ($4::timestamptz is null or at < $4)
        and ($5::bigint is null or (at, id) < (select at, id from audit_log where id = $5))
      order by at desc, id desc limit ${PAGE + 1}`,
    [user ? [staffName(user), `${user} (ops)`] : null, kind ?? null, start, stop, before ?? null],
  );
  const entries = rows.slice(0, PAGE).map(toEntry);
  return { entries, next: rows.length > PAGE ? (entries.at(-1)?.id ?? null) : null };
}

/**
 * Phones and emails are masked here; the user's page shows them, with an audit entry. An email is matched only from the beginning
 * of a word, because a description may be one long word.
 */
const masked = (text: string) =>
  text
    .replace(/(?<!\d)(?:1[3-9]\d{9}|\+\d{8,15})(?!\d)/g, maskPhone)
    .replace(/(?<![\w.+-])([\w.+-]{1,2})[\w.+-]*(@[\w-]+(?:\.[\w-]+)+)/g, '$1***$2');

function toEntry({ detail, subject, ...row }: Row): Sent<StaffAuditEntry> {
  const { before, after, ...rest } = JSON.parse(masked(JSON.stringify(detail))) as Record<string, unknown>;
  const isFields = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);
  return {
    ...row,
    subject: masked(subject),
    before: isFields(before) ? (before as StaffAuditEntry['before']) : null,
    after: isFields(after) ? (after as StaffAuditEntry['after']) : null,
    detail: rest,
  };
}
