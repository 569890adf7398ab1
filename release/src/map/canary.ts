import type { ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import { type Author, MapError, nextRevision, refuseFrozen, reinstate, withdraw } from './map-change';
import { toEntry } from './map-entry';
import { canaryEntry, liveEntry } from './read-map';

/**
 * The map in which `traffic` per cent of the visitors get `manifest` and the others what is live; also changes the share of a
 * running canary. Throws MapError `bad-traffic`, `nothing-live`, `already-live` and `frozen`.
 */
export function canaryInMap(
  map: ReleaseMap,
  manifest: ReleaseManifest,
  current: ReleaseManifest,
  traffic: number,
  author: Author,
): ReleaseMap {
  const { name, version } = manifest;
  if (!Number.isFinite(traffic) || traffic <= 0 || traffic >= 100) {
    throw new MapError('bad-traffic', `a canary takes more than 0 and less than 100 per cent, not ${traffic}`);
  }
  const live = liveEntry(map, name);
  if (!live) {
    throw new MapError('nothing-live', `nothing of ${name} is live, so there is nothing to compare a canary with`);
  }
  if (live.metadata.version === version) throw new MapError('already-live', `${name}@${version} is already live`);
  refuseFrozen(map, name, version);
  const from = canaryEntry(map, name)?.metadata.version === version ? version : live.metadata.version;
  const next = nextRevision(map, { action: 'canary', name, from, to: version }, author);
  next.changed.why = [`${traffic} % of the visitors`, next.changed.why].filter(Boolean).join(': ');
  next.microFrontends[name] = [
    { ...structuredClone(live), deployment: { traffic: 100 - traffic, default: true } },
    toEntry(manifest, current, { traffic, default: false }),
  ];
  reinstate(next, name, version);
  return next;
}

/** Throws MapError `canary-running` when another version than this one is the canary. */
export function refuseOtherCanary(map: ReleaseMap, name: string, version: string): void {
  const canary = canaryEntry(map, name);
  if (!canary || canary.metadata.version === version) return;
  const running = `${name}@${canary.metadata.version}`;
  throw new MapError(
    'canary-running',
    `${running} has ${canary.deployment.traffic} % of the visitors. Finish it (promote ${running}), end it (rollback ${name}), or put ${name}@${version} in its place with --replace`,
  );
}

/** The map without the canary of `name`. Throws MapError `no-canary`. */
export function abandonInMap(map: ReleaseMap, name: string, author: Author): ReleaseMap {
  const canary = canaryEntry(map, name);
  const live = liveEntry(map, name);
  if (!canary || !live) throw new MapError('no-canary', `${name} has no canary`);
  const change = { action: 'abandon', name, from: canary.metadata.version, to: live.metadata.version } as const;
  const next = nextRevision(map, change, author);
  next.microFrontends[name] = [{ ...structuredClone(live), deployment: { traffic: 100, default: true } }];
  withdraw(next, name, [canary.metadata.version]);
  return next;
}
