import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { AppContext } from '../../context';
import type { Database } from '../db/database';
import { readMigrations } from '../db/schema';

export type Part = 'database' | 'migrations' | 'disk';
export type Readiness = Record<Part, 'ok' | string>;

/** A load balancer's probe waits about a second. */
const WITHIN_MS = 900;
const UNDEFINED_TABLE = '42P01';

/** Checks whether the server can serve: what fails says why. Calls that come meanwhile share one check. */
export function readinessCheck({ db, config }: AppContext): () => Promise<Readiness> {
  const health = db.as('health', '');
  // A server with its database and its pictures elsewhere writes nothing here.
  const writesHere = db.kind === 'embedded' || config.providers.storage === 'local';
  const writeHere = shared(() => writeTo(config.dataDir));
  return shared(async () => {
    const [stored, written] = await Promise.all([
      faultOf(checkDatabase(health)),
      writesHere ? faultOf(writeHere()) : undefined,
    ]);
    const isMissing = stored instanceof MigrationsMissingError;
    return {
      database: stored && !isMissing ? stored.message : 'ok',
      migrations: isMissing ? stored.message : 'ok',
      disk: written?.message ?? 'ok',
    };
  });
}

class MigrationsMissingError extends Error {}

/** Writes to the database's log as well as reads: a full disk, or a standby, answers reads only. */
async function checkDatabase(db: Database): Promise<void> {
  const { versions } = await db
    .one<{ versions: number[] }>(
      `select array(select version from schema_migrations) as versions, pg_logical_emit_message(true, 'healthz', '')`,
    )
    .catch((error) => {
      if (error.code === UNDEFINED_TABLE) throw new MigrationsMissingError('there is no schema');
      throw error;
    });
  const missing = migrations.filter((version) => !versions.includes(version));
  if (missing.length) throw new MigrationsMissingError(`missing: ${missing.join(', ')}`);
  if (db.kind === 'postgres') await needRoom(db);
}

/** The log is written into files that are there already. What does not fit into work_mem goes into a new file beside the tables. */
const needRoom = (db: Database) =>
  db.withTransaction(async (sql) => {
    await sql.run("set local work_mem = '64kB'");
    await sql.one('select count(*) from generate_series(1, 4000)');
  });
const migrations = readMigrations().map(({ version }) => version);

const PROBE = '.writable';
const ROOM = Buffer.alloc(64 * 1024);
const LEFT_OVER_MS = 60_000;

/** A new file each time: on a full disk what is there already can still be written. Removes what killed servers have left. */
async function writeTo(folder: string): Promise<void> {
  const file = path.join(folder, `${PROBE}-${randomUUID()}`);
  try {
    await fs.writeFile(file, ROOM, { flag: 'wx', flush: true });
  } finally {
    await fs.rm(file, { force: true });
  }
  for (const name of await fs.readdir(folder)) {
    if (!name.startsWith(PROBE)) continue;
    const left = path.join(folder, name);
    const { mtimeMs } = await fs.stat(left).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (mtimeMs < Date.now() - LEFT_OVER_MS) await fs.rm(left, { force: true });
  }
}

/** The error of `work`, also when it does not end in time. */
async function faultOf(work: Promise<unknown>): Promise<Error | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Error>((resolve) => {
    timer = setTimeout(() => resolve(new Error(`no answer within ${WITHIN_MS} ms`)), WITHIN_MS);
  });
  const ended = work.then(
    () => undefined,
    (error: Error) => error,
  );
  return Promise.race([ended, late]).finally(() => clearTimeout(timer));
}

/** Callers that come while it runs get its result. */
function shared<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= work().finally(() => {
      running = undefined;
    });
    return running;
  };
}
