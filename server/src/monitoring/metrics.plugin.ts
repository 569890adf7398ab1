import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Sql } from '../db/sql';
import type { ResponseCache } from '../response-cache/response-cache';

interface Series {
  count: number;
  seconds: number;
}

/** GET /metrics for Prometheus, to local addresses only: the process, and every route and code. */
export const metrics = fastifyPlugin(
  async (app: FastifyInstance, { responseCache, db }: { responseCache: ResponseCache; db: Sql }) => {
    const series = new Map<string, Series>();
    app.addHook('onResponse', (request, reply, done) => {
      const labels = `method="${request.method}",route="${request.routeOptions.url ?? 'none'}",status="${reply.statusCode}",code="${request.shopCode}"`;
      const one = series.get(labels) ?? { count: 0, seconds: 0 };
      one.count += 1;
      one.seconds += reply.elapsedTime / 1000;
      series.set(labels, one);
      done();
    });
    app.get('/metrics', { schema: { hide: true } as object }, async (request, reply) => {
      if (!/^(::1|127\.|::ffff:127\.)/.test(request.ip)) return reply.callNotFound();
      const { hits, misses, checks } = responseCache.counts;
      // Without the database the other figures are still worth having.
      const differences = await db
        .rows<{ method: string; count: number }>(
          'select distinct on (method) method, jsonb_array_length(differences) as count from reconciliations order by method, day desc',
        )
        .catch(() => []);
      const lines = [
        '# TYPE shop_reconciliation_differences gauge',
        ...differences.map(({ method, count }) => `shop_reconciliation_differences{method="${method}"} ${count}`),
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
  },
);
