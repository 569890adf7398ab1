import type { Freeze, MapChange, TurnedOff } from '../contract';
import { canaryEntry, liveEntry, rollbackTarget } from '../map';
import type { Store } from '../store/store';

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
        previous: live?.extras.previous ?? null,
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
