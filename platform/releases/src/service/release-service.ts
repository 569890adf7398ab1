import * as release from '..';

export class UsageError extends Error {}

export type Progress = Required<Pick<release.ActionContext, 'say' | 'onCheck'>>;

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
  run(request: release.ActionRequest, change: ChangeInput, progress: Progress): Promise<unknown>;
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
    run: (request, change, progress) =>
      release.runAction(store, request, { ...change, ...progress, by, role: 'ops', server, steps: gateSteps }),
    publish: (dist, dryRun) => release.publish(store, { dist, by, dryRun }),
    read: (name, query) => queries[name](query),
    makeKey: ({ days, ...grant }) => keys.make({ ...grant, by, lifetime: days * DAY_MS }),
    revokeKey: (id) => keys.revoke(id, by),
  };
}
