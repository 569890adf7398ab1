/** What is live, what is published, and what has changed. */
import type { Freeze, MapChange, TurnedOff } from '../contract';
import { AT_ONCE } from '../in-parallel';
import { canaryEntry, liveEntry, liveVersion, rollbackTarget } from '../map';
import type { GateRecord, Publication, Store } from '../store/store';

export interface StatusRow {
  name: string;
  version: string | null;
  since: string | null;
  by: string | null;
  /** The commit of the live release, as the forge names it; null if it was published without a token of a forge. */
  commit: string | null;
  previous: string | null;
  target: string | null;
  canary: {
    version: string;
    traffic: number;
    /** The shares that the canary goes through automatically; absent for a canary that a user raises. */
    steps?: number[];
  } | null;
  frozen: Array<Pick<Freeze, 'version' | 'by' | 'why'>>;
  renderingOff?: Pick<TurnedOff, 'by' | 'why'>;
  waiting: string | null;
}

export interface Status {
  rev: number;
  changed: MapChange | null;
  releases: StatusRow[];
}

export async function status(store: Store): Promise<Status> {
  const map = await store.readMap();
  const names = [...new Set([...Object.keys(map.microFrontends), ...(await store.names())])].sort();
  const releases = await Promise.all(
    names.map(async (name): Promise<StatusRow> => {
      const live = liveEntry(map, name);
      const canary = canaryEntry(map, name);
      const publications = await store.publications(name);
      const newest = publications[0]?.version ?? null;
      const version = live?.metadata.version ?? null;
      return {
        name,
        version,
        since: map.ops.since[name]?.at ?? null,
        by: map.ops.since[name]?.by ?? null,
        commit: publications.find((publication) => publication.version === version)?.provenance?.commit ?? null,
        previous: live?.extras.fallback?.version ?? null,
        target: live ? rollbackTarget(map, name) : null,
        canary: canary
          ? { ...canary.metadata, traffic: canary.deployment.traffic, steps: map.ops.plans?.[name]?.steps }
          : null,
        frozen: (map.ops.frozen[name] ?? []).map(({ version, by, why }) => ({ version, by, why })),
        renderingOff: map.ops.renderingOff?.[name],
        waiting: newest !== version && newest !== canary?.metadata.version ? newest : null,
      };
    }),
  );
  const changed = map.rev > 0 ? map.changed : null;
  return { rev: map.rev, changed, releases };
}

export interface PublishedRelease extends Omit<Publication, 'channels'> {
  gate: Pick<GateRecord, 'passed' | 'at' | 'by'> | null;
  serves: 'live' | 'canary' | null;
}

export async function releases(store: Store, { name }: { name?: string } = {}): Promise<PublishedRelease[]> {
  const map = await store.readMap();
  const names = name === undefined ? await store.names() : [name];
  const publications = (await Promise.all(names.map((each) => store.publications(each)))).flat();
  return Promise.all(
    publications.map(async ({ channels: _, ...publication }): Promise<PublishedRelease> => {
      const { name: release, version } = publication;
      const verdict = await store.readVerdict(release, version);
      const canary = canaryEntry(map, release)?.metadata.version;
      return {
        ...publication,
        gate: verdict && { passed: verdict.passed, at: verdict.at, by: verdict.by },
        serves: version === liveVersion(map, release) ? 'live' : version === canary ? 'canary' : null,
      };
    }),
  );
}

export interface Revision extends MapChange {
  rev: number;
}

export async function history(
  store: Store,
  { name, limit = 20 }: { name?: string; limit?: number } = {},
): Promise<Revision[]> {
  const { rev: newest } = await store.readMap();
  const revisions: Revision[] = [];
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
