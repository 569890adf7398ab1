import type { ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import { toEntry } from './map-entry';

/** The map with a published release in place of the live one, for one document. Never stored. */
export function previewInMap(map: ReleaseMap, manifest: ReleaseManifest, current: ReleaseManifest | null): ReleaseMap {
  const copy = structuredClone(map);
  copy.microFrontends[manifest.name] = [toEntry(manifest, current)];
  copy.preview = { name: manifest.name, version: manifest.version };
  // An open tab takes over a newer revision; the live map must not replace a preview.
  copy.rev = Number.MAX_SAFE_INTEGER;
  return copy;
}
