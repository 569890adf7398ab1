import { checksOfMap } from '../gate/checks';
import { requirePassed, toVerdict } from '../gate/verdict';
import { canaryEntry, canaryInMap, liveVersion, MapError, nextStep, promoteInMap } from '../map';
import { ConflictError, type Store } from '../store/store';
import { type Change, type ChangeOptions, changeMap, optionalManifest, requireManifest } from './change-map';

export interface AdvanceOptions extends ChangeOptions {
  name: string;
  /** The canary and its share as the caller saw them; ConflictError if they have changed. */
  version: string;
  traffic: number;
}

/**
 * Gives a canary its next share, or makes it live for all visitors after the last one. The gate has run at its promote; only the
 * checks against the map run again. Throws GateError, ConflictError, MapError `no-canary`, StoreError.
 */
export async function advanceCanary(store: Store, options: AdvanceOptions): Promise<Change & { traffic: number }> {
  const { name, version, traffic } = options;
  const manifest = await requireManifest(store, name, version);
  let next = traffic;
  const change = await changeMap(store, options, name, async (map) => {
    const canary = canaryEntry(map, name);
    if (canary?.metadata.version !== version || canary.deployment.traffic !== traffic) {
      throw new ConflictError(`${name}@${version} no longer has ${traffic} % of the visitors`, map);
    }
    const plan = map.ops.plans?.[name];
    if (!plan) throw new MapError('no-canary', `${name}@${version} has no plan`);
    next = nextStep(plan, traffic);
    const author = { ...options, role: map.ops.canaryRoles?.[name] };
    const current = await optionalManifest(store, name, liveVersion(map, name));
    const nextMap =
      next < 100
        ? canaryInMap(map, manifest, current, next, author, plan)
        : promoteInMap(map, manifest, current, author);
    const checks = await checksOfMap(store, { before: map, next: nextMap, manifest, server: options.server });
    requirePassed(toVerdict(manifest, checks));
    return nextMap;
  });
  return { ...change, traffic: next };
}
