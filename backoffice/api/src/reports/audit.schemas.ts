import { IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';
import { DaySchema } from './reports.schemas';

export const AuditQuerySchema = Type.Object({
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
export const AuditPageSchema = Type.Object({
  entries: Type.Array(AuditEntrySchema),
  next: Nullable(Type.Integer()),
});
export type StaffAuditPage = Static<typeof AuditPageSchema>;
