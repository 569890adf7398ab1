import { nextStep, type ReleaseMap } from '@platform/releases';
import { collect, type Judged } from './collect';
import type { Metric } from './health-event';
import { type CountedError, GROUPS, type HealthStore, type NamedRelease, talliesOf } from './health-store';
import { describe, waitsFor } from './judge';
import { stepsWaitFor } from './judge-steps';
import { failingWebhooks, type Webhooks } from './release-events';
import { releasesOf } from './release-metrics';
import { p75, vitalsOf } from './vitals';

const MOST_ERRORS = 10;
const FUNNEL_MINUTES = 180;
/** Six hours ago. */
const SHIFT = -6 * 3_600;
const MOST_EVENTS = 30;

interface ReleaseError extends Pick<CountedError, 'kind' | 'at' | 'visits'> {
  /** The position in the source by the source map of the release; absent if the map has none. */
  source?: string;
}

export type HealthView = Awaited<ReturnType<typeof readHealth>>;
export type ReleaseReport = HealthView['releases'][number];

/** What all servers counted of the releases that a map shows, and what the watcher concludes from it. */
export async function readHealth(health: HealthStore, map: ReleaseMap, webhooks: Pick<Webhooks, 'urls'>) {
  const shown = releasesOf(map);
  const idOf = ({ name, version }: NamedRelease) => `${name}@${version}`;
  const selections = shown.map(({ name, version }) => ({ id: idOf({ name, version }), name, version, shift: SHIFT }));
  const [look, tallies, samples, errors, events, failing, funnels] = await Promise.all([
    collect(health, map),
    health.counted(selections),
    health.vitals(shown),
    health.errors(shown, MOST_ERRORS),
    health.watcherEvents(MOST_EVENTS),
    failingWebhooks(health, webhooks),
    health.funnels(FUNNEL_MINUTES),
  ]);
  const healthOf = (release: NamedRelease) => {
    const groups = talliesOf(tallies, idOf(release));
    const { visits, failures } = groups.all;
    const { metrics, refused } = vitalsOf(samples, release);
    const isOfRelease = (row: NamedRelease) => idOf(row) === idOf(release);
    /** The 75th percentile: milliseconds, for CLS the score. */
    const vitals: Partial<Record<Metric, number>> = Object.fromEntries(
      Object.entries(metrics).map(([metric, histogram]) => [metric, p75(metric as Metric, histogram)]),
    );
    return {
      visits,
      failures,
      /** Failures per visit, 0 to 1; 0 without visits. */
      share: visits > 0 ? Math.min(1, failures / visits) : 0,
      vitals,
      /** Visits in which the Content-Security-Policy refused a request. */
      refused,
      segments: GROUPS.filter((group) => group !== 'all' && groups[group].visits > 0).map((group) => ({
        group,
        ...groups[group],
      })),
      funnel: funnels.filter(isOfRelease).map(({ path, visits: begun, reached }) => ({ path, visits: begun, reached })),
      errors: errors.filter(isOfRelease).map(({ kind, at, visits }): ReleaseError => ({ kind, at, visits })),
    };
  };
  const releases = shown.map((release) => {
    const judged = look.judged.find(({ comparison: { name, kind } }) => name === release.name && kind === release.role);
    return { ...release, health: healthOf(release), watched: judged ? watchState(map, judged) : null };
  });
  return { releases, events, failingWebhooks: failing };
}

function watchState(map: ReleaseMap, { comparison, verdict: { verdict, evidence } }: Judged) {
  const { name, kind, traffic } = comparison;
  const plan = kind === 'canary' ? map.ops.plans?.[name] : undefined;
  return {
    kind,
    verdict,
    why: evidence && describe(comparison, evidence),
    /** The reason why a canary, even one without a plan, stays at its share; null if there is none. */
    undecided: stepsWaitFor(comparison.steps ?? []),
    next: plan ? { traffic: nextStep(plan, traffic), waitsFor: waitsFor(comparison, plan.minutes) } : null,
  };
}
