/**
 * Compares a release with the previous one. Funnel steps, which the server counts, can roll back a canary. Reports of tabs cause an alert
 * and pause a canary; alone they roll back a release only if more networks fail than an attacker with 200 networks can explain.
 */
import { isAbove, isWorse, type Tally, upperBound } from './confidence';
import { METRICS, type Metric } from './health-event';
import { GROUPS, type Group, type Period, type Tallies } from './health-store';
import { describeStep, type Reach, type StepVerdict, stepsWaitFor } from './judge-steps';
import { above, type Histogram, p75, p75Bucket, samplesOf, type Vitals, vitalText } from './vitals';

/**
 * Each network has one sample, with the token that it got with a document. This number of failing networks may belong to one
 * attacker and is left out.
 */
const HOSTILE_NETWORKS = 200;
/** Probability that a release as good as the previous one is ever rolled back; the groups divide it. */
const ROLLBACK_ALPHA = 0.001;
/** The same for an alert. */
const ALERT_ALPHA = 0.01;
/** A smaller difference is not worth a rollback. */
const MARGIN = 0.01;
/** The limit if there are too few earlier visits. */
export const LIMIT_WITHOUT_BASELINE = 0.05;
const BASELINE_VISITS = 50;
const ALERT_VISITS = 5;
/** A metric is worse if this share more of the samples lies above the previous 75th percentile, and the percentile rose by this factor. */
const VITAL_MARGIN = 0.1;
const VITAL_GROWTH = 1.2;

export interface Sample extends Vitals {
  /** One visit for each network. */
  votes: Tallies;
  counted: Tallies;
}

export interface Comparison extends Period {
  /** The release that it is compared with and that would replace it; null for a canary of a new name. */
  to: string | null;
  fresh: Sample;
  before: Sample;
  steps?: readonly StepVerdict[];
}

export interface Evidence {
  test: 'failing networks' | 'worse' | 'refused requests' | 'vitals' | 'steps';
  group: Group | (string & {});
  fresh: Tally;
  before: Tally;
  seconds: number;
  traffic: number;
  metric?: { name: Metric; before: number; now: number };
  step?: StepVerdict;
}

export interface Verdict {
  verdict: 'bad' | 'alert' | 'well';
  evidence: Evidence | null;
}

/** Negative if an attacker could have made up all of it. */
export const withoutHostile = ({ visits, failures }: Tally): Tally => ({
  visits: visits - HOSTILE_NETWORKS,
  failures: failures - HOSTILE_NETWORKS,
});

/** Above this share a release fails too often. A canary is compared with visits of the same minutes only. */
function limitOf({ kind, to }: Comparison, before: Tallies, group: Group, alpha: number): number {
  const upper = (tally: Tally) => upperBound(tally, alpha / 2);
  if (kind === 'canary' && to !== null) return upper(before[group]);
  if (before[group].visits >= BASELINE_VISITS) return upper(before[group]);
  return Math.max(LIMIT_WITHOUT_BASELINE, before.all.visits >= BASELINE_VISITS ? upper(before.all) : 0);
}

function exceeds(tally: Tally, limit: () => number, alpha: number): boolean {
  if (tally.visits <= 0 || !(tally.failures / tally.visits > MARGIN)) return false;
  return isAbove(tally, limit() + MARGIN, alpha / 2);
}

function worseVital({ fresh, before }: Comparison): Evidence['metric'] | undefined {
  for (const metric of METRICS) {
    const [now, then] = [fresh.metrics[metric], before.metrics[metric]];
    const bucket = then && p75Bucket(then);
    if (!now || !then || bucket === undefined || bucket === null) continue;
    const [value, former] = [p75(metric, now) ?? 0, p75(metric, then) ?? 0];
    if (value < VITAL_GROWTH * former) continue;
    const tally = (of: Histogram): Tally => ({ visits: samplesOf(of), failures: above(of, bucket) });
    const bounds = { alpha: ALERT_ALPHA / METRICS.length, margin: VITAL_MARGIN };
    if (isWorse(tally(now), tally(then), bounds)) return { name: metric, before: former, now: value };
  }
  return undefined;
}

/**
 * Whether a release makes refused requests that the previous one did not make. They may be few or invented, so they cause an
 * alert and no rollback.
 */
function asksMore({ fresh, before }: Comparison): boolean {
  const shareOf = ({ refused, counted }: Sample) => (counted.all.visits > 0 ? refused / counted.all.visits : 0);
  return fresh.refused >= ALERT_VISITS && shareOf(fresh) > 2 * shareOf(before);
}

export function judge(comparison: Comparison): Verdict {
  const { fresh, before, traffic } = comparison;
  const alpha = ROLLBACK_ALPHA / GROUPS.length;
  const alertAlpha = ALERT_ALPHA / (2 * GROUPS.length);
  const seconds = Math.round(comparison.seconds);
  let alert: Evidence | null = null;
  for (const group of GROUPS)
    for (const kind of ['votes', 'counted'] as const) {
      const tally = fresh[kind][group];
      const evidence = { group, seconds, traffic, fresh: tally, before: before[kind][group] };
      const limit = (error: number) => () => limitOf(comparison, before[kind], group, error);
      if (kind === 'votes' && exceeds(withoutHostile(tally), limit(alpha), alpha))
        return { verdict: 'bad', evidence: { test: 'failing networks', ...evidence } };
      if (tally.visits >= ALERT_VISITS && exceeds(tally, limit(alertAlpha), alertAlpha))
        alert ??= { test: 'worse', ...evidence };
    }
  const missed = comparison.steps?.find(({ rule, verdict }) => verdict === 'bad' && !rule.dryRun);
  if (missed) return { verdict: 'bad', evidence: stepEvidence(comparison, missed) };
  const [now, then] = [fresh.counted.all, before.counted.all];
  const plain = { group: 'all' as const, seconds, traffic };
  if (!alert && asksMore(comparison)) {
    const asking = ({ counted, refused }: Sample) => ({ visits: counted.all.visits, failures: refused });
    alert = { ...plain, test: 'refused requests', fresh: asking(fresh), before: asking(before) };
  }
  const metric = worseVital(comparison);
  if (!alert && metric) alert = { ...plain, test: 'vitals', fresh: now, before: then, metric };
  return alert ? { verdict: 'alert', evidence: alert } : { verdict: 'well', evidence: null };
}

/** Counts the visits that did not complete the path as failures. */
export function stepEvidence({ seconds, traffic }: Comparison, step: StepVerdict): Evidence {
  const tallyOf = ({ visits, reached }: Reach): Tally => ({ visits, failures: visits - reached });
  const [fresh, before] = [tallyOf(step.fresh), tallyOf(step.control)];
  return { test: 'steps', group: step.group, fresh, before, seconds: Math.round(seconds), traffic, step };
}

const percent = ({ visits, failures }: Tally) =>
  `${((visits > 0 ? Math.min(1, failures / visits) : 0) * 100).toFixed(1)} %`;

export function describe({ version, to }: Comparison, evidence: Evidence): string {
  const { test, group, fresh, before, metric, step } = evidence;
  if (step) return describeStep(step, { version, to });
  const where = group === 'all' ? '' : ` (${group})`;
  if (test === 'vitals' && metric) {
    const shown = (value: number) => vitalText(metric.name, value);
    return `p75 of ${metric.name} is ${shown(metric.now)} with ${version}, ${shown(metric.before)} with ${to}`;
  }
  if (test === 'refused requests') {
    const former = to === null ? '' : `, ${before.failures} of ${before.visits} with ${to}`;
    return `the policy refused requests in ${fresh.failures} of ${fresh.visits} visits with ${version}${former}: check their targets before it gets more visitors`;
  }
  const compared = to === null ? '' : `, ${percent(before)} of ${before.visits} with ${to}`;
  return `${percent(fresh)} of ${fresh.visits} visits failed with ${version}${where}${compared}`;
}

/** The visits and networks that a canary needs before its next step. */
const STEP_VISITS = 50;
const STEP_NETWORKS = 20;

/** What a canary waits for before its next step; null if it may continue. */
export function waitsFor(comparison: Comparison, minutes: number): string | null {
  const { to, traffic, seconds, fresh, before } = comparison;
  if (seconds < minutes * 60) return `${Math.ceil(minutes - seconds / 60)} more minutes`;
  const { visits } = fresh.counted.all;
  if (visits < STEP_VISITS) return `${STEP_VISITS - visits} more visits`;
  // It waits for networks too, so that a single busy one cannot hurry a canary. If visitors come from few networks, fewer are needed.
  const proportional = (before.votes.all.visits * traffic) / (100 - traffic);
  const networks = to === null ? STEP_NETWORKS : Math.min(STEP_NETWORKS, Math.ceil(proportional / 2));
  if (fresh.votes.all.visits < networks) return `visits from ${networks - fresh.votes.all.visits} more networks`;
  // Some tabs report nothing at all if fewer than half of the visits arrive that the other visitors' share implies.
  const promised = (before.counted.all.visits * traffic) / (100 - traffic);
  if (visits < promised / 2) return `visits: ${visits} instead of about ${Math.round(promised)}`;
  return stepsWaitFor(comparison.steps ?? []);
}
