import type { ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import {
  type Author,
  MapError,
  makeLive,
  nextRevision,
  refuseFrozen,
  reinstate,
  setRolledBack,
  withdraw,
} from './map-change';
import { toEntry } from './map-entry';
import { canaryEntry, liveVersion } from './read-map';

/** The target of a rollback that names none: the last version that was live and is not frozen. */
export function rollbackTarget(map: ReleaseMap, name: string): string | null {
  const trail = map.ops.trail[name] ?? [];
  const live = liveVersion(map, name);
  const frozen = (map.ops.frozen[name] ?? []).map((freeze) => freeze.version);
  return trail.findLast((version) => version !== live && !frozen.includes(version)) ?? null;
}

/**
 * The map with the earlier release `manifest` live again. A second rollback goes further back, never forward to the release just
 * left. `previous` becomes the fallback; see `fallbackAfterRollback`. Throws MapError.
 */
export function rollbackInMap(
  map: ReleaseMap,
  manifest: ReleaseManifest,
  previous: ReleaseManifest | null,
  author: Author,
): ReleaseMap {
  const { name, version } = manifest;
  const from = liveVersion(map, name);
  if (!from) throw new MapError(`no release of ${name} is live`);
  if (from === version) throw new MapError(`${name}@${version} is already live`, 'already-live');
  // A freeze of the whole name stops promotes only.
  if (map.ops.frozen[name]?.some((freeze) => freeze.version === version)) refuseFrozen(map, name, version);
  const next = nextRevision(map, { action: 'rollback', name, from, to: version }, author);
  next.ops.trail[name] = trailBefore(map, name, version);
  withdraw(next, name, offeredVersions(map, name));
  makeLive(next, name, toEntry(manifest, previous));
  setRolledBack(next, name, { from, to: version });
  return next;
}

function offeredVersions(map: ReleaseMap, name: string): string[] {
  const versions = [liveVersion(map, name), canaryEntry(map, name)?.metadata.version];
  return versions.filter((version) => version !== null && version !== undefined);
}

function trailBefore(map: ReleaseMap, name: string, version: string): string[] {
  const trail = map.ops.trail[name] ?? [];
  const index = trail.lastIndexOf(version);
  return index === -1 ? trail : trail.slice(0, index);
}

/** The version that becomes the fallback when `name` is rolled back to `version`; null if there is no earlier one. */
export function fallbackAfterRollback(map: ReleaseMap, name: string, version: string): string | null {
  return trailBefore(map, name, version).findLast((earlier) => earlier !== version) ?? null;
}

/** The whole map of an earlier revision as a new revision. Freezes made since then stay. */
export function restoreInMap(map: ReleaseMap, earlier: ReleaseMap, author: Author): ReleaseMap {
  const change = { action: 'restore', name: '*', from: String(map.rev), to: String(earlier.rev) } as const;
  const next = nextRevision(map, change, author);
  next.microFrontends = structuredClone(earlier.microFrontends);
  next.ops.trail = structuredClone(earlier.ops.trail);
  for (const name of Object.keys(map.microFrontends)) {
    const offered = offeredVersions(earlier, name);
    const left = offeredVersions(map, name).filter((version) => !offered.includes(version));
    if (left.length > 0) withdraw(next, name, left);
    for (const version of offered) reinstate(next, name, version);
  }
  // A restored canary stays at its share until a user changes it.
  delete next.ops.plans;
  delete next.ops.canaryRoles;
  delete next.ops.rolledBack;
  const now = { at: next.changed.at, by: author.by, action: next.changed.action };
  const unchanged = (name: string) => liveVersion(map, name) === liveVersion(earlier, name);
  next.ops.since = Object.fromEntries(
    Object.keys(earlier.microFrontends)
      .filter((name) => liveVersion(earlier, name))
      .map((name) => [name, (unchanged(name) && map.ops.since[name]) || now]),
  );
  return next;
}
