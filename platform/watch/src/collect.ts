import { liveVersion, type ReleaseMap } from '@platform/releases';
import {
  type HealthStore,
  noVisits,
  type Period,
  type SelectedSteps,
  type Selection,
  type ServedRelease,
  talliesOf,
} from './health-store';
import { type Comparison, judge, LIMIT_WITHOUT_BASELINE, type Sample, type Verdict, withoutHostile } from './judge';
import { judgeSteps, type Reaches } from './judge-steps';
import { releasesOf } from './release-metrics';
import { pathOf, stepRules } from './step-counts';
import { vitalsOf } from './vitals';

/** Seconds for which a release is judged after it went live. */
const FRESH_SECONDS = 6 * 3_600;
/** Seconds before a server noticed the change in which visits already belong to it. */
const NOTICED_WITHIN = -10;
const BASELINE_SECONDS = -6 * 3_600;
const RECENT_SECONDS = -600;
const ENOUGH = 20;

export interface Judged {
  comparison: Comparison;
  verdict: Verdict;
}

export interface Look {
  judged: Judged[];
  /** Whether every other release fails too, so that the cause is below them (API, network). */
  isEverywhere(name: string): boolean;
}

interface Plan {
  name: string;
  period: Period;
  fresh: Selection;
  /** The releases that it may be compared with, the latest last. */
  before: Selection[];
}

export async function collect(health: HealthStore, map: ReleaseMap): Promise<Look> {
  const periods = await health.recordPeriods(map.rev, servedReleases(map));
  const plans = Object.keys(map.microFrontends).flatMap((name) => planOf(map, periods, name) ?? []);
  const recent = Object.keys(map.microFrontends).map((name) => ({ id: `recent ${name}`, name, shift: RECENT_SECONDS }));
  const compared = plans.flatMap(({ fresh, before }) => [fresh, ...before]);
  const [steps, allVotes, allCounted, samples] = await Promise.all([
    health.steps(plans.flatMap(stepSelections)),
    health.votes([...compared, ...recent]),
    health.counted(compared),
    health.vitals(compared.map(({ name, version }) => ({ name, version: version ?? '' }))),
  ]);
  const sampleOf = (selection: Selection): Sample => ({
    votes: talliesOf(allVotes, selection.id),
    counted: talliesOf(allCounted, selection.id),
    ...vitalsOf(samples, selection),
  });

  const judged = plans.map(({ name, period, ...plan }): Judged => {
    const options = plan.before.map((selection) => ({ version: selection.version, sample: sampleOf(selection) }));
    const before = options.findLast(({ sample }) => isWell(sample)) ?? options.at(-1);
    const { kind, traffic, seconds } = period;
    const comparison = {
      ...period,
      to: before?.version ?? null,
      fresh: sampleOf(plan.fresh),
      before: before?.sample ?? { votes: noVisits(), counted: noVisits(), refused: 0, metrics: {} },
      steps: kind === 'canary' && before ? judgeSteps(stepSamples(map, name, steps), traffic, seconds) : [],
    };
    return { comparison, verdict: judge(comparison) };
  });

  const now = (name: string) => withoutHostile(talliesOf(allVotes, `recent ${name}`).all);
  return {
    judged,
    isEverywhere(name) {
      const others = Object.keys(map.microFrontends)
        .filter((other) => other !== name)
        .map(now)
        .filter(({ visits }) => visits >= ENOUGH);
      return others.length > 0 && others.every(({ visits, failures }) => failures > visits / 2);
    },
  };
}

/** The visits that a canary is judged by: its own, an equal part of the others, and all others. */
function stepSelections({ fresh, before: [other] }: Plan): Selection[] {
  if (fresh.traffic === undefined || fresh.traffic === 100 || !other) return [];
  return [
    { ...fresh, id: `fresh ${fresh.name}` },
    { ...other, id: `control ${fresh.name}`, control: true },
    { ...other, id: `others ${fresh.name}` },
  ];
}

const stepSamples = (map: ReleaseMap, name: string, steps: readonly SelectedSteps[]) =>
  stepRules(map, name).map((rule) => {
    const ofRule = steps.filter(({ path }) => path === pathOf(rule));
    const of = (part: string): Reaches =>
      Object.fromEntries(
        ofRule
          .filter(({ id }) => id === `${part} ${name}`)
          .map(({ word, visits, reached }) => [word, { visits, reached }]),
      );
    return { rule, fresh: of('fresh'), control: of('control'), others: of('others') };
  });

const servedReleases = (map: ReleaseMap): ServedRelease[] =>
  releasesOf(map).flatMap(({ role: kind, ...release }) => {
    if (kind === 'previous') return [];
    const mark = kind === 'live' ? (map.ops.since[release.name]?.at ?? '') : String(release.traffic);
    return [{ ...release, kind, mark }];
  });

/** Only a healthy release may serve as the baseline: two bad releases in a row must not excuse each other. */
const isWell = ({ votes: { all } }: Sample) =>
  all.visits >= ENOUGH && all.failures < LIMIT_WITHOUT_BASELINE * all.visits;

function planOf(map: ReleaseMap, periods: Period[], name: string): Plan | null {
  const of = (kind: Period['kind']) => periods.find((period) => period.name === name && period.kind === kind);
  const [live, canary] = [liveVersion(map, name) ? of('live') : undefined, of('canary')];
  const period = canary ?? live;
  if (!period || (!canary && period.seconds > FRESH_SECONDS)) return null;
  const { version, since: from } = period;
  const during = { name, from, shift: NOTICED_WITHIN };
  const fresh = { id: `fresh ${name}`, ...during, version, traffic: canary?.traffic ?? 100 };
  if (canary) {
    const rest = live && { id: `before ${name}`, ...during, version: live.version, traffic: 100 - canary.traffic };
    return { name, period, fresh, before: rest ? [rest] : [] };
  }
  const usable = (map.ops.trail[name] ?? []).filter(
    (earlier) => earlier !== version && !map.ops.frozen[name]?.some((frozen) => frozen.version === earlier),
  );
  const earlierHours = { name, from, to: from, shift: BASELINE_SECONDS };
  const before = usable.slice(-5).map((earlier) => ({ id: `${name}@${earlier}`, ...earlierHours, version: earlier }));
  return { name, period, fresh, before };
}
