/** The gate's checks without a browser, as every way to make a release live runs them. */
import type { ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';
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
