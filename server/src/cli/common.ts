import { spawnSync } from 'node:child_process';
import { addEntry, staffActor } from '../platform/audit/audit';
import type { Sql } from '../platform/db/sql';

export class StaffError extends Error {}

export const audit = (sql: Sql, action: string, subject: string, detail: object = {}) =>
  addEntry(sql, { ...staffActor(), action, subject, detail });

export function runTool(name: string, args: string[]): void {
  const { error, status, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  if (error) throw new StaffError(`${name} was not found: install PostgreSQL's client programs.`);
  if (status !== 0) throw new StaffError(stderr.trim() || `${name} ended with ${status}.`);
}
