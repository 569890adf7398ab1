import type { ReleaseMap } from '../contract';
import type { MapStep } from '../gate/check-uses';
import { checksOfMap } from '../gate/checks';
import { type Check, failed, GateError, toVerdict } from '../gate/verdict';
import type { ReleaseManifest } from '../manifest';
import { liveVersion } from '../map';
import type { Store } from '../store/store';

/** The check that fails if a rollback is worse than the live release. */
export const WORSE = 'rollback';

const placesOf = (check: Check | undefined) => (check?.outcome === 'failed' ? check.detail.split('; ').length : 0);

/**
 * Throws GateError if a check against the other releases and the server fails in more places than with the live releases. Checks
 * that cannot run do not stop a rollback: `warn` reports them.
 */
export async function refuseWorse(store: Store, step: MapStep, warn: (text: string) => void): Promise<void> {
  const worse = await worseChecks(store, step).catch((error: unknown) => {
    const { name, version } = step.manifest;
    warn(`${name}@${version} was not checked against the rest: ${error instanceof Error ? error.message : error}`);
    return [];
  });
  if (worse.length === 0) return;
  const hint = failed(WORSE, 'this is worse than the live releases; to continue: --anyway');
  throw new GateError(toVerdict(step.manifest, [...worse, hint]));
}

async function worseChecks(store: Store, { before, next, manifest, server }: MapStep): Promise<Check[]> {
  const checksOf = async (map: ReleaseMap, release: ReleaseManifest) => [
    ...(await checksOfMap(store, { before, next: map, manifest: release, server })),
  ];
  const failing = (await checksOf(next, manifest)).filter(({ outcome }) => outcome === 'failed');
  const version = liveVersion(before, manifest.name);
  const live = failing.length > 0 && version ? await store.readManifest(manifest.name, version) : null;
  const now = live ? await checksOf(before, live) : [];
  return failing.filter((check) => placesOf(check) > placesOf(now.find((earlier) => earlier.check === check.check)));
}
