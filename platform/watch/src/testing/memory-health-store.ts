import type { Tally } from '../confidence';
import {
  type CountedMinute,
  type Funnel,
  GROUPS,
  type Group,
  type HealthStore,
  noVisits,
  type Period,
  type Segment,
  type SelectedSteps,
  type SelectedVisits,
  type Selection,
  type ServedRelease,
  type Vote,
} from '../health-store';
import { type RecordedEvent, WATCHER, type WatcherKind } from '../release-event';
import { countSteps, type KnownVisit, type StepCount } from '../step-counts';

const MINUTE = 60_000;
/** A sample represents its network for this time. */
const STANDS_MS = 6 * 60 * MINUTE;

/** `at`: the time; for a minute, its start. */
type Row = Segment & { at: number; visits: number; failures: number };

const keyOf = ({ name, version }: { name: string; version: string }) => `${name}@${version}`;
const startOf = (at: number, unit: number) => Math.floor(at / unit) * unit;
const groupsOf = ({ language, device, signed_in }: Segment) =>
  ['all', language, device, signed_in ? 'signed in' : 'guest'] as Group[];

function add(tally: Tally, { visits, failures }: Tally): void {
  tally.visits += visits;
  tally.failures += failures;
}

/** Keeps in memory what the watcher reads and writes, forever. It has no vitals, errors or messages. */
export function memoryHealthStore(now: () => number = Date.now): HealthStore {
  const minutes = new Map<string, Row>();
  const votes = new Map<string, Row & Pick<Vote, 'visit'>>();
  const visits = new Map<string, KnownVisit & { at: number }>();
  const standing = new Set<string>();
  const steps: Array<StepCount & { at: number }> = [];
  let periods: Array<ServedRelease & { at: number }> = [];
  let reported: number | null = null;
  const events: RecordedEvent[] = [];

  function addMinute({ age, visits, failures, ...segment }: CountedMinute): void {
    const at = startOf(now() - age * 1000, MINUTE);
    const key = JSON.stringify([at, ...Object.values(segment)]);
    const known = minutes.get(key);
    if (known) add(known, { visits, failures });
    else minutes.set(key, { ...segment, at, visits, failures });
  }

  function addVote({ network, age, failed, added: _, ...vote }: Vote): void {
    const at = now() - age * 1000;
    const key = `${network} ${keyOf(vote)} ${vote.traffic}`;
    const known = votes.get(key);
    const isSame = known?.visit === vote.visit;
    const since = periods.filter((period) => keyOf(period) === keyOf(vote));
    // No longer than the period for which its release is judged.
    const stands = known && known.at >= Math.max(now() - STANDS_MS, ...since.map((period) => period.at));
    if (!isSame && stands) return;
    const failures = failed || (isSame && known.failures > 0) ? 1 : 0;
    votes.set(key, { ...vote, at: isSame ? known.at : at, visits: 1, failures });
  }

  const sums = (rows: Map<string, Row>, selections: readonly Selection[], unit: number) =>
    selections.flatMap(({ id, name, version, traffic, from, to, shift }): SelectedVisits[] => {
      const first = startOf((from ? Date.parse(from) : now()) + shift * 1000, unit);
      const end = to ? Date.parse(to) : Number.POSITIVE_INFINITY;
      const tallies = noVisits();
      for (const row of rows.values()) {
        if (row.name !== name || row.version !== (version ?? row.version)) continue;
        if (row.traffic !== (traffic ?? row.traffic) || row.at < first || row.at >= end) continue;
        for (const group of groupsOf(row)) add(tallies[group], row);
      }
      return GROUPS.map((visitors) => ({ id, visitors, ...tallies[visitors] }));
    });

  return {
    async addSteps(noted) {
      const placeOf = (network: string, rev: number) => `${network} ${rev}`;
      const added = countSteps(noted, visits, (network, rev) => standing.has(placeOf(network, rev)));
      for (const [id, { network, rev, ...visit }] of added.visits) {
        visits.set(id, { ...visit, at: visits.get(id)?.at ?? now() });
        if (visit.stands) standing.add(placeOf(network, rev));
      }
      steps.push(...added.counts.map((count) => ({ ...count, at: startOf(now() - count.age * 1000, MINUTE) })));
    },
    async steps(selections) {
      return selections.flatMap(({ id, name, version, traffic, control, from, to, shift }) => {
        const first = startOf((from ? Date.parse(from) : now()) + shift * 1000, MINUTE);
        const end = to ? Date.parse(to) : Number.POSITIVE_INFINITY;
        const sums = new Map<string, SelectedSteps>();
        for (const row of steps) {
          if (!row.stands || row.name !== name || row.version !== (version ?? row.version)) continue;
          if (row.traffic !== (traffic ?? row.traffic) || row.control !== (control ?? row.control)) continue;
          if (row.at < first || row.at >= end) continue;
          for (const word of ['all', ...row.segment]) {
            const { path, visits, reached } = row;
            const sum = sums.get(`${path} ${word}`) ?? { id, path, word, visits: 0, reached: 0 };
            sums.set(`${path} ${word}`, { ...sum, visits: sum.visits + visits, reached: sum.reached + reached });
          }
        }
        return [...sums.values()];
      });
    },
    async funnels(length) {
      const first = startOf(now(), MINUTE) - (length - 1) * MINUTE;
      const funnels = new Map<string, Funnel>();
      for (const { at, stands, name, version, path, visits, reached } of steps) {
        if (!stands || at < first) continue;
        const key = `${keyOf({ name, version })} ${path}`;
        const known = funnels.get(key) ?? { name, version, path, visits: 0, reached: 0 };
        funnels.set(key, { ...known, visits: known.visits + visits, reached: known.reached + reached });
      }
      return [...funnels.values()];
    },
    async add(counts) {
      counts.minutes.forEach(addMinute);
      counts.votes.forEach(addVote);
    },
    async recordPeriods(_rev, served) {
      const isSame = (one: ServedRelease) => (other: ServedRelease) =>
        (['name', 'kind', 'version', 'mark'] as const).every((field) => one[field] === other[field]);
      periods = served.map((one) => periods.find(isSame(one)) ?? { ...one, at: now() });
      return periods.map(({ mark: _, at, ...period }): Period => {
        return { ...period, since: new Date(at).toISOString(), seconds: (now() - at) / 1000 };
      });
    },
    votes: async (selections) => sums(votes, selections, 1),
    counted: async (selections) => sums(minutes, selections, MINUTE),
    vitals: async () => [],
    errors: async () => [],

    async recordEvent(event) {
      if (events.some(({ id }) => id === event.id)) return false;
      events.unshift({ ...event, at: new Date(now()).toISOString() });
      return true;
    },
    watcherEvents: async (limit) =>
      events.filter(({ who }) => who === WATCHER).slice(0, limit) as RecordedEvent<WatcherKind>[],
    claimMessages: async () => [],
    messageSent: async () => {},
    failingTargets: async () => [],
    async reportedUntil(rev) {
      reported = Math.min(reported ?? rev, rev);
      return reported;
    },
    async setReportedUntil(rev) {
      reported = Math.max(reported ?? rev, rev);
    },
  };
}
