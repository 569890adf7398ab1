import { InstantSchema } from '@shop/server/platform/http/edit-schemas';
import { IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, Type } from 'typebox';

export const AuditQuerySchema = Type.Object({
  /** A staff member's name. */
  user: Type.Optional(Type.String({ maxLength: 100 })),
  /** The part of an action before its dot. */
  kind: Type.Optional(Type.String({ pattern: '^[a-z-]{1,30}$' })),
  from: Type.Optional(InstantSchema),
  /** Not included. */
  to: Type.Optional(InstantSchema),
  /** Entries older than this one. */
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
  /** The shopper whom the entry concerns. */
  user_id: Nullable(Type.Integer()),
  network: Nullable(Type.String()),
  before: Nullable(FieldsSchema),
  after: Nullable(FieldsSchema),
  /** Additional data of the entry. */
  detail: FieldsSchema,
});
export type StaffAuditEntry = Static<typeof AuditEntrySchema>;
export const AuditPageSchema = Type.Object({
  entries: Type.Array(AuditEntrySchema),
  /** `before` of the next page. */
  next: Nullable(Type.Integer()),
});
export type StaffAuditPage = Static<typeof AuditPageSchema>;
