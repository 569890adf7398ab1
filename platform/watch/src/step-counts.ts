import { canaryEntry, type ReleaseMap, SHELL, type StepRule, selectEntry } from '@platform/releases';
import type { VisitPage } from './visit-token';

/** The step that every visit reaches with its document. */
export const ARRIVAL = 'visit';

export interface CountedRelease {
  name: string;
  version: string;
  /** Per cent of the visitors. */
  traffic: number;
  /** The visitor belongs to the equal part of the others with which a canary is compared. */
  control: boolean;
  /** 'a>b': of the visits that reach a, the number that reaches b. */
  paths: readonly string[];
}

export interface NotedVisit {
  visit: string;
  network: string;
  rev: number;
  /** Seconds since the last of them. */
  age: number;
  /** Known properties of the visitor, such as the language; one word each. */
  segment: readonly string[];
  steps: readonly string[];
  releases: readonly CountedRelease[];
}

export interface KnownVisit {
  /** It is its network's first visit with this revision of the map. Only such visits are judged. */
  stands: boolean;
  steps: readonly string[];
}

export interface StepCount extends Omit<CountedRelease, 'paths'> {
  path: string;
  segment: readonly string[];
  stands: boolean;
  age: number;
  visits: number;
  reached: number;
}

export const pathOf = ({ from, to }: Pick<StepRule, 'from' | 'to'>): string => `${from}>${to}`;

/**
 * The rules of a name. Rules of the live release come first, so that a canary cannot drop one. The shell is part of every page,
 * so it has the rules of all names.
 */
export function stepRules(map: ReleaseMap, name: string): StepRule[] {
  const names = name === SHELL ? Object.keys(map.microFrontends).sort() : [name];
  const entries = names.flatMap((remote) => {
    const all = map.microFrontends[remote] ?? [];
    return [...all].sort((left, right) => Number(right.deployment.default) - Number(left.deployment.default));
  });
  const rules = new Map<string, StepRule>();
  for (const rule of entries.flatMap(({ extras }) => extras.remote?.steps ?? []))
    if (!rules.has(pathOf(rule))) rules.set(pathOf(rule), rule);
  return [...rules.values()];
}

/**
 * The releases on the page of this document. A tab gets a new release by a navigation, without a document, so the server does not know its
 * release after a change. A name therefore counts only while the map gives the visitor the release of the document, at the same share.
 */
export function releasesOfVisit(
  then: ReleaseMap,
  now: ReleaseMap,
  { visitor }: Pick<VisitPage, 'visitor'>,
): CountedRelease[] {
  return Object.keys(now.microFrontends).flatMap((name) => {
    const canary = canaryEntry(now, name)?.deployment.traffic;
    // The page chooses the number itself and does not report it.
    if (visitor === null && canary !== undefined) return [];
    const [documentEntry, offered] = [then, now].map((map) => selectEntry(map.microFrontends[name], visitor));
    const { version } = offered?.metadata ?? {};
    const paths = stepRules(now, name).map(pathOf);
    if (!offered || !version || documentEntry?.metadata.version !== version || paths.length === 0) return [];
    const { traffic } = offered.deployment;
    if (documentEntry.deployment.traffic !== traffic) return [];
    const control = canary !== undefined && offered.deployment.default && (visitor ?? 100) < 2 * canary;
    return [{ name, version, traffic, control, paths }];
  });
}

/** Counts each step of a visit once. Returns the counts to add, and the new record of the visits. */
export function countSteps(
  noted: readonly NotedVisit[],
  known: ReadonlyMap<string, KnownVisit>,
  /** Whether the network already has a visit that represents it with this revision. */
  hasStanding: (network: string, rev: number) => boolean,
): { visits: Map<string, KnownVisit & Pick<NotedVisit, 'network' | 'rev'>>; counts: StepCount[] } {
  const visits = new Map<string, KnownVisit & Pick<NotedVisit, 'network' | 'rev'>>();
  const standing = new Set<string>();
  const counts = new Map<string, StepCount>();
  for (const { visit, network, rev, age, segment, steps, releases } of noted) {
    const before = visits.get(visit) ?? known.get(visit);
    const place = `${network} ${rev}`;
    const stands = before?.stands ?? !(standing.has(place) || hasStanding(network, rev));
    if (stands) standing.add(place);
    const reached = [...(before?.steps ?? [])];
    for (const step of steps) {
      if (reached.includes(step)) continue;
      for (const { paths, ...release } of releases)
        for (const path of paths) {
          const [from = '', to] = path.split('>');
          const isEnd = step === to && reached.includes(from);
          if (step !== from && !isEnd) continue;
          const key = JSON.stringify([release, path, segment, stands, Math.floor(age / 10)]);
          const row = counts.get(key) ?? { ...release, path, segment, stands, age, visits: 0, reached: 0 };
          if (isEnd) row.reached += 1;
          else row.visits += 1;
          counts.set(key, row);
        }
      reached.push(step);
    }
    visits.set(visit, { network, rev, stands, steps: reached });
  }
  return { visits, counts: [...counts.values()] };
}
