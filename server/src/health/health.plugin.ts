/**
 * `POST /api/health/report`: batches of what browsers saw, from the shell's `sendBeacon`. Unknown releases and reports without a
 * valid token are not counted. `POST /api/health/token`: the token, for documents that this server has not sent.
 */
import type { MapSource, ReleaseMap } from '@platform/releases';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyPluginAsync } from 'fastify';
import { networkOf } from '../platform/http/networks';
import type { HealthCounts } from '../../../platform/watch/src/health-counts';
import { toContext, toEvent } from '../../../platform/watch/src/health-event';
import type { VisitTokens } from '../../../platform/watch/src/visit-token';

const LARGEST_BATCH = 20;
const LARGEST_BODY = 8 * 1024;
/** Requests of one network in a minute. Many shoppers can be behind one; how much of them counts is HealthCounts' matter. */
const REQUESTS_A_MINUTE = 600;

/** The share of the visitors that this version has; 0 for what was live before; null when the map does not know it. */
export function trafficOf(map: ReleaseMap, name: string, version: string): number | null {
  const entries = map.microFrontends[name] ?? [];
  const entry = entries.find(({ metadata }) => metadata.version === version);
  if (entry) return entry.deployment.traffic;
  // Only those, so that made-up versions cannot fill the database.
  const isKnown =
    entries.some(({ extras }) => extras.previous === version) ||
    (map.ops.trail[name]?.includes(version) ?? false) ||
    (map.ops.frozen[name]?.some((frozen) => frozen.version === version) ?? false);
  return isKnown ? 0 : null;
}

/** Counts per key in windows of one minute. */
export function minuteLimit(most: number): (key: string) => boolean {
  let window = 0;
  let hits = new Map<string, number>();
  return (key) => {
    const current = Math.floor(Date.now() / 60_000);
    if (current !== window || hits.size > 50_000) {
      window = current;
      hits = new Map();
    }
    const count = (hits.get(key) ?? 0) + 1;
    hits.set(key, count);
    return count <= most;
  };
}

export interface HealthOptions {
  source: MapSource;
  counts: HealthCounts;
  tokens: VisitTokens;
}

interface Report {
  token?: unknown;
  context?: unknown;
  events?: unknown;
}

export function healthPlugin({ source, counts, tokens }: HealthOptions): FastifyPluginAsync {
  const allowed = minuteLimit(REQUESTS_A_MINUTE);
  return async (app) => {
    app.post<{ Body: Report | null }>('/api/health/report', { bodyLimit: LARGEST_BODY }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!allowed(networkOf(request.ip))) return reply.code(429).send({ code: ErrorCode.TooManyRequests });
      const { token, context, events } = request.body ?? {};
      if (!Array.isArray(events) || events.length > LARGEST_BATCH)
        return reply.code(400).send({ code: ErrorCode.InvalidInput });
      if (!tokens.counts(request, token)) {
        // A phone that has changed its network, or a tab from before a deploy: its next report counts.
        tokens.give(request, reply);
        return reply.code(204).send();
      }
      const map = await source.get();
      for (const value of events) {
        const event = toEvent(value);
        const traffic = event && trafficOf(map, event.name, event.version);
        if (!event || traffic === null) continue;
        counts.add(event, { address: request.ip, context: toContext(context), traffic });
      }
      return reply.code(204).send();
    });

    app.post('/api/health/token', { bodyLimit: 1024 }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!allowed(networkOf(request.ip))) return reply.code(429).send({ code: ErrorCode.TooManyRequests });
      return reply.send({ token: tokens.give(request, reply) });
    });
  };
}
