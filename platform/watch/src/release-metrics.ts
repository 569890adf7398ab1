import { canaryEntry, liveEntry, nextStep, type ReleaseMap } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import { FAILURES, type FailureKind, METRICS, type Metric } from './health-event';

type Role = 'live' | 'canary' | 'previous';

interface Shown {
  name: string;
  version: string;
  role: Role;
  /** Per cent of the visitors. */
  traffic: number;
}

/** Upper bounds, around the limits of "good" and "poor"; seconds, for CLS the score. */
const BOUNDS: Record<Metric, readonly number[]> = {
  LCP: [0.5, 1, 1.5, 2, 2.5, 3, 4, 6, 10],
  INP: [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2],
  CLS: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
};
const NAMES: Record<Metric, string> = {
  LCP: 'shop_release_lcp_seconds',
  INP: 'shop_release_inp_seconds',
  CLS: 'shop_release_cls',
};
/** More than can be live, canary or previous at a time. */
const MOST_RELEASES = 200;

/** Samples by upper bound; the last is +Inf. */
class Histogram {
  private readonly buckets: number[];
  private sum = 0;

  constructor(private readonly bounds: readonly number[]) {
    this.buckets = new Array<number>(bounds.length + 1).fill(0);
  }

  add(value: number): void {
    const index = this.bounds.findIndex((bound) => value <= bound);
    const bucket = index < 0 ? this.bounds.length : index;
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1;
    this.sum += value;
  }

  lines(name: string, labels: string): string[] {
    let count = 0;
    const buckets = this.buckets.map((samples, index) => {
      count += samples;
      return `${name}_bucket{${labels},le="${this.bounds[index] ?? '+Inf'}"} ${count}`;
    });
    return [...buckets, `${name}_sum{${labels}} ${+this.sum.toFixed(3)}`, `${name}_count{${labels}} ${count}`];
  }
}

interface Tally {
  visits: number;
  refused: number;
  failures: Record<FailureKind, number>;
  vitals: Record<Metric, Histogram>;
}

const record = <Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>;

/** What browsers reported to this server since its start, by release, for /metrics. */
export class ReleaseMetrics {
  private readonly tallies = new LRUCache<string, Tally>({ max: MOST_RELEASES });

  visit(name: string, version: string): void {
    this.of(name, version).visits += 1;
  }
  refused(name: string, version: string): void {
    this.of(name, version).refused += 1;
  }
  failure(name: string, version: string, kind: FailureKind): void {
    this.of(name, version).failures[kind] += 1;
  }
  /** `value` in milliseconds, for CLS the score. */
  vital(name: string, version: string, metric: Metric, value: number): void {
    this.of(name, version).vitals[metric].add(metric === 'CLS' ? value : value / 1000);
  }

  /** Of the live release of each name, its canary and the one before: whatever was reported, there are no more series. */
  lines(map: ReleaseMap): string[] {
    const shown = releasesOf(map);
    const names = Object.keys(map.microFrontends);
    const labels = ({ name, version, role }: Shown) => `name="${name}",version="${version}",role="${role}"`;
    const each = (line: (one: Shown, tally: Tally, labels: string) => string[]) =>
      shown.flatMap((one) => line(one, this.of(one.name, one.version), labels(one)));
    const changedAt = Date.parse(map.changed.at) / 1000;
    return [
      '# HELP shop_release_map_revision Number of the last change of the release map.',
      '# TYPE shop_release_map_revision gauge',
      `shop_release_map_revision ${map.rev}`,
      '# TYPE shop_release_map_changed_timestamp_seconds gauge',
      `shop_release_map_changed_timestamp_seconds ${Number.isNaN(changedAt) ? 0 : changedAt}`,
      '# HELP shop_release_traffic_percent Share of the visitors that a release has.',
      '# TYPE shop_release_traffic_percent gauge',
      ...each(({ traffic }, _, given) => [`shop_release_traffic_percent{${given}} ${traffic}`]),
      '# HELP shop_release_canary_next_percent The next share of a canary that is raised by itself.',
      '# TYPE shop_release_canary_next_percent gauge',
      ...shown.flatMap(({ name, version, role, traffic }) => {
        const plan = role === 'canary' && map.ops.plans?.[name];
        return plan
          ? [`shop_release_canary_next_percent{name="${name}",version="${version}"} ${nextStep(plan, traffic)}`]
          : [];
      }),
      '# HELP shop_release_freezes How many freezes stop promotes of a name or of its versions.',
      '# TYPE shop_release_freezes gauge',
      ...names.map((name) => `shop_release_freezes{name="${name}"} ${map.ops.frozen[name]?.length ?? 0}`),
      '# TYPE shop_release_rendering_off gauge',
      ...names.map((name) => `shop_release_rendering_off{name="${name}"} ${map.ops.renderingOff?.[name] ? 1 : 0}`),
      '# HELP shop_release_visits_total Visits of pages that browsers reported to this server.',
      '# TYPE shop_release_visits_total counter',
      ...each((_, { visits }, given) => [`shop_release_visits_total{${given}} ${visits}`]),
      '# HELP shop_release_refused_total Visits in which the policy of the document refused a request.',
      '# TYPE shop_release_refused_total counter',
      ...each((_, { refused }, given) => [`shop_release_refused_total{${given}} ${refused}`]),
      '# HELP shop_release_failures_total Visits that failed, by what failed first.',
      '# TYPE shop_release_failures_total counter',
      ...each((_, { failures }, given) =>
        FAILURES.map((kind) => `shop_release_failures_total{${given},kind="${kind}"} ${failures[kind]}`),
      ),
      ...METRICS.flatMap((metric) => [
        `# TYPE ${NAMES[metric]} histogram`,
        ...each((_, { vitals }, given) => vitals[metric].lines(NAMES[metric], given)),
      ]),
    ];
  }

  private of(name: string, version: string): Tally {
    const key = `${name}@${version}`;
    let tally = this.tallies.get(key);
    if (!tally) {
      tally = {
        visits: 0,
        refused: 0,
        failures: record(FAILURES, () => 0),
        vitals: record(METRICS, (metric) => new Histogram(BOUNDS[metric])),
      };
      this.tallies.set(key, tally);
    }
    return tally;
  }
}

/** A version has one role, the first of these. */
export function releasesOf(map: ReleaseMap): Shown[] {
  return Object.keys(map.microFrontends).flatMap((name) => {
    const [live, canary] = [liveEntry(map, name), canaryEntry(map, name)];
    const found = new Map<string, Shown>();
    const add = (role: Role, version: string | null | undefined, traffic = 0) => {
      if (version && !found.has(version)) found.set(version, { name, version, role, traffic });
    };
    add('live', live?.metadata.version, live?.deployment.traffic);
    add('canary', canary?.metadata.version, canary?.deployment.traffic);
    add('previous', live?.extras.previous);
    return [...found.values()];
  });
}
