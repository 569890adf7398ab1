import type { ReleaseMap } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import type { HealthStore } from './health-store';
import { NetworkBudget } from './network-budget';
import { metricLines, releasesOf } from './release-metrics';
import { type NotedVisit, releasesOfVisit } from './step-counts';
import type { Visit } from './visit-token';

/** The most steps that are not stored yet; further ones are dropped while the store is away. */
const MOST_PENDING = 20_000;

interface StepReport {
  visit: Visit;
  network: string;
  step: string;
  segment: readonly string[];
}

interface Pending extends Omit<StepReport, 'step'> {
  steps: string[];
  at: number;
}

export class VisitSteps {
  private readonly seen = new LRUCache<string, Pick<Pending, 'segment'> & { steps: Set<string> | null }>({
    max: 50_000,
  });
  private readonly pending = new Map<string, Pending>();
  private readonly budget: NetworkBudget;
  /** By `name@version step`, for Prometheus. */
  private readonly totals = new LRUCache<string, number>({ max: 5_000 });

  constructor(
    secret: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.budget = new NetworkBudget(secret, now);
  }

  get size(): number {
    return this.pending.size;
  }

  note({ visit, network, step, segment }: StepReport): void {
    const seen = this.seen.get(visit.id) ?? { segment, steps: this.budget.take(network) ? new Set<string>() : null };
    this.seen.set(visit.id, seen);
    if (!seen.steps || seen.steps.has(step)) return;
    const waiting = this.pending.get(visit.id);
    if (!waiting && this.pending.size >= MOST_PENDING) return;
    seen.steps.add(step);
    const hashed = waiting?.network ?? this.budget.hash(network);
    const steps = [...(waiting?.steps ?? []), step];
    this.pending.set(visit.id, { visit, network: hashed, segment: seen.segment, steps, at: this.now() });
  }

  /**
   * Adds the steps since the last flush. If the store fails, they stay for the next flush. `mapAt`: the map of a revision; null
   * if it is lost.
   */
  async flush(
    store: Pick<HealthStore, 'addSteps'>,
    map: ReleaseMap,
    mapAt: (rev: number) => Promise<ReleaseMap | null>,
  ): Promise<void> {
    if (this.pending.size === 0) return;
    const batch = [...this.pending.values()];
    const maps = new Map<number, ReleaseMap | null>([[map.rev, map]]);
    for (const { visit } of batch) if (!maps.has(visit.rev)) maps.set(visit.rev, await mapAt(visit.rev));
    const now = this.now();
    const noted = batch.map(({ visit, at, ...rest }): NotedVisit => {
      const then = maps.get(visit.rev);
      // Another server may know a newer map than this one.
      const newest = then && then.rev > map.rev ? then : map;
      const releases = then ? releasesOfVisit(then, newest, visit) : [];
      return { ...rest, visit: visit.id, rev: visit.rev, age: Math.max(0, now - at) / 1000, releases };
    });
    await store.addSteps(noted);
    for (const { visit, releases, steps } of noted) {
      // Further steps may have come meanwhile.
      const waiting = this.pending.get(visit);
      const later = waiting?.steps.slice(steps.length) ?? [];
      if (waiting && later.length > 0) this.pending.set(visit, { ...waiting, steps: later });
      else this.pending.delete(visit);
      for (const { name, version } of releases)
        for (const step of steps) {
          const key = `${name}@${version} ${step}`;
          this.totals.set(key, (this.totals.get(key) ?? 0) + 1);
        }
    }
  }

  lines(prefix: string, map: ReleaseMap): string[] {
    const help = 'Visits that reached a step, as this server saw them, by the releases that their page had.';
    const samples = releasesOf(map).flatMap(({ name, version, role }) =>
      [...this.totals.keys()]
        .filter((key) => key.startsWith(`${name}@${version} `))
        .sort()
        .map((key) => ({
          labels: { name, version, role, step: key.slice(key.indexOf(' ') + 1) },
          value: this.totals.get(key) ?? 0,
        })),
    );
    return metricLines(`${prefix}_release_steps_total`, help, samples);
  }
}
