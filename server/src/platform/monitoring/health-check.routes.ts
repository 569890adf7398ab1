import type { FastifyPluginAsync } from 'fastify';
import type { Database } from '../db/database';
import { readMigrations } from '../db/schema';
import { isLocal } from '../http/local-request';
import { withinTime } from '../within-time';

/**
 * /livez reports that the process responds. /healthz reports that it can serve, or which part cannot. /healthz?full, on this
 * machine only, lists the backends.
 */
export const healthCheckRoutes: FastifyPluginAsync<{ db: Database }> = async (app, { db }) => {
  const reads = db.as('read', 'health');
  const check = readinessCheck(db);
  app.get('/livez', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/healthz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (app.isStopping) return reply.code(503).send({ status: 'unavailable', part: 'stopping' });
    const startedAt = performance.now();
    const parts = await check();
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const isFull = 'full' in (request.query as object) && isLocal(request);
    const part = (Object.keys(parts) as Part[]).find((name) => parts[name] !== 'ok');
    if (part) {
      request.log.error({ id: request.id, ...parts }, 'not ready');
      return reply.code(503).send({ status: 'unavailable', part, ...(isFull ? { parts, ...processFigures() } : {}) });
    }
    return isFull ? { status: 'ok', parts, ...processFigures(), ...(await databaseFigures(ms)) } : { status: 'ok' };
  });

  const databaseFigures = async (ms: number) => {
    const jobs = await reads.rows(
      'select name, last_started_at, last_finished_at, last_error, runs, done from jobs order by name',
    );
    const schema = await reads.value<number>('select max(version) from schema_migrations');
    return { database: { kind: reads.kind, schema, ms, load: reads.load() }, jobs };
  };
};

const processFigures = () => ({ uptime: Math.round(process.uptime()), memory: process.memoryUsage().rss });

type Part = 'database' | 'migrations';
type Readiness = Record<Part, 'ok' | string>;

/** A load balancer's probe waits about a second. */
const WITHIN_MS = 900;
const UNDEFINED_TABLE = '42P01';
const needed = readMigrations().map(({ version }) => version);

function readinessCheck(db: Pick<Database, 'as'>): () => Promise<Readiness> {
  const health = db.as('health', '');
  let running: Promise<Readiness> | undefined;
  return () => {
    running ??= check().finally(() => {
      running = undefined;
    });
    return running;
  };

  async function check(): Promise<Readiness> {
    try {
      const applied = await withinTime(
        health.column<number>('select version from schema_migrations'),
        WITHIN_MS,
        new Error(`no answer within ${WITHIN_MS} ms`),
      );
      const missing = needed.filter((version) => !applied.includes(version));
      return { database: 'ok', migrations: missing.length > 0 ? `missing: ${missing.join(', ')}` : 'ok' };
    } catch (error) {
      if ((error as { code?: string }).code === UNDEFINED_TABLE)
        return { database: 'ok', migrations: 'there is no schema' };
      return { database: (error as Error).message, migrations: 'ok' };
    }
  }
}
