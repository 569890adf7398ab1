/** Where a command works: on a store at hand, or on a shop, through its release API. Both do the same and give the same results. */
import { describeSite, withStaticSite } from '@platform/pages';
import type { Grant } from '@platform/releases';
import * as release from '@platform/releases';
import { SITE } from '@shop/shared/site';
import { attestBuild } from './attest-build';
import type { Progress, ShopClient } from './shop-client';

export interface Given {
  channel?: string;
  why?: string;
  dryRun: boolean;
}

export interface NewKey extends Grant {
  name: string;
  days: number;
}

type PublicKey = Pick<release.SigningKey, 'publicKey' | 'name' | 'remotes'>;

export interface Place {
  /** For announcements. */
  name: string;
  act(act: release.Act, given: Given, progress: Progress): Promise<unknown>;
  publish(dist: string, dryRun: boolean, progress: Progress): Promise<unknown>;
  status(channel?: string): Promise<unknown>;
  releases(query: { channel?: string; name?: string }): Promise<unknown>;
  sbom(query: { channel?: string; name: string; version?: string }): Promise<unknown>;
  history(query: { channel?: string; name?: string; limit?: number }): Promise<unknown>;
  verify(query: { channel?: string; all?: boolean }): Promise<{ ok: boolean }>;
  verifyRecord(query: { channel?: string; head?: string }): Promise<{ ok: boolean }>;
  listKeys(): Promise<unknown>;
  makeKey(key: NewKey): Promise<unknown>;
  revokeKey(id: string): Promise<unknown>;
  listSigningKeys(): Promise<unknown>;
  addSigningKey(key: PublicKey): Promise<unknown>;
  revokeSigningKey(id: string): Promise<unknown>;
}

describeSite(SITE);

const DAY_MS = 86_400_000;

/** Whoever reaches the store itself needs no key, and is named as he says. */
export function storePlace(
  store: release.Store,
  by: string,
  gateSteps: (skip: readonly string[]) => Promise<release.GateStep[]>,
): Place {
  const keys = new release.ReleaseKeys(store.blobs);
  const signingKeys = new release.SigningKeys(store.blobs);
  const { APP_SECRET } = process.env;
  const key = APP_SECRET ? release.recordKey(APP_SECRET) : undefined;
  return {
    name: store.blobs.place,
    async act(act, given, progress) {
      const result = await release.runAct(store, act, { ...given, by, steps: gateSteps, ...progress });
      // Servers read a bucket at intervals, a folder every time.
      if (!given.dryRun && act.act !== 'gate') {
        await new Promise((resolve) => setTimeout(resolve, store.blobs.readAgainMs));
      }
      return result;
    },
    async publish(dist, dryRun, { say }) {
      const build = await release.readBuild(dist);
      return release.publishBuild(store, build, { by, dryRun, attestation: attestBuild(build, dist, { say }) });
    },
    status: (channel) => release.status(store, channel),
    releases: (query) => release.releases(store, query),
    sbom: (query) => release.sbomOfRelease(store, query),
    history: (query) => release.history(store, query),
    verify: (query) => release.verify(store, query),
    verifyRecord: (query) => release.verifyRecord(store, { ...query, key }),
    listKeys: () => keys.list(),
    makeKey: ({ days, ...key }) => keys.make({ ...key, by, lifetime: days * DAY_MS }),
    revokeKey: (id) => keys.revoke(id, by),
    listSigningKeys: () => signingKeys.list(),
    addSigningKey: (key) => signingKeys.add({ ...key, by }),
    revokeSigningKey: (id) => signingKeys.revoke(id, by),
  };
}

export function shopPlace(shop: ShopClient, name: string): Place {
  return {
    name,
    act: (act, given, progress) => shop.act(act, given, progress),
    publish: (dist, dryRun, progress) => shop.publish(dist, dryRun, progress),
    status: (channel) => shop.get('status', { channel }),
    releases: (query) => shop.get('releases', query),
    sbom: (query) => shop.get('sbom', query),
    history: (query) => shop.get('history', query),
    verify: (query) => shop.get('verify', query) as Promise<{ ok: boolean }>,
    verifyRecord: (query) => shop.get('history/verify', query) as Promise<{ ok: boolean }>,
    listKeys: () => shop.get('keys'),
    makeKey: (key) => shop.post('keys', key),
    revokeKey: (id) => shop.delete(`keys/${id}`),
    listSigningKeys: () => shop.get('signing-keys'),
    addSigningKey: (key) => shop.post('signing-keys', key),
    revokeSigningKey: (id) => shop.delete(`signing-keys/${id}`),
  };
}

export const openStore = (place: string | undefined): release.Store => withStaticSite(release.openStore({ place }));
