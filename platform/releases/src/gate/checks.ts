/** The gate's checks without a browser, as every way to make a release live runs them. */
import type { ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';
import { checkAgainstMap } from './check-against-map';
import { checkAttestation } from './check-attestation';
import { checkFiles, checkSize } from './check-files';
import { type Check, skipped } from './verdict';

/** Those that do not depend on what is live. `skip` goes with its reason. */
export async function checksOfRelease(
  store: Store,
  manifest: ReleaseManifest,
  { skip = [], why = '' }: { skip?: readonly string[]; why?: string } = {},
): Promise<Check[]> {
  return [
    ...(await checkFiles(store, manifest)),
    skip.includes('size') ? skipped('size', why) : await checkSize(store, manifest),
  ];
}

/** Those against the other releases that visitors get beside this one. They are cheap, so they run again when the map changed meanwhile. */
export const checksAgainst = async (store: Store, map: ReleaseMap, manifest: ReleaseManifest): Promise<Check[]> => [
  ...checkAgainstMap(map, manifest, store.serverRoutes),
  ...(await checkAttestation(store, manifest, map)),
];
