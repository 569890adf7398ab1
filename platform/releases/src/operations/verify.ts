import { checksOfMap } from '../gate/check-against-map';
import { checkFiles } from '../gate/check-files';
import type { ServerContract } from '../gate/check-uses';
import { type Check, failed } from '../gate/verdict';
import { liveVersion, versionsInMap } from '../map';
import type { Store } from '../store/store';

/** Reads back every release that the map can send a browser to and compares its hashes; with `all`, every published release. */
export async function verify(store: Store, { all = false, server }: { all?: boolean; server?: ServerContract } = {}) {
  const map = await store.readMap();
  const releases: Array<{ name: string; version: string; live: boolean; checks: Check[] }> = [];
  const names = new Set([...Object.keys(map.microFrontends), ...(all ? await store.names() : [])]);
  for (const name of [...names].sort()) {
    const published = all ? (await store.publications(name)).map(({ version }) => version) : [];
    for (const version of new Set([...versionsInMap(map, name), ...published])) {
      const manifest = await store.readManifest(name, version);
      const checks = manifest ? await checkFiles(store, manifest) : [failed('manifest', 'it is not in the store')];
      const live = liveVersion(map, name) === version;
      if (live && manifest) checks.push(...(await checksOfMap(store, { before: map, next: map, manifest, server })));
      releases.push({ name, version, live, checks });
    }
  }
  const ok = releases.every(({ checks }) => checks.every(({ outcome }) => outcome !== 'failed'));
  return { rev: map.rev, ok, releases };
}
