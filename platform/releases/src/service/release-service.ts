/** Runs a command either on the store itself, or through the release API of a site. */
import * as release from '..';
import { type Progress, type ReleaseApiClient, UsageError } from './api-client';

export interface Given {
  channel?: string;
  why?: string;
  dryRun: boolean;
}

export interface NewKey extends release.Grant {
  name: string;
  days: number;
}

/** The queries, by their paths in the release API. */
interface Queries {
  status: { channel?: string };
  releases: { channel?: string; name?: string };
  history: { channel?: string; name?: string; limit?: number };
  verify: { channel?: string; all?: boolean };
  health: { name?: string };
  keys: object;
}

export interface ReleaseService {
  /** Name for announcements. */
  name: string;
  act(act: release.ActRequest, given: Given, progress: Progress): Promise<unknown>;
  publish(dist: string, dryRun: boolean): Promise<unknown>;
  read<What extends keyof Queries>(what: What, query: Queries[What]): Promise<unknown>;
  makeKey(key: NewKey): Promise<unknown>;
  revokeKey(id: string): Promise<unknown>;
}

interface StoreWork {
  by: string;
  server: release.ServerContract;
  gateSteps: (skip: readonly string[]) => Promise<release.GateStep[]>;
}

const DAY_MS = 86_400_000;

/** A user with access to the store itself needs no key, has the permissions of ops, and chooses the name in the history. */
export function serviceOfStore(store: release.Store, { by, server, gateSteps }: StoreWork): ReleaseService {
  const keys = new release.ReleaseKeys(store.blobs);
  const reads: { [What in keyof Queries]: (query: Queries[What]) => Promise<unknown> } = {
    status: ({ channel }) => release.status(store, channel),
    releases: (query) => release.releases(store, query),
    history: (query) => release.history(store, query),
    verify: (query) => release.verify(store, { ...query, server }),
    health: () => {
      throw new UsageError('the health of releases is in the database of a site: use --shop with its address');
    },
    keys: () => keys.list(),
  };
  return {
    name: store.blobs.place,
    async act(act, given, progress) {
      const result = await release.runAct(store, act, {
        ...given,
        by,
        role: 'ops',
        server,
        steps: gateSteps,
        ...progress,
      });
      // Servers read a bucket at intervals, and a folder at each request.
      if (!given.dryRun && act.act !== 'gate') {
        await new Promise((resolve) => setTimeout(resolve, store.blobs.readAgainMs));
      }
      return result;
    },
    publish: (dist, dryRun) => release.publish(store, { dist, by, dryRun }),
    read: (what, query) => reads[what](query),
    makeKey: ({ days, ...grant }) => keys.make({ ...grant, by, lifetime: days * DAY_MS }),
    revokeKey: (id) => keys.revoke(id, by),
  };
}

export const serviceOfApi = (api: ReleaseApiClient, name: string): ReleaseService => ({
  name,
  act: (act, given, progress) => api.act(act, given, progress),
  publish: (dist, dryRun) => api.publish(dist, dryRun),
  read: (what, query) => api.get(what, { ...query }),
  makeKey: (key) => api.post('keys', key),
  revokeKey: (id) => api.delete(`keys/${id}`),
});
