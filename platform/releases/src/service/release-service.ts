import * as release from '..';
import { type Progress, type ReleaseApiClient, UsageError } from './api-client';

export interface ChangeInput {
  why?: string;
  dryRun: boolean;
}

export interface NewKey extends release.Grant {
  name: string;
  days: number;
}

interface Queries {
  status: object;
  releases: { name?: string };
  history: { name?: string; limit?: number };
  verify: { all?: boolean };
  health: { name?: string };
  keys: object;
}

export interface ReleaseService {
  name: string;
  run(run: release.ActionRequest, change: ChangeInput, progress: Progress): Promise<unknown>;
  publish(dist: string, dryRun: boolean): Promise<unknown>;
  read<Name extends keyof Queries>(name: Name, query: Queries[Name]): Promise<unknown>;
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
  const queries: { [Name in keyof Queries]: (query: Queries[Name]) => Promise<unknown> } = {
    status: () => release.status(store),
    releases: (query) => release.releases(store, query),
    history: (query) => release.history(store, query),
    verify: (query) => release.verify(store, { ...query, server }),
    health: () => {
      throw new UsageError('the health of releases is in the database of a shop: name the shop with --shop https://…');
    },
    keys: () => keys.list(),
  };
  return {
    name: store.blobs.place,
    async run(run, change, progress) {
      const result = await release.runAction(store, run, {
        ...change,
        by,
        role: 'ops',
        server,
        steps: gateSteps,
        ...progress,
      });
      // Servers read a bucket at intervals, and a folder at each request.
      if (!change.dryRun && run.action !== 'gate') {
        await new Promise((resolve) => setTimeout(resolve, store.blobs.readAgainMs));
      }
      return result;
    },
    publish: (dist, dryRun) => release.publish(store, { dist, by, dryRun }),
    read: (name, query) => queries[name](query),
    makeKey: ({ days, ...grant }) => keys.make({ ...grant, by, lifetime: days * DAY_MS }),
    revokeKey: (id) => keys.revoke(id, by),
  };
}

export const serviceOfApi = (api: ReleaseApiClient, name: string): ReleaseService => ({
  name,
  run: (run, change, progress) => api.run(run, change, progress),
  publish: (dist, dryRun) => api.publish(dist, dryRun),
  read: (name, query) => api.get(name, { ...query }),
  makeKey: (key) => api.post('keys', key),
  revokeKey: (id) => api.delete(`keys/${id}`),
});
