import type { DomainRoutes } from '../context';

/** /livez: the process answers. /healthz: it can serve. /healthz?full: what stands behind it. */
export const healthCheckRoutes: DomainRoutes = async (app, { context: { db } }) => {
  app.get('/livez', async (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }));
  app.get('/healthz', async (request, reply) => {
    reply.header('cache-control', 'no-store');
    const startedAt = performance.now();
    try {
      await db.row('select 1');
    } catch {
      return reply.code(503).send({ status: 'unavailable' });
    }
    if (!('full' in (request.query as object))) return { status: 'ok' };
    const jobs = await db.rows(
      'select name, last_started_at, last_finished_at, last_error, runs, done from jobs order by name',
    );
    const { version } = await db.one<{ version: number }>('select max(version) as version from schema_migrations');
    return {
      status: 'ok',
      database: { kind: db.kind, schema: version, ms: Math.round((performance.now() - startedAt) * 10) / 10 },
      jobs,
      uptime: Math.round(process.uptime()),
      memory: process.memoryUsage().rss,
    };
  });
};
