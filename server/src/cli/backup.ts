import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { lacksSecrets, secretFiles } from '../config';
import { connectPostgres, type Database, isEmbeddedDatabase, openEmbedded } from '../db/database';
import { ownersUrl } from '../db/roles';
import { embeddedFolder, openContext } from '../start';
import { StaffError } from './staff/common';

/** Writes a copy of the database to a file; on PostgreSQL with pg_dump. */
export async function backup(db: Database, file: string, databaseUrl: string | undefined): Promise<string> {
  if (databaseUrl)
    runTool('pg_dump', [
      '--format=custom',
      '--no-owner',
      '--no-privileges',
      `--file=${path.resolve(file)}`,
      databaseUrl,
    ]);
  else await db.dump(path.resolve(file));
  return `Saved to ${file}. Keep ${secretFiles.join(' and ')} of the data folder (or APP_SECRET and CARD_KEYS) in another place.`;
}

export interface RestoreOptions {
  dataDir: string;
  databaseUrl: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Folder with app-secret and card-key of the shop that was backed up, for a data folder that has none. */
  keys: string | undefined;
}

/**
 * Loads a copy into an empty database, brings it to this program's version and tries the keys on it. Keeps nothing of a copy that
 * the keys do not open.
 */
export async function restore(file: string, options: RestoreOptions): Promise<string> {
  const { dataDir, databaseUrl, env, keys } = options;
  if (!fs.existsSync(file)) throw new StaffError(`${file} cannot be read.`);
  const copied = keys ? copySecrets(keys, dataDir) : [];
  let undo: Undo = async () => {};
  try {
    if (lacksSecrets(dataDir, env)) {
      throw new StaffError(
        `restore needs the keys of the shop that was backed up: --keys <folder with ${secretFiles.join(' and ')}>, or APP_SECRET and CARD_KEYS.`,
      );
    }
    const owner = ownersUrl(databaseUrl, env);
    undo = owner ? await fillPostgres(file, owner) : await fillEmbedded(file, embeddedFolder(dataDir));
    await (await openContext({ dataDir, databaseUrl, env, seed: false })).db.close();
  } catch (error) {
    await undo();
    for (const one of copied) fs.rmSync(one);
    throw error;
  }
  return `Restored into ${databaseUrl ? 'the database' : embeddedFolder(dataDir)}; the keys open it.`;
}

/** The files that were written. A secret that is there already is kept, since something may be encrypted with it. */
function copySecrets(from: string, dataDir: string): string[] {
  fs.mkdirSync(dataDir, { recursive: true });
  return secretFiles.flatMap((name) => {
    const to = path.join(dataDir, name);
    try {
      fs.copyFileSync(path.join(from, name), to, fs.constants.COPYFILE_EXCL);
      return [to];
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return [];
      throw new StaffError(`${path.join(from, name)} cannot be copied: ${(error as Error).message}`);
    }
  });
}

type Undo = () => Promise<void>;

async function fillPostgres(file: string, databaseUrl: string): Promise<Undo> {
  const run = async (work: (db: Database) => Promise<void>) => {
    const db = await connectPostgres(databaseUrl, 1);
    await work(db).finally(() => db.close());
  };
  await run(async (db) => {
    const { existing } = await db.one<{ existing: string | null }>(
      "select to_regclass('schema_migrations')::text as existing",
    );
    if (existing) throw new StaffError('This database holds a shop already. Restore into an empty one.');
  });
  runTool('pg_restore', [
    '--no-owner',
    '--no-privileges',
    '--single-transaction',
    '--exit-on-error',
    `--dbname=${databaseUrl}`,
    file,
  ]);
  return () => run((db) => db.script('drop schema public cascade; create schema public'));
}

async function fillEmbedded(file: string, folder: string): Promise<Undo> {
  if (isEmbeddedDatabase(folder)) throw new StaffError(`${folder} holds a database already. Move it away first.`);
  await (await openEmbedded({ folder, template: path.resolve(file) })).close();
  return async () => fs.rmSync(path.join(folder, 'pgdata'), { recursive: true });
}

/** Runs one of PostgreSQL's client programs; its own message says what failed. */
function runTool(name: string, args: string[]): void {
  const { error, status, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  if (error) throw new StaffError(`${name} was not found: install PostgreSQL's client programs.`);
  if (status !== 0) throw new StaffError(stderr.trim() || `${name} ended with ${status}.`);
}
