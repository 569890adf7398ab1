import fs from 'node:fs';
import path from 'node:path';
import { extract } from 'tar';
import { lacksSecrets, secretFiles } from '../config';
import { connectPostgres, type Database, isEmbeddedDatabase } from '../platform/db/database';
import { uploadsFolder } from '../providers/local-pictures';
import { embeddedFolder, openContext } from '../start';
import { parts } from './backup';
import { runTool, StaffError } from './common';

interface RestoreOptions {
  dataDir: string;
  databaseUrl: string | undefined;
  env: NodeJS.ProcessEnv;
  /** Folder with app-secret and card-key of the shop that was backed up, for a data folder without them. */
  keys: string | undefined;
}

/**
 * Loads a backup into an empty database, migrates it to this program's version and checks that the keys decrypt it. Keeps nothing
 * of a backup that the keys do not open.
 */
export async function restore(file: string, options: RestoreOptions): Promise<string> {
  const { dataDir, databaseUrl, env, keys } = options;
  if (!fs.existsSync(file)) throw new StaffError(`${file} cannot be read.`);
  const copied = keys ? copySecrets(keys, dataDir) : [];
  let undo: Undo = async () => {};
  let unpacked: string | undefined;
  try {
    if (lacksSecrets(dataDir, env)) {
      throw new StaffError(
        `restore needs the keys of the shop that was backed up: --keys <folder with ${secretFiles.join(' and ')}>, or APP_SECRET and CARD_KEYS.`,
      );
    }
    unpacked = await unpack(file, dataDir);
    undo = databaseUrl ? await fillPostgres(unpacked, databaseUrl) : fillEmbedded(unpacked, embeddedFolder(dataDir));
    await (await openContext({ dataDir, databaseUrl, env, seed: false })).db.close();
    const uploads = path.join(unpacked, parts.uploads);
    if (fs.existsSync(uploads)) fs.cpSync(uploads, uploadsFolder(dataDir), { recursive: true });
  } catch (error) {
    await undo();
    for (const file of copied) fs.rmSync(file);
    throw error;
  } finally {
    if (unpacked) fs.rmSync(unpacked, { recursive: true, force: true });
  }
  return `Restored into ${databaseUrl ? 'the database' : embeddedFolder(dataDir)}; the keys open it.`;
}

async function unpack(file: string, dataDir: string): Promise<string> {
  fs.mkdirSync(dataDir, { recursive: true });
  const folder = fs.mkdtempSync(path.join(dataDir, 'restore-'));
  try {
    await extract({ file, cwd: folder, strict: true });
    return folder;
  } catch (error) {
    fs.rmSync(folder, { recursive: true, force: true });
    throw new StaffError(`${file} is not a backup, or damaged: ${(error as Error).message}`);
  }
}

/** Returns the written files. An existing secret is kept, since something may be encrypted with it. */
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

async function fillPostgres(unpacked: string, databaseUrl: string): Promise<Undo> {
  const run = async (work: (db: Database) => Promise<void>) => {
    const db = await connectPostgres(databaseUrl, { max: 1 });
    await work(db).finally(() => db.close());
  };
  await run(async (db) => {
    const { existing } = await db.one<{ existing: string | null }>(
      "select to_regclass('schema_migrations')::text as existing",
    );
    if (existing) throw new StaffError('This database already holds a shop. Restore into an empty one.');
  });
  const dump = path.join(unpacked, parts.postgres);
  if (!fs.existsSync(dump))
    throw new StaffError('This is a backup of an embedded database: restore it without DATABASE_URL.');
  runTool('pg_restore', [
    '--no-owner',
    '--no-privileges',
    '--single-transaction',
    '--exit-on-error',
    `--dbname=${databaseUrl}`,
    dump,
  ]);
  return () => run((db) => db.script('drop schema public cascade; create schema public'));
}

function fillEmbedded(unpacked: string, folder: string): Undo {
  if (isEmbeddedDatabase(folder)) throw new StaffError(`${folder} already holds a database. Move it away first.`);
  const [source, target] = [path.join(unpacked, parts.embedded), path.join(folder, 'pgdata')];
  if (!fs.existsSync(path.join(source, 'PG_VERSION')))
    throw new StaffError('This is a backup of PostgreSQL: restore it with DATABASE_URL.');
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
  // The rename is atomic, so no start finds half of it.
  fs.renameSync(source, target);
  return async () => fs.rmSync(target, { recursive: true });
}
