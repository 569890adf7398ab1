/**
 * Rolls a fresh release back when it fails more often than the previous one. It judges only what a promote or a canary has just
 * brought, never what a rollback brought back, and it freezes what it takes away: so it cannot flap.
 */
import {
  type Author,
  canaryEntry,
  freeze,
  isFrozen,
  liveEntry,
  type MapSource,
  type ReleaseMap,
  rollback,
  type Store,
} from '@shop/release';
import type { HealthCounts, Totals } from './health-counts';

export interface Bounds {
  /** Share of failures from which a release counts as bad. */
  share: number;
  /** And at least this many times the share of the previous release. */
  factor: number;
  /** Releases with fewer visits are not judged. */
  visits: number;
  /** A release is fresh for this long after its promote, in milliseconds. */
  fresh: number;
}

export const BOUNDS: Bounds = { share: 0.05, factor: 3, visits: 50, fresh: 3_600_000 };

export interface Judgement {
  name: string;
  version: string;
  /** What serves instead. */
  to: string;
  kind: 'release' | 'canary';
  why: string;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Few visits of the release before say little of it, so their failures are seen as a share of as many as the bound asks for. */
const shareOf = ({ failures, visits }: Totals, bounds: Bounds) =>
  Math.min(1, failures / Math.max(visits, bounds.visits, 1));

function isBad(fresh: Totals, before: Totals, bounds: Bounds): boolean {
  return (
    fresh.visits >= bounds.visits &&
    fresh.share >= bounds.share &&
    fresh.share >= bounds.factor * shareOf(before, bounds)
  );
}

/**
 * What a fresh release is compared with, and what would serve instead: the last one that was live, is not frozen and is known to
 * be well; with none known, the one before. Two bad releases in a row must not excuse each other.
 */
function wellBefore(map: ReleaseMap, counts: HealthCounts, name: string, bounds: Bounds): string | null {
  const version = liveEntry(map, name)?.metadata.version;
  const usable = (map.ops.trail[name] ?? []).filter(
    (earlier) => earlier !== version && !map.ops.frozen[name]?.some((freeze) => freeze.version === earlier),
  );
  const isWell = (earlier: string) => {
    const totals = counts.totals(name, earlier);
    return totals.visits >= bounds.visits && totals.share < bounds.share;
  };
  return usable.findLast(isWell) ?? usable.at(-1) ?? null;
}

export function judge(
  map: ReleaseMap,
  counts: HealthCounts,
  { now, bounds = BOUNDS }: { now: number; bounds?: Bounds },
): Judgement[] {
  const judgements: Judgement[] = [];
  const healthy: string[] = [];
  for (const name of Object.keys(map.microFrontends)) {
    const live = liveEntry(map, name);
    const canary = canaryEntry(map, name);
    if (!live) continue;
    const { version } = live.metadata;
    const since = Date.parse(map.ops.since[name]?.at ?? '');
    if (canary) {
      const fresh = counts.totals(name, canary.metadata.version);
      const before = counts.totals(name, version);
      if (isBad(fresh, before, bounds))
        judgements.push(judgement(name, canary.metadata.version, version, 'canary', fresh, before));
      else if (before.visits >= bounds.visits && before.share < bounds.share) healthy.push(name);
      continue;
    }
    const to = wellBefore(map, counts, name, bounds);
    const fresh = counts.totals(name, version, since);
    const action = map.ops.since[name]?.action;
    const isJudged = to !== null && action !== 'rollback' && action !== 'restore' && now - since <= bounds.fresh;
    if (isJudged) {
      const before = counts.totals(name, to);
      if (isBad(fresh, before, bounds)) {
        judgements.push(judgement(name, version, to, 'release', fresh, before));
        continue;
      }
    }
    if (fresh.visits >= bounds.visits && fresh.share < bounds.share) healthy.push(name);
  }
  // When all fail at once the cause is below them (API, network), and changing releases would not help.
  return judgements.length > 1 && healthy.length === 0 ? [] : judgements;
}

function judgement(
  name: string,
  version: string,
  to: string,
  kind: Judgement['kind'],
  fresh: Totals,
  before: Totals,
): Judgement {
  const why = `${percent(fresh.share)} of ${fresh.visits} visits failed with ${version}, ${percent(before.share)} of ${before.visits} with ${to}`;
  return { name, version, to, kind, why };
}

export interface WatcherOptions {
  store: Store;
  source: MapSource;
  counts: HealthCounts;
  channel?: string;
  bounds?: Bounds;
  now?: () => number;
  log?: (line: string) => void;
}

/** Judges every release once and acts. Returns what it did. */
export async function watchOnce({
  store,
  source,
  counts,
  channel,
  bounds,
  now = Date.now,
  log,
}: WatcherOptions): Promise<Judgement[]> {
  const judgements = judge(await source.get(), counts, { now: now(), bounds });
  const done: Judgement[] = [];
  for (const one of judgements) {
    const author: Author = { by: 'watcher', why: one.why };
    try {
      // The map may have changed since it was read.
      const map = await store.readMap(channel ?? 'production');
      const judged = one.kind === 'canary' ? canaryEntry(map, one.name) : liveEntry(map, one.name);
      if (judged?.metadata.version !== one.version) continue;
      // Frozen first: after a crash between the two, the next run removes the release.
      if (!isFrozen(map, one.name, one.version)) {
        await freeze(store, { ...author, channel, name: one.name, version: one.version });
      }
      const to = one.kind === 'canary' ? undefined : one.to;
      await rollback(store, { ...author, channel, name: one.name, to, from: one.version });
      log?.(`rolled ${one.name} back to ${one.to}: ${one.why}`);
      done.push(one);
    } catch (error) {
      // The same release was changed concurrently; the next run sees the result.
      log?.(`could not roll ${one.name} back: ${error instanceof Error ? error.message : error}`);
    }
  }
  return done;
}
