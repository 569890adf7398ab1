import { canaryEntry, liveEntry, nextStep, type ReleaseMap } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import { FAILURES, METRICS, type Metric } from './health-event';

interface SeriesSample {
  labels: Readonly<Record<string, string | number>>;
  value: number;
}

function labelText(labels: SeriesSample['labels']): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
  return parts.length > 0 ? `{${parts.join()}}` : '';
}

/** For Prometheus, by whose convention the names of counters, and of no gauges, end with "_total". */
export const metricLines = (name: string, help: string, samples: readonly SeriesSample[]): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${name.endsWith('_total') ? 'counter' : 'gauge'}`,
  ...samples.map(({ labels, value }) => `${name}${labelText(labels)} ${value}`),
];

type Role = 'live' | 'canary' | 'previous';

interface ShownRelease {
  name: string;
  version: string;
  role: Role;
  /** Per cent of the visitors. */
  traffic: number;
}

/** `bounds`: upper bounds, around the limits of "good" and "poor"; seconds, for CLS the score. */
const VITALS = {
  LCP: { series: 'lcp_seconds', factor: 1e-3, bounds: [0.5, 1, 1.5, 2, 2.5, 3, 4, 6, 10] },
  INP: { series: 'inp_seconds', factor: 1e-3, bounds: [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1, 2] },
  CLS: { series: 'cls', factor: 1, bounds: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1] },
};
/** More than can be live, canary or previous at a time. */
const MOST_RELEASES = 200;

/** Samples by upper bound. */
class Histogram {
  private readonly counts = new Map<number | '+Inf', number>();
  private sum = 0;

  constructor(private readonly metric: Metric) {}

  /** Milliseconds; for CLS the score. */
  add(measured: number): void {
    const { factor, bounds } = VITALS[this.metric];
    const value = measured * factor;
    const bound = bounds.find((upper) => value <= upper) ?? '+Inf';
    this.counts.set(bound, (this.counts.get(bound) ?? 0) + 1);
    this.sum += value;
  }

  lines(name: string, labels: Readonly<Record<string, string>>): string[] {
    let count = 0;
    const buckets = [...VITALS[this.metric].bounds, '+Inf' as const].map((le) => {
      count += this.counts.get(le) ?? 0;
      return `${name}_bucket${labelText({ ...labels, le })} ${count}`;
    });
    const text = labelText(labels);
    return [...buckets, `${name}_sum${text} ${+this.sum.toFixed(3)}`, `${name}_count${text} ${count}`];
  }
}

const record = <Key extends string, Value>(keys: readonly Key[], of: (key: Key) => Value) =>
  Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<Key, Value>;

const emptyTally = () => ({
  visits: 0,
  refused: 0,
  failures: record(FAILURES, () => 0),
  vitals: record(METRICS, (metric) => new Histogram(metric)),
});

export class ReleaseMetrics {
  private readonly tallies = new LRUCache<string, ReturnType<typeof emptyTally>>({
    max: MOST_RELEASES,
    memoMethod: emptyTally,
  });

  /** To be counted up. */
  of(name: string, version: string) {
    return this.tallies.memo(`${name}@${version}`);
  }

  /** Only the live release of each name, its canary and the previous one, so that reports cannot create further series. */
  lines(prefix: string, map: ReleaseMap): string[] {
    const shown = releasesOf(map).map((release) => ({
      ...release,
      ...this.of(release.name, release.version),
      labels: { name: release.name, version: release.version, role: release.role },
    }));
    const ofShown = (field: 'traffic' | 'visits' | 'refused') =>
      shown.map((release) => ({ labels: release.labels, value: release[field] }));
    const names = Object.keys(map.microFrontends);
    const ofNames = (value: (name: string) => number) =>
      names.map((name) => ({ labels: { name }, value: value(name) }));
    const changedAt = Date.parse(map.changed.at) / 1000;
    const lines = (name: string, help: string, samples: readonly SeriesSample[]) =>
      metricLines(`${prefix}_release_${name}`, help, samples);
    return [
      ...lines('map_revision', 'Number of the last change of the release map.', [{ labels: {}, value: map.rev }]),
      ...lines('map_changed_timestamp_seconds', 'When the release map was changed last.', [
        { labels: {}, value: Number.isNaN(changedAt) ? 0 : changedAt },
      ]),
      ...lines('traffic_percent', 'Share of the visitors that a release has.', ofShown('traffic')),
      ...lines(
        'canary_next_percent',
        'The next share of a canary with a plan.',
        shown.flatMap(({ name, version, role, traffic }) => {
          const plan = role === 'canary' && map.ops.plans?.[name];
          return plan ? [{ labels: { name, version }, value: nextStep(plan, traffic) }] : [];
        }),
      ),
      ...lines(
        'freezes',
        'How many freezes stop promotes of a name or of its versions.',
        ofNames((name) => map.ops.frozen[name]?.length ?? 0),
      ),
      ...lines(
        'rendering_off',
        'Whether the pages of a name are not rendered.',
        ofNames((name) => (map.ops.renderingOff?.[name] ? 1 : 0)),
      ),
      ...lines('visits_total', 'Visits of pages that browsers reported to this server.', ofShown('visits')),
      ...lines('refused_total', 'Visits in which the policy of the document refused a request.', ofShown('refused')),
      ...lines(
        'failures_total',
        'Visits that failed, by what failed first.',
        shown.flatMap(({ labels, failures }) =>
          FAILURES.map((kind) => ({ labels: { ...labels, kind }, value: failures[kind] })),
        ),
      ),
      ...METRICS.flatMap((metric) => {
        const name = `${prefix}_release_${VITALS[metric].series}`;
        return [
          `# TYPE ${name} histogram`,
          ...shown.flatMap(({ labels, vitals }) => vitals[metric].lines(name, labels)),
        ];
      }),
    ];
  }
}

/** A version has one role, the first of these. */
export function releasesOf(map: ReleaseMap): ShownRelease[] {
  return Object.keys(map.microFrontends).flatMap((name) => {
    const [live, canary] = [liveEntry(map, name), canaryEntry(map, name)];
    const shown = new Map<string, ShownRelease>();
    const add = (role: Role, version: string | undefined, traffic = 0) => {
      if (version && !shown.has(version)) shown.set(version, { name, version, role, traffic });
    };
    add('live', live?.metadata.version, live?.deployment.traffic);
    add('canary', canary?.metadata.version, canary?.deployment.traffic);
    add('previous', live?.extras.fallback?.version);
    return [...shown.values()];
  });
}

/** The share of the visitors that this version has; 0 for the previous live release; null if the map does not contain it. */
export function trafficOf(map: ReleaseMap, name: string, version: string): number | null {
  const entries = map.microFrontends[name] ?? [];
  const entry = entries.find(({ metadata }) => metadata.version === version);
  if (entry) return entry.deployment.traffic;
  // Only these versions, so that invented versions cannot fill the store.
  const isKnown =
    entries.some(({ extras }) => extras.fallback?.version === version) ||
    (map.ops.trail[name]?.includes(version) ?? false) ||
    (map.ops.frozen[name]?.some((frozen) => frozen.version === version) ?? false);
  return isKnown ? 0 : null;
}
