import type { AppContext } from '../../context';
import { readMigrations } from '../db/schema';

export type Part = 'database' | 'migrations';
type Readiness = Record<Part, 'ok' | string>;

/** A load balancer's probe waits about a second. */
const WITHIN_MS = 900;
const UNDEFINED_TABLE = '42P01';
const needed = readMigrations().map(({ version }) => version);

/** Checks whether the server can serve, and says why not. Calls that come meanwhile share one check. */
export function readinessCheck({ db }: Pick<AppContext, 'db'>): () => Promise<Readiness> {
  const health = db.as('health', '');
  let running: Promise<Readiness> | undefined;
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };

  async function check(): Promise<Readiness> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${WITHIN_MS} ms`)), WITHIN_MS);
    });
    try {
      const applied = await Promise.race([
        health.rows<{ version: number }>('select version from schema_migrations'),
        late,
      ]);
      const missing = needed.filter((version) => applied.every((migration) => migration.version !== version));
      return { database: 'ok', migrations: missing.length > 0 ? `missing: ${missing.join(', ')}` : 'ok' };
    } catch (error) {
      if ((error as { code?: string }).code === UNDEFINED_TABLE)
        return { database: 'ok', migrations: 'there is no schema' };
      return { database: (error as Error).message, migrations: 'ok' };
    } finally {
      clearTimeout(timer);
    }
  }
}
