import { addEntry, staffActor } from '../platform/audit/audit';
import type { Sql } from '../platform/db/sql';

export class StaffError extends Error {}

export const audit = (sql: Sql, action: string, subject: string, detail: object = {}) =>
  addEntry(sql, { ...staffActor(), action, subject, detail });
