import { nextStep, type ReleaseMap } from '@platform/releases';
import { collect } from './collect';
import type { Tally } from './confidence';
import type { Metric } from './health-event';
import { GROUPS, type Group, type HealthStore } from './health-store';
import { describe, waitsFor } from './judge';
import type { RecordedEvent, WatcherKind } from './release-event';
import { type FailingWebhook, failingWebhooks, type Webhooks, watcherEvents } from './release-events';
import { p75 } from './vitals';

const SERIES_MINUTES = 30;

/** How one version does, over the last six hours. */
export interface ReleaseHealth extends Tally {
  /** Failures for each visit, 0 to 1; 0 without visits. */
  share: number;
  /** Share of failures per minute, oldest first; null without a visit. */
  series: Array<number | null>;
  /** The 75th percentile: milliseconds, for CLS the score. */
  vitals: Partial<Record<Metric, number>>;
  /** Visits in which the policy refused a request. */
  refused: number;
  /** Without those that nobody belongs to. */
  segments: Array<Tally & { group: Group }>;
}

/** What the watcher thinks of what was promoted last. */
export interface WatchState {
  kind: 'live' | 'canary';
  verdict: 'bad' | 'alert' | 'well';
  /** Why, when it is not well. */
  why: string | null;
  /** Only for a canary with a plan. */
  next: { traffic: number; waitsFor: string | null } | null;
}

export interface HealthView {
  /** By `name@version`. */
  releases: Map<string, ReleaseHealth>;
  /** By name; absent for what is not judged. */
  watched: Map<string, WatchState>;
  /** Newest first. */
  events: RecordedEvent<WatcherKind>[];
  failingWebhooks: FailingWebhook[];
}

export async function readHealth(
  health: HealthStore,
  map: ReleaseMap,
  shown: Array<{ name: string; version: string }>,
  webhooks: Pick<Webhooks, 'urls'>,
): Promise<HealthView> {
  const selections = shown.map(({ name, version }) => ({
    id: `${name}@${version}`,
    name,
    version,
    shift: -6 * 3_600,
  }));
  const [look, tallies, minutes, samples, events, failing] = await Promise.all([
    collect(health, map),
    health.counted(selections),
    health.series(shown, SERIES_MINUTES),
    health.vitals(shown),
    watcherEvents(health, map.channel),
    failingWebhooks(health, webhooks),
  ]);
  const releases = new Map<string, ReleaseHealth>();
  for (const [id, groups] of tallies) {
    const { visits, failures } = groups.all;
    releases.set(id, {
      visits,
      failures,
      share: visits > 0 ? Math.min(1, failures / visits) : 0,
      series: minutes.get(id) ?? new Array<null>(SERIES_MINUTES).fill(null),
      vitals: Object.fromEntries(
        Object.entries(samples.get(id)?.metrics ?? {}).map(([metric, histogram]) => [
          metric,
          p75(metric as Metric, histogram),
        ]),
      ),
      refused: samples.get(id)?.refused ?? 0,
      segments: GROUPS.filter((group) => group !== 'all' && groups[group].visits > 0).map((group) => ({
        group,
        ...groups[group],
      })),
    });
  }
  const watched = new Map<string, WatchState>();
  for (const { comparison, verdict } of look.judged) {
    const { name, kind, traffic } = comparison;
    const plan = kind === 'canary' ? map.ops.plans?.[name] : undefined;
    watched.set(name, {
      kind,
      verdict: verdict.verdict,
      why: verdict.evidence && describe(comparison, verdict.evidence),
      next: plan ? { traffic: nextStep(plan, traffic), waitsFor: waitsFor(comparison, plan.minutes) } : null,
    });
  }
  return { releases, watched, events, failingWebhooks: failing };
}
