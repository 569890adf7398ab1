import type { FastifyInstance, FastifyRequest, onResponseHookHandler } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { sameText } from '../crypto/tokens';
import { callKinds } from '../db/call-limits';
import type { Database } from '../db/database';
import { isLocal } from '../http/local-request';
import type { ResponseCache } from '../response-cache/response-cache';

declare module 'fastify' {
  interface FastifyInstance {
    metricLines: Array<() => string[] | Promise<string[]>>;
    countResponse: onResponseHookHandler;
  }
}

type Series = [labels: Record<string, string | number>, value: number];

interface MetricsOptions {
  responseCache: ResponseCache;
  db: Database;
  lowStock(): Promise<Array<{ goods: string; spec: string; pieces: number }>>;
  token: string;
}

/** GET /metrics for Prometheus, on this machine or with the token: the process, and every route and code. */
export const metrics = fastifyPlugin(
  async (app: FastifyInstance, { responseCache, db, lowStock, token }: MetricsOptions) => {
    const mayRead = (request: FastifyRequest) =>
      isLocal(request) || (token !== '' && sameText(request.headers.authorization ?? '', `Bearer ${token}`));
    // One registry per application, because a test process has several.
    const registry = new Registry();
    const registers = [registry];
    app.decorate('metricLines', []);

    const labelNames = ['method', 'route', 'status', 'code'];
    const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers });
    const requests = counter('shop_requests_total', 'Requests that were answered.');
    const seconds = counter('shop_request_seconds_total', 'Time that their answers took.');
    const duration = new Histogram({
      name: 'shop_request_duration_seconds',
      help: 'Time that the answer of a route took.',
      labelNames: ['method', 'route'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    });
    app.decorate('countResponse', ({ method, routeOptions, shopCode }, reply, done) => {
      const route = routeOptions.url ?? 'none';
      const labels = { method, route, status: reply.statusCode, code: shopCode };
      requests.inc(labels);
      seconds.inc(labels, reply.elapsedTime / 1000);
      duration.observe({ method, route }, reply.elapsedTime / 1000);
      done();
    });
    app.addHook('onResponse', app.countResponse);

    const read = (
      Kind: typeof Gauge | typeof Counter,
      name: string,
      help: string,
      labelNames: string[],
      series: () => Series[] | Promise<Series[]>,
    ) =>
      new Kind({
        name,
        help,
        labelNames,
        registers,
        async collect() {
          this.reset();
          for (const [labels, value] of await series()) this.inc(labels, value);
        },
      });
    const calls = (figure: 'running' | 'waiting' | 'shed') => () =>
      callKinds.map((kind): Series => [{ kind }, db.load()[kind][figure]]);
    read(Gauge, 'shop_database_running', 'Calls in the database.', ['kind'], calls('running'));
    read(Gauge, 'shop_database_waiting', 'Calls in the queue before it.', ['kind'], calls('waiting'));
    read(Counter, 'shop_database_shed_total', 'Calls that were turned away.', ['kind'], calls('shed'));
    read(Counter, 'shop_answers_total', 'Of the response cache.', ['kind'], () => {
      const { hits, misses, checks } = responseCache.counts;
      return [
        [{ kind: 'kept' }, hits],
        [{ kind: 'made' }, misses],
        [{ kind: 'checks' }, checks],
      ];
    });
    read(Gauge, 'shop_answers_bytes', 'Of the response cache.', [], () => [[{}, responseCache.size]]);
    read(Gauge, 'process_resident_memory_bytes', 'Memory of the process.', [], () => [[{}, process.memoryUsage().rss]]);
    read(Gauge, 'process_uptime_seconds', 'Its age.', [], () => [[{}, Math.round(process.uptime())]]);

    // This metric is last, so that the database figures above do not include its own calls; without the database the others remain useful.
    read(
      Gauge,
      'shop_reconciliation_differences',
      'Between shop and provider, on the last day.',
      ['method'],
      async () => {
        const rows = await db
          .rows<{ method: string; count: number }>(
            'select distinct on (method) method, jsonb_array_length(differences) as count from reconciliations order by method, day desc',
          )
          .catch(() => []);
        return rows.map(({ method, count }) => [{ method }, count]);
      },
    );
    read(Gauge, 'shop_stock_low', 'Pieces that are left of what runs out.', ['goods', 'spec'], async () =>
      (await lowStock().catch(() => [])).map(({ goods, spec, pieces }) => [{ goods, spec }, pieces]),
    );

    app.get('/metrics', { schema: { hide: true } as object }, async (request, reply) => {
      if (!mayRead(request)) return reply.callNotFound();
      const added = await Promise.all(app.metricLines.map(async (of) => of()));
      const lines = added.flat().map((line) => `${line}\n`);
      return reply.type(registry.contentType).send((await registry.metrics()) + lines.join(''));
    });
  },
);
