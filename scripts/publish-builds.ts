/**
 * Brings the builds of this checkout into the store, as a start of the shop does. What has been live before is not made
 * live again: a release that ops rolled back stays rolled back through any number of starts.
 */
import { history, isFrozen, openStore, promote, publish, type Store } from '@shop/release';
import { buildWorkspaces } from './build';

export interface StartRelease {
  name: string;
  version: string;
  outcome: 'unchanged' | 'promoted' | 'left as it is';
}

const by = 'npm start';

export async function publishBuilds(dataDir: string, log: (line: string) => void): Promise<StartRelease[]> {
  const store = openStore({ dataDir });
  const results: StartRelease[] = [];
  for (const { name, version, directory, cached, milliseconds } of await buildWorkspaces()) {
    if (!cached) log(`  built ${name} ${version} in ${milliseconds} ms`);
    results.push({ name, version, outcome: await bringLive(store, name, version, directory) });
  }
  return results;
}

async function bringLive(store: Store, name: string, version: string, dist: string): Promise<StartRelease['outcome']> {
  const { outcome } = await publish(store, { dist, by });
  const map = await store.readMap('production');
  const live = map.microFrontends[name]?.find((entry) => entry.deployment.default)?.metadata.version;
  if (live === version) return 'unchanged';
  if (live && outcome === 'already there') {
    const revisions = await history(store, { name, limit: Number.MAX_SAFE_INTEGER });
    if (revisions.some((revision) => revision.to === version || revision.from === version)) return 'left as it is';
  }
  // Ops stopped promotes of it; a start must neither undo that nor fail on it.
  if (isFrozen(map, name, version)) return 'left as it is';
  await promote(store, { name, version, by, why: live ? 'the source changed' : 'first start' });
  return 'promoted';
}
