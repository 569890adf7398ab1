import { createHash } from 'node:crypto';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { canonicalJson } from '@shop/server/platform/http/canonical-json';
import { EditKeySchema } from '@shop/server/platform/http/edit-schemas';
import { fieldError, ShopError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { IdSchema, type Locale, Nullable } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { record } from '../people/record';

const RevisionSchema = Type.String({ minLength: 1, maxLength: 40 });

export const EditParamsSchema = Type.Object({ key: Type.String() });
export const EditBodySchema = <T extends TSchema>(value: T) =>
  Type.Object({ key: EditKeySchema, revision: Nullable(RevisionSchema), value });
export const PutBackBodySchema = Type.Object({ key: EditKeySchema, revision: RevisionSchema, entry: IdSchema });

/** An object that staff edit as a whole: plain JSON under a key. */
export interface Editable<T extends object> {
  /** Its entries in the audit log are `<kind>.edit` with the key as subject. */
  kind: string;
  /** Locks its row against changes that are no edits, such as orders; edits of one key wait for each other anyway. */
  lock?(sql: Sql, key: string): Promise<unknown>;
  /** Resolves to undefined for an unknown key. The value has no fields that orders change. */
  read(sql: Sql, key: string): Promise<T | undefined>;
  /** Checks rules that the schema cannot express: for each wrong field (`specs.0.key`) the rule of http/field-messages that it breaks. */
  faults?(sql: Sql, value: T, before: T | undefined): Promise<Record<string, string>>;
  write(sql: Sql, key: string, value: T): Promise<unknown>;
}

export interface Edited<T> {
  value: T;
  /** Identifies this content, regardless of its author. */
  revision: string;
}

export interface StaffEditConflict<T> extends Edited<T> {
  /** The staff member who changed it last; empty if a command did. */
  by: string;
}

const revisionOf = (value: object): string =>
  createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 22);

/** Throws NotFound. */
export async function readEdited<T extends object>(sql: Sql, editable: Editable<T>, key: string): Promise<Edited<T>> {
  const value = await editable.read(sql, key);
  if (!value) throw new ShopError(ErrorCode.NotFound);
  return { value, revision: revisionOf(value) };
}

type Fields = Record<string, unknown>;

/** The fields that differ, before and after; undefined if none does. */
export function changesOf(before: Fields, after: Fields): { before: Fields; after: Fields } | undefined {
  const names = Object.keys({ ...before, ...after }).filter(
    (field) => canonicalJson(before[field]) !== canonicalJson(after[field]),
  );
  const pick = (from: Fields) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
  return names.length > 0 ? { before: pick(before), after: pick(after) } : undefined;
}

/** Until the transaction ends, no other edits the value under the key, which need not exist yet. */
export const lockEdits = (sql: Sql, kind: string, key: string) =>
  sql.one('select pg_advisory_xact_lock(hashtextextended($1, 2))', [`${kind} ${key}`]);

export interface WantedEdit {
  key: string;
  revision: string | null;
  locale: Locale;
}

/**
 * Saves what `make` returns for the stored value, and records it before and after. Throws EditConflict with the stored value if
 * another user has changed it since the revision, NotFound if it is gone, and InvalidInput with a message for each wrong field.
 */
export const saveEdit = <T extends object>(
  db: Database,
  editable: Editable<T>,
  { key, revision, locale }: WantedEdit,
  make: (sql: Sql, before: T | undefined) => T | Promise<T>,
  detail?: object,
): Promise<Edited<T>> =>
  db.withTransaction(async (sql) => {
    await lockEdits(sql, editable.kind, key);
    await editable.lock?.(sql, key);
    const before = await editable.read(sql, key);
    const after = await make(sql, before);
    const current = before ? revisionOf(before) : null;
    // A client that has lost the answer sends the request again.
    if (before && current === revisionOf(after)) return { value: before, revision: current };
    if (current !== revision) {
      if (!before) throw new ShopError(ErrorCode.NotFound);
      const [last] = await history(sql, editable.kind, key, 1);
      throw new ShopError(StaffErrorCode.EditConflict, { value: before, revision: current, by: last?.by ?? '' });
    }
    const faults = Object.entries((await editable.faults?.(sql, after, before)) ?? {});
    if (faults.length > 0)
      throw fieldError(Object.fromEntries(faults.map(([field, rule]) => [`value.${field}`, fieldText(rule, locale)])));
    await editable.write(sql, key, after);
    const saved = await readEdited(sql, editable, key);
    const changes = before ? changesOf(before as Fields, saved.value as Fields) : { before: null, after: saved.value };
    if (changes)
      await record(sql, { action: `${editable.kind}.edit`, subject: key, detail: { ...detail, ...changes } });
    return saved;
  });

interface HistoryEntry {
  id: number;
  at: Date;
  by: string;
  /** null: this entry created it. */
  before: Fields | null;
  after: Fields;
  /** The entry whose `before` this entry has restored. */
  put_back: number | null;
}

export const history = (sql: Sql, kind: string, key: string, limit = 50): Promise<HistoryEntry[]> =>
  sql.rows<HistoryEntry>(
    `select id, at, actor as by, nullif(detail -> 'before', 'null') as before, detail -> 'after' as after,
            (detail ->> 'put_back')::bigint as put_back
       from audit_log where subject = $1 and action = $2 and detail ? 'before' order by id desc limit $3`,
    [key, `${kind}.edit`, limit],
  );

/** Returns what an entry of the audit log has changed. Throws NotFound. */
export async function editOf<Before, After>(sql: Sql, kind: string, key: string, entry: number) {
  const row = await sql.row<{ before: Before; after: After }>(
    `select detail -> 'before' as before, detail -> 'after' as after from audit_log
      where id = $1 and subject = $2 and action = $3 and detail ? 'before'`,
    [entry, key, `${kind}.edit`],
  );
  if (!row) throw new ShopError(ErrorCode.NotFound);
  return row;
}

/**
 * Saves the stored value with the fields that an entry has changed as they were before it. Throws as saveEdit does, and
 * EditNotRestorable for the entry that created the value and for values that the schema now refuses.
 */
export const putBack = <T extends object>(
  db: Database,
  editable: Editable<T>,
  schema: TSchema,
  { entry, ...edit }: WantedEdit & { entry: number },
): Promise<Edited<T>> => {
  const make = async (sql: Sql, stored: T | undefined) => {
    const { before } = await editOf<Fields | null, Fields>(sql, editable.kind, edit.key, entry);
    const value = { ...stored, ...before };
    if (!before || !Value.Check(schema, value)) throw new ShopError(StaffErrorCode.EditNotRestorable);
    return value as T;
  };
  return saveEdit(db, editable, edit, make, { put_back: entry });
};
