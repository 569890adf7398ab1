import fs from 'node:fs/promises';
import path from 'node:path';
import type { AppContext } from '../context';
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
  const writeHere = shared(() => writeTo(path.join(config.dataDir, '.writable')));
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
}
const migrations = readMigrations().map(({ version }) => version);

async function writeTo(file: string): Promise<void> {
  const handle = await fs.open(file, 'w');
  try {
    await handle.write('ok');
    await handle.sync();
  } finally {
    await handle.close();
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
