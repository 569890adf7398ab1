import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { connectPostgres, type Database, openEmbedded } from '../db/database';
import { StaffError } from './staff/common';

/** Writes a copy of the database to a file; on PostgreSQL with pg_dump. */
export async function backup(db: Database, file: string, databaseUrl: string | undefined): Promise<string> {
  if (databaseUrl) runTool('pg_dump', ['--format=custom', '--no-owner', `--file=${path.resolve(file)}`, databaseUrl]);
  else await db.dump(path.resolve(file));
  return `Saved to ${file}. Keep the files app-secret and card-key of the data folder with it.`;
}

/** Loads a copy into an empty database. */
export async function restore(file: string, dataDir: string, databaseUrl: string | undefined): Promise<string> {
  if (!fs.existsSync(file)) throw new StaffError(`${file} cannot be read.`);
  return databaseUrl ? restorePostgres(file, databaseUrl) : restoreEmbedded(file, path.join(dataDir, 'db'));
}

async function restorePostgres(file: string, databaseUrl: string): Promise<string> {
  const db = await connectPostgres(databaseUrl, 1);
  const { existing } = await db.one<{ existing: string | null }>(
    "select to_regclass('schema_migrations')::text as existing",
  );
  await db.close();
  if (existing) throw new StaffError('This database holds a shop already. Restore into an empty one.');
  runTool('pg_restore', ['--no-owner', '--single-transaction', '--exit-on-error', `--dbname=${databaseUrl}`, file]);
  return 'Restored. Put app-secret and card-key of the same day (or APP_SECRET and CARD_KEYS) beside it.';
}

async function restoreEmbedded(file: string, folder: string): Promise<string> {
  if (fs.existsSync(path.join(folder, 'pgdata', 'PG_VERSION'))) {
    throw new StaffError(`${folder} holds a database already. Move it away first.`);
  }
  await (await openEmbedded({ folder, template: path.resolve(file) })).close();
  return `Restored into ${folder}.`;
}

/** Runs one of PostgreSQL's client programs; its own message says what failed. */
function runTool(name: string, args: string[]): void {
  const { error, status, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  if (error) throw new StaffError(`${name} was not found: install PostgreSQL's client programs.`);
  if (status !== 0) throw new StaffError(stderr.trim() || `${name} ended with ${status}.`);
}
