import type { ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import { type Author, MapError, makeLive, nextRevision, refuseFrozen } from './map-change';
import { toEntry } from './map-entry';
import { liveVersion } from './read-map';

/** The number of earlier releases of one name that rollbacks without a target can step through. */
const TRAIL_LENGTH = 20;

/**
 * The map with `manifest` live. `current` is the manifest of the live release and becomes the fallback. Promoting a canary ends
 * the canary. Throws MapError `already-live` and `frozen`.
 */
export function promoteInMap(
  map: ReleaseMap,
  manifest: ReleaseManifest,
  current: ReleaseManifest | null,
  author: Author,
): ReleaseMap {
  const { name, version } = manifest;
  const from = liveVersion(map, name);
  if (from === version) throw new MapError(`${name}@${version} is already live`, 'already-live');
  refuseFrozen(map, name, version);
  const next = nextRevision(map, { action: 'promote', name, from, to: version }, author);
  if (from) {
    const trail = (next.ops.trail[name] ?? []).filter((earlier) => earlier !== version && earlier !== from);
    next.ops.trail[name] = [...trail, from].slice(-TRAIL_LENGTH);
  }
  makeLive(next, name, toEntry(manifest, current));
  return next;
}

/**
 * The map in which all these releases go live in one revision, for a change that none can make alone, such as a new major of a
 * singleton. They have no fallbacks, because the previous releases do not run beside the new ones. Throws MapError `already-live`
 * if none would change, and `frozen`.
 */
export function promoteTogetherInMap(
  map: ReleaseMap,
  manifests: readonly ReleaseManifest[],
  author: Author,
): ReleaseMap {
  const changing = manifests.filter(({ name, version }) => liveVersion(map, name) !== version);
  if (changing.length === 0) throw new MapError('all these releases are already live', 'already-live');
  let next = map;
  for (const manifest of changing) next = promoteInMap(next, manifest, null, author);
  const named = (versionOf: (manifest: ReleaseManifest) => string | null) =>
    changing.map((manifest) => `${manifest.name}@${versionOf(manifest) ?? 'none'}`).join(' ');
  const changed = {
    ...next.changed,
    name: '*',
    from: named(({ name }) => liveVersion(map, name)),
    to: named(({ version }) => version),
  };
  return { ...next, rev: map.rev + 1, changed };
}

/** The map with a published release instead of the live one, for one document. Never stored. */
export function previewInMap(map: ReleaseMap, manifest: ReleaseManifest, current: ReleaseManifest | null): ReleaseMap {
  const copy = structuredClone(map);
  copy.microFrontends[manifest.name] = [toEntry(manifest, current)];
  copy.preview = { name: manifest.name, version: manifest.version };
  // An open tab applies a newer revision; the live map must not replace a preview.
  copy.rev = Number.MAX_SAFE_INTEGER;
  return copy;
}
