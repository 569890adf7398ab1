import { checksOfMap, checksOfRelease } from '../gate/checks';
import { type Check, requirePassed, toVerdict } from '../gate/verdict';
import { promoteTogetherInMap, refuseOtherCanary } from '../map';
import type { Store } from '../store/store';
import { type Change, type ChangeOptions, changeMap, requireManifest } from './change-map';

export interface TogetherOptions extends ChangeOptions {
  releases: ReadonlyArray<{ name: string; version: string }>;
  replace?: boolean;
  onCheck?: (check: Check) => void;
}

/**
 * Makes several releases live in one revision. Each is checked against the others, but not in a browser. Throws GateError for the
 * first that does not pass; then nothing has changed.
 */
export async function promoteTogether(store: Store, options: TogetherOptions): Promise<Change> {
  const manifests = await Promise.all(
    options.releases.map(({ name, version }) => requireManifest(store, name, version)),
  );
  for (const manifest of manifests) {
    const checks = await checksOfRelease(store, manifest);
    for (const check of checks) options.onCheck?.(check);
    requirePassed(toVerdict(manifest, checks));
  }
  return changeMap(store, options, '*', async (map) => {
    if (!options.replace) for (const { name, version } of manifests) refuseOtherCanary(map, name, version, options);
    const nextMap = promoteTogetherInMap(map, manifests, options);
    for (const manifest of manifests) {
      const checks = await checksOfMap(store, { before: map, next: nextMap, manifest, server: options.server });
      for (const check of checks) options.onCheck?.(check);
      requirePassed(toVerdict(manifest, checks));
    }
    return nextMap;
  });
}
