/** What is live, what is published, what has changed, and whether the store has it as it was published. */
import type { MapChange } from '../contract';
import { checksOfMap } from '../gate/check-against-map';
import { checkFiles } from '../gate/check-files';
import type { ServerContract } from '../gate/check-uses';
import { type Check, failed } from '../gate/verdict';
import { AT_ONCE } from '../in-parallel';
import { canaryEntry, liveEntry, liveVersion, rollbackTarget, versionsInMap } from '../map';
import type { Store } from '../store/store';

export type Status = Awaited<ReturnType<typeof status>>;

export async function status(store: Store) {
  const map = await store.readMap();
  const names = [...new Set([...Object.keys(map.microFrontends), ...(await store.names())])].sort();
  const releases = await Promise.all(
    names.map(async (name) => {
      const live = liveEntry(map, name);
      const canary = canaryEntry(map, name);
      const plan = map.ops.plans?.[name];
      const renderingOff = map.ops.renderingOff?.[name];
      const publications = await store.publications(name);
      const newest = publications[0]?.version ?? null;
      const version = live?.metadata.version ?? null;
      return {
        name,
        version,
        since: map.ops.since[name]?.at ?? null,
        by: map.ops.since[name]?.by ?? null,
        /** As the forge names it; null if the live release was published without a token of a forge. */
        commit: publications.find((publication) => publication.version === version)?.provenance?.commit ?? null,
        previous: live?.extras.fallback?.version ?? null,
        target: live ? rollbackTarget(map, name) : null,
        /** `steps`: the shares that it goes through automatically; absent for a canary that a user raises. */
        canary: canary
          ? { ...canary.metadata, traffic: canary.deployment.traffic, ...(plan && { steps: plan.steps }) }
          : null,
        frozen: (map.ops.frozen[name] ?? []).map(({ version, by, why }) => ({ version, by, why })),
        ...(renderingOff && { renderingOff }),
        waiting: newest !== version && newest !== canary?.metadata.version ? newest : null,
      };
    }),
  );
  return { rev: map.rev, changed: map.rev > 0 ? map.changed : null, releases };
}

export async function releases(store: Store, { name }: { name?: string } = {}) {
  const map = await store.readMap();
  const names = name === undefined ? await store.names() : [name];
  const publications = (await Promise.all(names.map((each) => store.publications(each)))).flat();
  return Promise.all(
    publications.map(async ({ channels: _, ...publication }) => {
      const { name: release, version } = publication;
      const verdict = await store.readVerdict(release, version);
      const canary = canaryEntry(map, release)?.metadata.version;
      const serves = version === liveVersion(map, release) ? 'live' : version === canary ? 'canary' : null;
      return {
        ...publication,
        gate: verdict && { passed: verdict.passed, at: verdict.at, by: verdict.by },
        serves,
      };
    }),
  );
}

export async function history(store: Store, { name, limit = 20 }: { name?: string; limit?: number } = {}) {
  const { rev: newest } = await store.readMap();
  const revisions: Array<MapChange & { rev: number }> = [];
  for (let rev = newest; rev > 0 && revisions.length < limit; rev -= AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, rev) }, (_, index) => rev - index);
    const maps = await Promise.all(batch.map((revision) => store.readRevision(revision)));
    for (const map of maps) {
      if (!map) continue;
      if (name && map.changed.name !== name && map.changed.name !== '*') continue;
      revisions.push({ rev: map.rev, ...map.changed });
    }
  }
  return revisions.slice(0, limit);
}

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

/** The queries that the command line and the API accept. */
export const queriesOf = (store: Store, server: ServerContract) => ({
  status: (_query: object) => status(store),
  releases: (query: { name?: string }) => releases(store, query),
  history: (query: { name?: string; limit?: number }) => history(store, query),
  verify: (query: { all?: boolean }) => verify(store, { ...query, server }),
});
