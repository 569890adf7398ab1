import { canaryEntry, liveEntry, liveVersion, type ReleaseMap } from '@platform/releases';
import {
  type HealthStore,
  noVisits,
  type Period,
  type Selection,
  type ServedRelease,
  type Tallies,
} from './health-store';
import { type Comparison, judge, LIMIT_WITHOUT_BASELINE, type Sample, type Verdict } from './judge';

/** How long a release is judged after it went live. */
const FRESH_SECONDS = 6 * 3_600;
/** Visits shortly before a server had noticed the change belong to it. */
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
  /** With which it may be compared, in the order in which they were live. */
  before: Array<{ version: string; selection: Selection }>;
}

/** Reads all that was reported, by the store's clock, and judges it. */
export async function collect(health: HealthStore, map: ReleaseMap): Promise<Look> {
  const periods = await health.recordPeriods(map, servedReleases(map));
  const plans = Object.keys(map.microFrontends).flatMap((name) => planOf(map, periods, name) ?? []);
  const recent = Object.keys(map.microFrontends).map((name) => ({ id: `recent ${name}`, name, shift: RECENT_SECONDS }));
  const compared = plans.flatMap(({ fresh, before }) => [fresh, ...before.map(({ selection }) => selection)]);
  const [allVotes, allCounted, samples] = await Promise.all([
    health.votes(compared),
    health.counted([...compared, ...recent]),
    health.vitals(compared.map(({ name, version }) => ({ name, version: version ?? '' }))),
  ]);
  const sampleOf = ({ id, name, version }: Selection): Sample => ({
    votes: allVotes.get(id) as Tallies,
    counted: allCounted.get(id) as Tallies,
    vitals: samples.get(`${name}@${version}`)?.metrics ?? {},
    refused: samples.get(`${name}@${version}`)?.refused ?? 0,
  });

  const judged: Judged[] = [];
  for (const plan of plans) {
    const { name, period } = plan;
    const options = plan.before.map(({ version, selection }) => ({ version, sample: sampleOf(selection) }));
    const before = options.findLast(({ sample }) => isWell(sample)) ?? options.at(-1);
    // Of a new name nothing served before its canary.
    if (!before && plan.period.kind === 'live') continue;
    const { version, kind, traffic, seconds, since } = period;
    const comparison = {
      name,
      version,
      to: before?.version ?? null,
      kind,
      traffic,
      seconds,
      since,
      fresh: sampleOf(plan.fresh),
      before: before?.sample ?? { votes: noVisits(), counted: noVisits(), vitals: {}, refused: 0 },
    };
    judged.push({ comparison, verdict: judge(comparison) });
  }

  const now = (name: string) => (allCounted.get(`recent ${name}`) as Tallies).all;
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

/** Live releases and canaries of the map. */
const servedReleases = (map: ReleaseMap): ServedRelease[] =>
  Object.keys(map.microFrontends).flatMap((name) =>
    (['live', 'canary'] as const).flatMap((kind) => {
      const entry = (kind === 'live' ? liveEntry : canaryEntry)(map, name);
      if (!entry) return [];
      const mark = kind === 'live' ? (map.ops.since[name]?.at ?? '') : String(entry.deployment.traffic);
      return [{ name, kind, version: entry.metadata.version, mark, traffic: entry.deployment.traffic }];
    }),
  );

/** A release that is known to do well is what a bad one is compared with: two bad ones in a row must not excuse each other. */
const isWell = ({ votes: { all } }: Sample) =>
  all.visits >= ENOUGH && all.failures < LIMIT_WITHOUT_BASELINE * all.visits;

function planOf(map: ReleaseMap, periods: Period[], name: string): Plan | null {
  const of = (kind: Period['kind']) => periods.find((period) => period.name === name && period.kind === kind);
  const [live, canary] = [liveVersion(map, name) ? of('live') : undefined, of('canary')];
  if (canary) {
    const during = { name, from: canary.since, shift: NOTICED_WITHIN };
    const rest = (version: string) => ({ id: `before ${name}`, ...during, version, traffic: 100 - canary.traffic });
    return {
      name,
      period: canary,
      fresh: { id: `fresh ${name}`, ...during, version: canary.version, traffic: canary.traffic },
      before: live ? [{ version: live.version, selection: rest(live.version) }] : [],
    };
  }
  if (!live) return null;
  const action = map.ops.since[name]?.action;
  if (action === 'rollback' || action === 'restore' || live.seconds > FRESH_SECONDS) return null;
  const usable = (map.ops.trail[name] ?? []).filter(
    (version) => version !== live.version && !map.ops.frozen[name]?.some((frozen) => frozen.version === version),
  );
  return {
    name,
    period: live,
    fresh: {
      id: `fresh ${name}`,
      name,
      version: live.version,
      traffic: 100,
      from: live.since,
      shift: NOTICED_WITHIN,
    },
    before: usable.slice(-5).map((version) => ({
      version,
      selection: {
        id: `${name}@${version}`,
        name,
        version,
        from: live.since,
        to: live.since,
        shift: BASELINE_SECONDS,
      },
    })),
  };
}
