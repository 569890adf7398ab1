/**
 * Judges a canary by the funnel steps that its visitors reach. Visitors are assigned at random, so with an equal canary each
 * visitor who reaches a step belongs to the canary with a probability of its share. The confidence sequence of confidence.ts
 * estimates that share. Visits that reach nothing have no weight, so opening pages cannot make a release look bad.
 */
import type { StepRule } from '@platform/releases';
import { isAbove, isBelow } from './confidence';

/** Probability that a canary as good as the others is ever rolled back at one share; its rules and groups divide it. */
const BAD_ALPHA = 0.001;
/** The most words that segments can have; the groups besides 'all' share half of the probability. */
const MOST_GROUPS = 8;
const GOOD_ALPHA = 0.05;
/** A canary is good if it has not fallen by this share. */
const GOOD_BOUND = 0.5;
const DEFAULT_BOUND = 0.1;
const MOST_NEEDED = 1_000_000;

export interface Reach {
  visits: number;
  reached: number;
}
/** 'all' stands for all visits; the other keys are the words of segments. */
export type Reaches = Readonly<Record<string, Reach>>;

/** The visits that one rule compares. All of them began with the canary at this share. */
export interface StepSample {
  rule: StepRule;
  fresh: Reaches;
  /** An equal part of the others, or all others if there are fewer. */
  control: Reaches;
  /** All of the others, including that part. */
  others: Reaches;
}

export interface StepVerdict {
  rule: StepRule;
  verdict: 'good' | 'bad' | 'inconclusive';
  group: string;
  fresh: Reach;
  control: Reach;
  /** Minutes that the verdict still takes at the present traffic, while it is inconclusive; null if no visit completes the rule. */
  minutes: number | null;
}

const NONE: Reach = { visits: 0, reached: 0 };

function shifted(share: number, factor: number): number {
  return (factor * share) / (factor * share + 1 - share);
}

function isOff({ bound = DEFAULT_BOUND }: StepRule, fresh: Reach, other: Reach, share: number, alpha: number) {
  const visits = fresh.reached + other.reached;
  if (visits === 0) return false;
  // A visit that did not reach the first step failed earlier: another rule, perhaps of another release, judges that.
  const come = fresh.visits / Math.max(1, fresh.visits + other.visits);
  return isBelow({ visits, failures: fresh.reached }, shifted(Math.min(share, come), 1 - bound), alpha);
}

const isGood = (visits: number, failures: number, share: number): boolean =>
  isAbove({ visits, failures }, shifted(share, 1 - GOOD_BOUND), GOOD_ALPHA);

function needed(share: number): number {
  let visits = 1;
  while (visits < MOST_NEEDED && !isGood(visits, visits * share, share)) visits *= 1.05;
  return Math.ceil(visits);
}

/** `traffic`: per cent of the visitors that the canary has had for `seconds`. */
export function judgeSteps(samples: readonly StepSample[], traffic: number, seconds: number): StepVerdict[] {
  const part = Math.min(traffic, 100 - traffic);
  const share = traffic / (traffic + part);
  const judged = samples.filter(({ rule }) => !rule.dryRun).length;
  return samples.map(({ rule, fresh, control, others }) => {
    // Dry-run rules do not reduce the alpha of the other rules.
    const alpha = BAD_ALPHA / Math.max(1, judged) / 2;
    const groups = new Set(['all', ...Object.keys(fresh), ...Object.keys(control)]);
    for (const group of [...groups].slice(0, MOST_GROUPS + 1)) {
      const [now, then, rest] = [fresh[group] ?? NONE, control[group] ?? NONE, others[group] ?? NONE];
      const error = group === 'all' ? alpha : alpha / MOST_GROUPS;
      // Compared with both groups: an attacker would have to forge visits of all others, not of one part only.
      if (isOff(rule, now, then, share, error) && isOff(rule, now, rest, traffic / 100, error))
        return { rule, verdict: 'bad', group, fresh: now, control: then, minutes: null };
    }
    const [now, then] = [fresh.all ?? NONE, control.all ?? NONE];
    const reached = now.reached + then.reached;
    const plain = { rule, group: 'all', fresh: now, control: then };
    if (isGood(reached, now.reached, share)) return { ...plain, verdict: 'good', minutes: 0 };
    const rate = reached / Math.max(1, seconds / 60);
    const missing = Math.max(1, needed(share) - reached);
    return { ...plain, verdict: 'inconclusive', minutes: reached > 0 ? Math.ceil(missing / rate) : null };
  });
}

const shareOf = ({ visits, reached }: Reach) => `${visits > 0 ? ((reached / visits) * 100).toFixed(1) : '0.0'} %`;
const nameOf = ({ from, to }: StepRule) => `${from} → ${to}`;

export function describeStep(
  { rule, group, fresh, control }: StepVerdict,
  { version, to }: { version: string; to: string | null },
): string {
  const where = group === 'all' ? '' : ` (${group})`;
  return `${nameOf(rule)}${where}: ${shareOf(fresh)} of ${fresh.visits} visits with ${version}, ${shareOf(control)} of ${control.visits} in an equal part of the others with ${to}`;
}

/** What a canary waits for; null if every rule judges it good. */
export function stepsWaitFor(verdicts: readonly StepVerdict[]): string | null {
  const open = verdicts.filter(({ rule, verdict }) => verdict === 'inconclusive' && !rule.dryRun);
  if (open.length === 0) return null;
  const withoutVisits = open.filter(({ minutes }) => minutes === null);
  const [first] = withoutVisits;
  if (first) return `visits that complete ${withoutVisits.map(({ rule }) => nameOf(rule)).join(', ')}: none so far`;
  const longest = open.reduce((longest, other) => ((other.minutes ?? 0) > (longest.minutes ?? 0) ? other : longest));
  return `about ${longest.minutes} more minutes at the present traffic, until ${nameOf(longest.rule)} is conclusive (${longest.fresh.reached} visits complete it, and ${longest.control.reached} of an equal part of the others)`;
}
