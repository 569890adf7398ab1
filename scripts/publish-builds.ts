/**
 * Publishes the builds of this checkout and makes them live, as a start of the shop does, and as this program does on the store
 * that RELEASE_STORE names. A version that was live before is not promoted again: a release that ops rolled back stays rolled back
 * through any number of starts.
 */
import {
  canaryEntry,
  GateError,
  history,
  isFrozen,
  liveVersion,
  promote,
  promoteTogether,
  publish,
  type Store,
} from '@platform/releases';
import { buildWorkspaces } from './build';
import { openShopStore, SHOP_SERVER } from './shop-store';

interface StartRelease {
  name: string;
  version: string;
  outcome: 'unchanged' | 'promoted' | 'left as it is';
}

const by = 'npm start';

export async function publishBuilds(store: Store): Promise<StartRelease[]> {
  const results: StartRelease[] = [];
  const due: StartRelease[] = [];
  for (const { name, version, directory, cached, milliseconds } of await buildWorkspaces()) {
    if (!cached) console.log(`  built ${name} ${version} in ${milliseconds} ms`);
    const release: StartRelease = { name, version, outcome: await outcomeOf(store, directory) };
    results.push(release);
    if (release.outcome === 'promoted') due.push(release);
  }
  await bringLive(store, due);
  return results;
}

async function outcomeOf(store: Store, dist: string): Promise<StartRelease['outcome']> {
  const { name, version, outcome } = await publish(store, { dist, by });
  const map = await store.readMap();
  const live = liveVersion(map, name);
  if (live === version) return 'unchanged';
  if (live && outcome === 'already there') {
    const revisions = await history(store, { name, limit: Number.MAX_SAFE_INTEGER });
    const wasLive = ({ from, to }: { from: string | null; to: string | null }) =>
      [from, to].some((change) => change === version || change?.split(' ').includes(`${name}@${version}`));
    if (revisions.some(wasLive)) return 'left as it is';
  }
  // Ops stopped its promotes, or a canary is running; a start must neither undo that nor fail on it.
  if (isFrozen(map, name, version) || canaryEntry(map, name)) return 'left as it is';
  return 'promoted';
}

/**
 * Promotes one after the other, as squads do. If no release can go live alone because the platform has changed, it promotes all together.
 */
async function bringLive(store: Store, due: readonly StartRelease[]): Promise<void> {
  for (const [index, { name, version }] of due.entries()) {
    const live = liveVersion(await store.readMap(), name);
    const why = live ? 'the source changed' : 'first start';
    try {
      await promote(store, { name, version, by, why, server: SHOP_SERVER });
    } catch (error) {
      const rest = due.slice(index);
      if (!(error instanceof GateError) || rest.length < 2) throw error;
      await promoteTogether(store, {
        releases: rest,
        by,
        why: `${why}; the platform did too`,
        server: SHOP_SERVER,
      });
      return;
    }
  }
}

if (require.main === module)
  publishBuilds(openShopStore(process.env)).then(
    (releases) => {
      for (const { name, version, outcome } of releases) console.log(`${name} ${version}: ${outcome}`);
    },
    (error: unknown) => {
      console.error(error instanceof Error ? error.message : error);
      process.exitCode = 1;
    },
  );
