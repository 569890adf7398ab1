import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { lowStock } from '../../catalogue/low-stock';
import { sameText } from '../crypto/tokens';
import { callKinds } from '../db/call-limits';
import type { Database } from '../db/database';
import { isLocal } from '../http/local-request';
import type { ResponseCache } from '../response-cache/response-cache';

declare module 'fastify' {
  interface FastifyInstance {
    /** Plugins add what gives lines of theirs for /metrics. */
    metricLines: Array<() => string[] | Promise<string[]>>;
  }
}

interface Series {
  count: number;
  seconds: number;
}

/** The queue before the database, by kind of call. */
function databaseLines(db: Database): string[] {
  const loads = db.load();
  return (['running', 'waiting', 'shed'] as const).flatMap((figure) => {
    const name = figure === 'shed' ? 'shop_database_shed_total' : `shop_database_${figure}`;
    return [
      `# TYPE ${name} ${figure === 'shed' ? 'counter' : 'gauge'}`,
      ...callKinds.map((kind) => `${name}{kind="${kind}"} ${loads[kind][figure]}`),
    ];
  });
}

interface MetricsOptions {
  responseCache: ResponseCache;
  db: Database;
  /** Reads /metrics from other machines; '' for none. */
  token: string;
}

/** GET /metrics for Prometheus, on this machine or with the token: the process, and every route and code. */
export const metrics = fastifyPlugin(async (app: FastifyInstance, { responseCache, db, token }: MetricsOptions) => {
  const mayRead = (request: FastifyRequest) =>
    isLocal(request) || (token !== '' && sameText(request.headers.authorization ?? '', `Bearer ${token}`));
  const series = new Map<string, Series>();
  app.decorate('metricLines', []);
  app.addHook('onResponse', (request, reply, done) => {
    const labels = `method="${request.method}",route="${request.routeOptions.url ?? 'none'}",status="${reply.statusCode}",code="${request.shopCode}"`;
    const one = series.get(labels) ?? { count: 0, seconds: 0 };
    one.count += 1;
    one.seconds += reply.elapsedTime / 1000;
    series.set(labels, one);
    done();
  });
  app.get('/metrics', { schema: { hide: true } as object }, async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound();
    const { hits, misses, checks } = responseCache.counts;
    // Without the database the other figures are still worth having.
    const differences = await db
      .rows<{ method: string; count: number }>(
        'select distinct on (method) method, jsonb_array_length(differences) as count from reconciliations order by method, day desc',
      )
      .catch(() => []);
    const low = await lowStock(db).catch(() => []);
    const given = await Promise.all(app.metricLines.map(async (of) => of()));
    const lines = [
      '# TYPE shop_reconciliation_differences gauge',
      ...differences.map(({ method, count }) => `shop_reconciliation_differences{method="${method}"} ${count}`),
      // Of what runs out the pieces that are left; nothing where nothing does.
      '# TYPE shop_stock_low gauge',
      ...low.map(({ goods, spec, pieces }) => `shop_stock_low{goods="${goods}",spec="${spec}"} ${pieces}`),
      ...databaseLines(db),
      ...given.flat(),
      '# TYPE shop_requests_total counter',
      ...[...series].map(([labels, { count }]) => `shop_requests_total{${labels}} ${count}`),
      '# TYPE shop_request_seconds_total counter',
      ...[...series].map(([labels, { seconds }]) => `shop_request_seconds_total{${labels}} ${seconds.toFixed(6)}`),
      '# TYPE shop_answers_total counter',
      `shop_answers_total{kind="kept"} ${hits}`,
      `shop_answers_total{kind="made"} ${misses}`,
      `shop_answers_total{kind="checks"} ${checks}`,
      '# TYPE shop_answers_bytes gauge',
      `shop_answers_bytes ${responseCache.size}`,
      '# TYPE process_resident_memory_bytes gauge',
      `process_resident_memory_bytes ${process.memoryUsage().rss}`,
      '# TYPE process_uptime_seconds gauge',
      `process_uptime_seconds ${Math.round(process.uptime())}`,
    ];
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(`${lines.join('\n')}\n`);
  });
});
