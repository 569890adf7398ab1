import { IdSchema, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { type Static, type TSchema, Type } from 'typebox';

export const EditKeySchema = Type.String({ pattern: '^[\\w.+-]{1,60}$' });
type Fields = Record<string, unknown>;
const RevisionSchema = Type.String({ minLength: 1, maxLength: 40 });

export const EditParamsSchema = Type.Object({ key: Type.String() });
export const EditedSchema = Type.Object({ value: Type.Unknown(), revision: RevisionSchema });
export const EditBodySchema = <T extends TSchema>(value: T) =>
  Type.Object({ key: EditKeySchema, revision: Nullable(RevisionSchema), value });
export const PutBackBodySchema = Type.Object({ key: EditKeySchema, revision: RevisionSchema, entry: IdSchema });
export const HistorySchema = Type.Array(
  Type.Object({
    id: Type.Integer(),
    at: TimeSchema,
    by: Type.String(),
    /** null: it was made. */
    before: Type.Unsafe<Fields | null>(Type.Unknown()),
    after: Type.Unsafe<Fields>(Type.Unknown()),
    /** The entry whose `before` this one has put back. */
    put_back: Nullable(Type.Integer()),
  }),
);
export type HistoryEntry = Static<typeof HistorySchema>[number];

/** What the page gets of something that is edited. */
export interface StaffEdited<T> {
  value: T;
  revision: string;
}
/** Data of EditConflict. */
export interface StaffEditConflict<T> extends StaffEdited<T> {
  /** Who changed it last; empty where a command did. */
  by: string;
  at: string | null;
}
