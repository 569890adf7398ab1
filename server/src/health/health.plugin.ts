/** `POST /api/health/report`: batches of what browsers saw, from the shell's `sendBeacon`. Unknown releases are not counted. */
import { isReleaseName, isReleaseVersion, type MapSource, type ReleaseMap } from '@shop/release';
import { ErrorCode } from '@shop/shared/domain';
import type { FastifyPluginAsync } from 'fastify';
import type { HealthCounts, HealthEvent, HealthKind, Metric } from './health-counts';

const LARGEST_BATCH = 20;
const LARGEST_BODY = 8 * 1024;
/** Reports of one address in a minute. */
const REPORTS_A_MINUTE = 60;
/** Failures of one release that one address can add in a minute, so that one client cannot cause a rollback. */
const FAILURES_A_MINUTE = 5;
const KINDS: HealthKind[] = ['visit', 'load', 'render', 'vital'];
const METRICS: Metric[] = ['LCP', 'INP', 'CLS'];

function toEvent(value: unknown): HealthEvent | null {
  if (typeof value !== 'object' || value === null) return null;
  const { name, version, kind, page, recovered, metric, value: measured } = value as Record<string, unknown>;
  if (typeof name !== 'string' || !isReleaseName(name)) return null;
  if (typeof version !== 'string' || !isReleaseVersion(version)) return null;
  if (!KINDS.includes(kind as HealthKind)) return null;
  const event: HealthEvent = {
    name,
    version,
    kind: kind as HealthKind,
    page: typeof page === 'string' ? page.slice(0, 60) : '',
    recovered: recovered === true,
  };
  if (kind !== 'vital') return event;
  const limit = metric === 'CLS' ? 100 : 600_000;
  if (!METRICS.includes(metric as Metric) || typeof measured !== 'number' || !(measured >= 0 && measured <= limit))
    return null;
  return { ...event, metric: metric as Metric, value: measured };
}

/** Only releases in the map or its recent history are counted, so that made-up versions cannot fill the memory. */
function isKnown(map: ReleaseMap, { name, version }: HealthEvent): boolean {
  const entries = map.microFrontends[name] ?? [];
  return (
    entries.some(({ metadata, extras }) => metadata.version === version || extras.previous === version) ||
    (map.ops.trail[name]?.includes(version) ?? false) ||
    (map.ops.frozen[name]?.some((freeze) => freeze.version === version) ?? false)
  );
}

/** Counts per key in windows of one minute. */
export function minuteLimit(most: number, now: () => number = Date.now): (key: string) => boolean {
  let window = 0;
  let hits = new Map<string, number>();
  return (key) => {
    const current = Math.floor(now() / 60_000);
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
}

export function healthPlugin({ source, counts }: HealthOptions): FastifyPluginAsync {
  const allowed = minuteLimit(REPORTS_A_MINUTE);
  const failureAllowed = minuteLimit(FAILURES_A_MINUTE);
  return async (app) => {
    app.post<{ Body: unknown }>('/api/health/report', { bodyLimit: LARGEST_BODY }, async (request, reply) => {
      reply.header('cache-control', 'no-store');
      if (!allowed(request.ip)) return reply.code(429).send({ code: ErrorCode.TooManyRequests });
      const events = (request.body as { events?: unknown } | null)?.events;
      if (!Array.isArray(events) || events.length > LARGEST_BATCH)
        return reply.code(400).send({ code: ErrorCode.InvalidInput });
      const map = await source.get();
      for (const value of events) {
        const event = toEvent(value);
        if (!event || !isKnown(map, event)) continue;
        const failure = event.kind === 'load' || event.kind === 'render';
        if (!failure || failureAllowed(`${request.ip} ${event.name}@${event.version}`)) counts.add(event);
      }
      return reply.code(204).send();
    });
  };
}
