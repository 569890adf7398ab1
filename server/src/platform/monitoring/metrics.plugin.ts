import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { lowStock } from '../../catalogue/low-stock';
import { sameText } from '../crypto/tokens';
import { callKinds } from '../db/call-limits';
import type { Database } from '../db/database';
import { isLocal } from '../http/local-request';
import type { ResponseCache } from '../response-cache/response-cache';

declare module 'fastify' {
  interface FastifyInstance {
    /** Plugins add what gives further lines for /metrics. */
    metricLines: Array<() => string[] | Promise<string[]>>;
  }
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
  // One for each application: a process of tests has several.
  const registry = new Registry();
  const registers = [registry];
  app.decorate('metricLines', []);

  const labelNames = ['method', 'route', 'status', 'code'];
  const requests = new Counter({
    name: 'shop_requests_total',
    help: 'Requests that were answered.',
    labelNames,
    registers,
  });
  const seconds = new Counter({
    name: 'shop_request_seconds_total',
    help: 'Time that their answers took.',
    labelNames,
    registers,
  });
  const duration = new Histogram({
    name: 'shop_request_duration_seconds',
    help: 'Time that the answer of a route took.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  app.addHook('onResponse', ({ method, routeOptions, shopCode }, reply, done) => {
    const route = routeOptions.url ?? 'none';
    const labels = { method, route, status: reply.statusCode, code: shopCode };
    requests.inc(labels);
    seconds.inc(labels, reply.elapsedTime / 1000);
    duration.observe({ method, route }, reply.elapsedTime / 1000);
    done();
  });

  new Gauge({
    name: 'shop_reconciliation_differences',
    help: 'Differences that the last comparison with a provider found.',
    labelNames: ['method'],
    registers,
    async collect() {
      this.reset();
      // Without the database the other figures are still worth having.
      const found = await db
        .rows<{ method: string; count: number }>(
          'select distinct on (method) method, jsonb_array_length(differences) as count from reconciliations order by method, day desc',
        )
        .catch(() => []);
      for (const { method, count } of found) this.set({ method }, count);
    },
  });
  new Gauge({
    name: 'shop_stock_low',
    help: 'Pieces that are left of what runs out.',
    labelNames: ['goods', 'spec'],
    registers,
    async collect() {
      this.reset();
      for (const { goods, spec, pieces } of await lowStock(db).catch(() => [])) this.set({ goods, spec }, pieces);
    },
  });
  for (const figure of ['running', 'waiting', 'shed'] as const)
    new (figure === 'shed' ? Counter : Gauge)({
      name: figure === 'shed' ? 'shop_database_shed_total' : `shop_database_${figure}`,
      help: `Calls of the database: ${figure}.`,
      labelNames: ['kind'],
      registers,
      collect() {
        this.reset();
        const loads = db.load();
        for (const kind of callKinds) this.inc({ kind }, loads[kind][figure]);
      },
    });
  new Counter({
    name: 'shop_answers_total',
    help: 'Answers of the response cache.',
    labelNames: ['kind'],
    registers,
    collect() {
      this.reset();
      const { hits, misses, checks } = responseCache.counts;
      for (const [kind, count] of Object.entries({ kept: hits, made: misses, checks })) this.inc({ kind }, count);
    },
  });
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  gauge('shop_answers_bytes', 'Size of the response cache.', () => responseCache.size);
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage().rss);
  gauge('process_uptime_seconds', 'Age of the process.', () => Math.round(process.uptime()));

  app.get('/metrics', { schema: { hide: true } as object }, async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound();
    const given = await Promise.all(app.metricLines.map(async (of) => of()));
    const lines = given.flat().map((line) => `${line}\n`);
    return reply.type(registry.contentType).send((await registry.metrics()) + lines.join(''));
  });
});
