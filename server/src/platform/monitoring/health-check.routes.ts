import type { DomainRoutes } from '../../context';
import { isLocal } from '../http/local-request';
import { type Part, readinessCheck } from './readiness';

/** /livez: the process answers. /healthz: it can serve, or which part cannot. /healthz?full, on this machine: what stands behind it. */
export const healthCheckRoutes: DomainRoutes = async (app, { context, reads }) => {
  const check = readinessCheck(context);
  app.get('/livez', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/healthz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    if (app.isStopping) return reply.code(503).send({ status: 'unavailable', part: 'stopping' });
    const startedAt = performance.now();
    const parts = await check();
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    const isFull = 'full' in (request.query as object) && isLocal(request);
    const part = (Object.keys(parts) as Part[]).find((one) => parts[one] !== 'ok');
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
    const { version } = await reads.one<{ version: number }>('select max(version) as version from schema_migrations');
    return { database: { kind: reads.kind, schema: version, ms, load: reads.load() }, jobs };
  };
};

const processFigures = () => ({ uptime: Math.round(process.uptime()), memory: process.memoryUsage().rss });
