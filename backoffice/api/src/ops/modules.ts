/** What the catalogue of modules at /ops shows. Needs the release store only. */
import {
  authorOf,
  type Identity,
  type ListedKey,
  type ModuleView,
  modules,
  type ReleaseKeys,
  type Role,
  refusalOf,
  type Store,
} from '@platform/releases';

/** Who may release by a key. */
export interface ModuleAccess {
  name: string;
  role: Role;
  /** Of a squad; empty for those who have all. */
  remotes: readonly string[];
  channels: readonly string[];
  /** ISO 8601. */
  expiresAt: string;
}

export interface OpsModules {
  channel: string;
  rev: number;
  /** Who is signed in, as the history names them. */
  you: string;
  role: Role;
  modules: ModuleView[];
  /** Keys that are good; null for whom they are none of the business. */
  access: ModuleAccess[] | null;
}

export async function opsModules(
  store: Store,
  channel: string,
  { identity, keys, now = Date.now }: { identity: Identity; keys: ReleaseKeys; now?: () => number },
): Promise<OpsModules> {
  const maySeeKeys = refusalOf(identity, { act: 'manage keys' }, null) === null;
  const isGood = ({ revoked, expiresAt }: ListedKey) => !revoked && Date.parse(expiresAt) > now();
  const shown = ({ name, role, remotes, channels, expiresAt }: ListedKey): ModuleAccess => ({
    ...{ name, role, remotes, channels, expiresAt },
  });
  return {
    ...(await modules(store, { channel })),
    you: authorOf(identity),
    role: identity.role,
    access: maySeeKeys ? (await keys.list()).filter(isGood).map(shown) : null,
  };
}
