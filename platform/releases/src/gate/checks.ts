/** The gate's checks without a browser, as every way to make a release live runs them. */

import type { ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';
import { checkAgainstMap } from './check-against-map';
import { checkFiles, checkSize } from './check-files';
import { checkUses } from './check-uses';
import { type Check, skipped } from './verdict';

/** What the product's server answers itself. A release claims none of its addresses and uses no other calls. */
export interface ServerContract {
  /** Patterns of addresses, such as '/api/*'. */
  routes: readonly string[];
  /** Such as 'GET /api/things'. */
  calls: readonly string[];
}

export interface MapStep {
  before: ReleaseMap;
  /** The map in which the release is live or a canary. */
  next: ReleaseMap;
  manifest: ReleaseManifest;
  /** Absent where it is not known, as in tests. */
  server?: ServerContract;
}

/** Those that depend on the other live releases and the server. They are cheap, so they run again when the map changed meanwhile. */
export const checksOfMap = async (store: Store, step: MapStep): Promise<Check[]> => [
  ...checkAgainstMap(step.next, step.manifest, step.server?.routes),
  ...(await checkUses(store, step)),
];

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
