import type { ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';
import { checkAgainstMap } from './check-against-map';
import { checkFiles, checkSize } from './check-files';
import { checkUses, type MapStep } from './check-uses';
import { type Check, skipped } from './verdict';

/** Checks that depend on the other live releases and the server. They are cheap, so they run again if the map changed meanwhile. */
export const checksOfMap = async (store: Store, step: MapStep): Promise<Check[]> => [
  ...checkAgainstMap(step.next, step.manifest, step.server?.routes),
  ...(await checkUses(store, step)),
];

/** Checks that do not depend on the live releases. `skip` maps a check to the reason for skipping it. */
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
