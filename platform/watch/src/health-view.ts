import { nextStep, type ReleaseMap } from '@platform/releases';
import { collect } from './collect';
import type { Tally } from './confidence';
import type { Metric } from './health-event';
import { type CountedError, type Funnel, GROUPS, type Group, type HealthStore, type Period } from './health-store';
import { describe, type Verdict, waitsFor } from './judge';
import { stepsWaitFor } from './judge-steps';
import { failingWebhooks, type Webhooks, watcherEvents } from './release-events';
import { releasesOf } from './release-metrics';
import { p75 } from './vitals';

const MOST_ERRORS = 10;
const FUNNEL_MINUTES = 180;

interface ReleaseHealth extends Tally {
  /** Failures per visit, 0 to 1; 0 without visits. */
  share: number;
  /** The 75th percentile: milliseconds, for CLS the score. */
  vitals: Partial<Record<Metric, number>>;
  /** Visits in which the Content-Security-Policy refused a request. */
  refused: number;
  segments: Array<Tally & { group: Group }>;
  funnel: Array<Omit<Funnel, 'name' | 'version'>>;
  errors: ReleaseError[];
}

interface ReleaseError extends Pick<CountedError, 'kind' | 'at' | 'visits'> {
  /** The position in the source by the source map of the release; absent if the map has none. */
  source?: string;
}

interface WatchState {
  kind: Period['kind'];
  verdict: Verdict['verdict'];
  why: string | null;
  next: { traffic: number; waitsFor: string | null } | null;
  /** The reason why a canary, even one without a plan, stays at its share; null if there is none. */
  undecided: string | null;
}

export type HealthView = Awaited<ReturnType<typeof readHealth>>;

/** `releases` of the result are by `name@version`, `watched` by name. */
export async function readHealth(
  health: HealthStore,
  map: ReleaseMap,
  shown: Array<{ name: string; version: string }>,
  webhooks: Pick<Webhooks, 'urls'>,
) {
  const selections = shown.map(({ name, version }) => ({
    id: `${name}@${version}`,
    name,
    version,
    shift: -6 * 3_600,
  }));
  const [look, tallies, samples, errors, events, failing, funnels] = await Promise.all([
    collect(health, map),
    health.counted(selections),
    health.vitals(shown),
    health.errors(shown, MOST_ERRORS),
    watcherEvents(health),
    failingWebhooks(health, webhooks),
    health.funnels(FUNNEL_MINUTES),
  ]);
  const releases = new Map<string, ReleaseHealth>();
  for (const [id, groups] of tallies) {
    const { visits, failures } = groups.all;
    releases.set(id, {
      visits,
      failures,
      share: visits > 0 ? Math.min(1, failures / visits) : 0,
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
      funnel: funnels
        .filter(({ name, version }) => `${name}@${version}` === id)
        .map(({ path, visits: begun, reached }) => ({ path, visits: begun, reached })),
      errors: (errors.get(id) ?? []).map(({ kind, at, visits }) => ({ kind, at, visits })),
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
      undecided: stepsWaitFor(comparison.steps ?? []),
      next: plan ? { traffic: nextStep(plan, traffic), waitsFor: waitsFor(comparison, plan.minutes) } : null,
    });
  }
  return { releases, watched, events, failingWebhooks: failing };
}

export type ReleaseReport = ReturnType<typeof healthReport>[number];

export const healthReport = ({ releases, watched }: HealthView, map: ReleaseMap) =>
  releasesOf(map).map((release) => {
    const state = watched.get(release.name);
    return {
      ...release,
      health: releases.get(`${release.name}@${release.version}`) ?? null,
      watched: state?.kind === release.role ? state : null,
    };
  });
