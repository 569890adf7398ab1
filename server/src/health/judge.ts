/**
 * Compares a release with the one before. A rollback needs evidence that nobody can make up who reports from 200 networks:
 *
 * - either more networks fail than 200 hostile ones explain: that many failures are left out before the test;
 * - or the healthy visits that used to come are missing and failing ones come instead. Reports add visits; they take none away.
 *
 * What fails that test but is worse than before on its face is an alert, and a canary stays where it is.
 */
import { areMissing, bounds, isWorse, type Tally } from './confidence';
import type { Metric } from './health-event';
import { GROUPS, type Group, type Tallies } from './release-health';
import { above, type Histogram, p75, p75Bucket, samplesOf } from './vitals';

/** Networks that may be an attacker's. */
export const HOSTILE_NETWORKS = 200;
/** Chance that a release as good as the one before is ever rolled back, for each of the two tests; shared by the groups. */
export const ROLLBACK_ALPHA = 0.001;
/** The same for an alert. */
export const ALERT_ALPHA = 0.01;
/** Less than this much worse is not worth a rollback. */
const MARGIN = 0.01;
/** The limit where too few visits before are known. */
export const LIMIT_WITHOUT_BASELINE = 0.05;
const BASELINE_VISITS = 50;
const ALERT_VISITS = 5;
/** Healthy visits count as missing below this share of the expected ones. */
const MISSING = 0.2;
/** A metric is worse when so many more samples than before lie above the former 75th percentile, and the percentile rose so much. */
const VITAL_MARGIN = 0.1;
const VITAL_GROWTH = 1.2;

export type Metrics = Partial<Record<Metric, Histogram>>;

export interface Sample {
  /** One visit for each network. */
  votes: Tallies;
  /** All visits within the budgets. */
  counted: Tallies;
  vitals: Metrics;
  /** Visits in which the policy refused a request. */
  refused: number;
}

export interface Comparison {
  name: string;
  version: string;
  /** The release that it is compared with and that would serve instead; null for the first of a name, as a canary. */
  to: string | null;
  kind: 'live' | 'canary';
  /** Per cent of the visitors. */
  traffic: number;
  /** Since when, by the database's clock. */
  since: string;
  seconds: number;
  fresh: Sample;
  before: Sample;
  /** Healthy visits a minute by group before it was live, all visitors together. */
  rate: Record<Group, number>;
}

export interface Evidence {
  test: 'failing networks' | 'healthy visits missing' | 'worse' | 'refused requests' | 'vitals';
  group: Group;
  fresh: Tally;
  before: Tally;
  /** Healthy visits, and how many were expected. */
  healthy: number;
  expected: number;
  /** Failing networks left out as possibly hostile. */
  leftOut: number;
  seconds: number;
  traffic: number;
  metric?: { name: Metric; before: number; now: number };
}

export interface Verdict {
  verdict: 'bad' | 'alert' | 'well';
  evidence: Evidence | null;
}

const healthyOf = ({ visits, failures }: Tally) => visits - failures;

/** A canary's visitors come in proportion to the others; more than that may be hostile. */
function hostileNetworks({ kind, to, traffic, fresh, before }: Comparison, group: Group): number {
  if (kind === 'live' || to === null) return HOSTILE_NETWORKS;
  const expected = (before.votes[group].visits * traffic) / (100 - traffic);
  const surplus = fresh.votes[group].visits - expected + 3 * Math.sqrt(expected);
  return Math.min(HOSTILE_NETWORKS, Math.max(0, Math.ceil(surplus)));
}

/** The least of what the time before and, for a canary, the other visitors promise. */
function expectedHealthy({ kind, traffic, seconds, rate, before }: Comparison, group: Group): number {
  const byHistory = (rate[group] * seconds * traffic) / 6000;
  if (kind === 'live') return byHistory;
  return Math.min(byHistory, (healthyOf(before.counted[group]) * traffic) / (100 - traffic));
}

/** Above this share a release fails too often. A canary is compared with visits of the same minutes only. */
function limitOf({ kind, to }: Comparison, before: Tallies, group: Group, alpha: number): number {
  const upper = (tally: Tally) => bounds(tally, alpha / 2).upper;
  if (kind === 'canary' && to !== null) return upper(before[group]);
  if (before[group].visits >= BASELINE_VISITS) return upper(before[group]);
  return Math.max(LIMIT_WITHOUT_BASELINE, before.all.visits >= BASELINE_VISITS ? upper(before.all) : 0);
}

/** Whether the share is above the limit for sure; the limit is computed only where the share itself is. */
function exceeds(tally: Tally, limit: () => number, alpha: number): boolean {
  const share = tally.failures / tally.visits;
  if (tally.visits <= 0 || !(share > MARGIN)) return false;
  const least = limit() + MARGIN;
  return share > least && bounds(tally, alpha / 2).lower > least;
}

function worseVital({ fresh, before }: Comparison): Evidence['metric'] | undefined {
  for (const metric of ['LCP', 'INP', 'CLS'] as const) {
    const [now, then] = [fresh.vitals[metric], before.vitals[metric]];
    const bucket = then && p75Bucket(then);
    if (!now || !then || bucket === undefined || bucket === null) continue;
    const [value, former] = [p75(metric, now) ?? 0, p75(metric, then) ?? 0];
    if (value < VITAL_GROWTH * former) continue;
    const tally = (histogram: Histogram): Tally => ({
      visits: samplesOf(histogram),
      failures: above(histogram, bucket),
    });
    const given = { alpha: ALERT_ALPHA / 3, margin: VITAL_MARGIN };
    if (isWorse(tally(now), tally(then), given)) return { name: metric, before: former, now: value };
  }
  return undefined;
}

/** Of a release that asks where the one before did not ask: too few or too made-up for a rollback, and worth a look at once. */
function asksMore({ fresh, before }: Comparison): boolean {
  const shareOf = ({ refused, counted }: Sample) => (counted.all.visits > 0 ? refused / counted.all.visits : 0);
  return fresh.refused >= ALERT_VISITS && shareOf(fresh) > 2 * shareOf(before);
}

export function judge(comparison: Comparison): Verdict {
  const { fresh, before, seconds, traffic } = comparison;
  const alpha = ROLLBACK_ALPHA / GROUPS.length;
  const alertAlpha = ALERT_ALPHA / (2 * GROUPS.length);
  let alert: Evidence | null = null;
  for (const group of GROUPS) {
    const votes = fresh.votes[group];
    const counted = fresh.counted[group];
    const leftOut = hostileNetworks(comparison, group);
    const expected = expectedHealthy(comparison, group);
    const healthy = healthyOf(counted);
    const common = {
      group,
      healthy,
      expected: Math.round(expected),
      leftOut: 0,
      seconds: Math.round(seconds),
      traffic,
    };
    const trimmed = { visits: votes.visits - leftOut, failures: votes.failures - leftOut };
    if (exceeds(trimmed, () => limitOf(comparison, before.votes, group, alpha), alpha)) {
      const evidence = {
        ...common,
        test: 'failing networks' as const,
        fresh: votes,
        before: before.votes[group],
        leftOut,
      };
      return { verdict: 'bad', evidence };
    }
    if (counted.failures >= expected / 2 && healthy <= MISSING * expected && areMissing(healthy, expected, alpha)) {
      const evidence = {
        ...common,
        test: 'healthy visits missing' as const,
        fresh: counted,
        before: before.counted[group],
      };
      return { verdict: 'bad', evidence };
    }
    for (const kind of ['votes', 'counted'] as const) {
      const limit = () => limitOf(comparison, before[kind], group, alertAlpha);
      if (fresh[kind][group].visits < ALERT_VISITS || !exceeds(fresh[kind][group], limit, alertAlpha)) continue;
      alert ??= { ...common, test: 'worse', fresh: fresh[kind][group], before: before[kind][group] };
    }
  }
  const [now, then] = [fresh.counted.all, before.counted.all];
  const plain = { group: 'all' as const, healthy: healthyOf(now), expected: 0, leftOut: 0, seconds, traffic };
  if (!alert && asksMore(comparison)) {
    const asking = ({ counted, refused }: Sample) => ({ visits: counted.all.visits, failures: refused });
    alert = { ...plain, test: 'refused requests', fresh: asking(fresh), before: asking(before) };
  }
  const metric = worseVital(comparison);
  if (!alert && metric) alert = { ...plain, test: 'vitals', fresh: now, before: then, metric };
  return alert ? { verdict: 'alert', evidence: alert } : { verdict: 'well', evidence: null };
}

const percent = ({ visits, failures }: Tally) =>
  `${((visits > 0 ? Math.min(1, failures / visits) : 0) * 100).toFixed(1)} %`;

/** One sentence for people. */
export function describe(
  { version, to }: Comparison,
  { test, group, fresh, before, healthy, expected, metric }: Evidence,
): string {
  const where = group === 'all' ? '' : ` (${group})`;
  if (test === 'vitals' && metric) {
    const shown = (value: number) => (metric.name === 'CLS' ? value.toFixed(2) : `${Math.round(value)} ms`);
    return `p75 of ${metric.name} is ${shown(metric.now)} with ${version}, ${shown(metric.before)} with ${to}`;
  }
  if (test === 'refused requests') {
    const former = to === null ? '' : `, ${before.failures} of ${before.visits} with ${to}`;
    return `the policy refused requests in ${fresh.failures} of ${fresh.visits} visits with ${version}${former}: see where they would have gone before it gets more visitors`;
  }
  const missing =
    test === 'healthy visits missing' ? `; ${healthy} healthy visits came where about ${expected} were expected` : '';
  const compared = to === null ? '' : `, ${percent(before)} of ${before.visits} with ${to}`;
  return `${percent(fresh)} of ${fresh.visits} visits failed with ${version}${where}${compared}${missing}`;
}

/** Visits that a canary's step needs. */
export const STEP_VISITS = 50;
const STEP_NETWORKS = 20;

/** What a canary waits for before its next step; null when it may go on. */
export function waitsFor(comparison: Comparison, minutes: number): string | null {
  const { to, traffic, seconds, fresh, before } = comparison;
  if (seconds < minutes * 60) return `${Math.ceil(minutes - seconds / 60)} more minutes`;
  const { visits } = fresh.counted.all;
  if (visits < STEP_VISITS) return `${STEP_VISITS - visits} more visits`;
  // Of networks too: one that reports busily must not hurry a canary on. A shop behind few networks has no more of them.
  const proportional = (before.votes.all.visits * traffic) / (100 - traffic);
  const networks = to === null ? STEP_NETWORKS : Math.min(STEP_NETWORKS, Math.ceil(proportional / 2));
  if (fresh.votes.all.visits < networks) return `visits from ${networks - fresh.votes.all.visits} more networks`;
  // Tabs that report nothing at all: half of the visits that the other visitors promise are not there.
  const promised = (before.counted.all.visits * traffic) / (100 - traffic);
  if (visits < promised / 2) return `visits: ${visits} came where about ${Math.round(promised)} were expected`;
  return null;
}
