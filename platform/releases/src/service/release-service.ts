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

export type Queries = ReturnType<typeof release.queriesOf> & {
  health(query: { name?: string }): Promise<unknown>;
  keys(query: object): Promise<release.ListedKey[]>;
};

export interface ReleaseService {
  name: string;
  run(request: release.ActionRequest, change: ChangeInput, progress: Progress): Promise<unknown>;
  publish(dist: string, dryRun: boolean): Promise<release.PublishResult>;
  read<Name extends keyof Queries>(name: Name, query: Parameters<Queries[Name]>[0]): ReturnType<Queries[Name]>;
  makeKey(key: NewKey): Promise<unknown>;
  revokeKey(id: string): Promise<unknown>;
}

type StoreWork = Pick<release.ActionContext, 'by' | 'server' | 'browserGate'>;

const DAY_MS = 86_400_000;

/** A user with access to the store itself needs no key, has the permissions of ops, and chooses the name in the history. */
export function serviceOfStore(store: release.Store, { by, server, browserGate }: StoreWork): ReleaseService {
  const keys = new release.ReleaseKeys(store.blobs);
  const queries: Queries = {
    ...release.queriesOf(store, server),
    health: () => {
      throw new UsageError('the health of releases is in the database of a shop: name the shop with --shop https://…');
    },
    keys: () => keys.list(),
  };
  return {
    name: store.blobs.place,
    run: (request, change, progress) =>
      release.runAction(store, request, { ...change, ...progress, by, role: 'ops', server, browserGate }),
    publish: (dist, dryRun) => release.publish(store, { dist, by, dryRun }),
    read: (name, query) => queries[name](query as never) as never,
    makeKey: ({ days, ...grant }) => keys.make({ ...grant, by, lifetime: days * DAY_MS }),
    revokeKey: (id) => keys.revoke(id, by),
  };
}
