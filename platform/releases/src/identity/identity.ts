import { tooMuch } from '../map';
import type { ActionLimits, ActionRequest } from '../operations/run-action';
import type { Provenance } from '../store/store';

export const ROLES = ['viewer', 'squad', 'platform', 'ops'] as const;
export type Role = (typeof ROLES)[number];

/** The permissions of an identity. They are set when its key is made, or by the rule of its repository. */
export interface Grant {
  role: Role;
  /** The releases of a squad. The list is empty for other roles, which may change all. */
  remotes: readonly string[];
  /** Per cent of the visitors that a squad may give a release at once. A larger share needs a canary that is raised, or ops. */
  maxTraffic?: number;
}

export interface Identity extends Grant {
  id: string;
  name: string;
  /** `forge`: a CI job that its forge has attested. `person`: signed in to the console. */
  kind: 'key' | 'forge' | 'person';
  /** ISO 8601, UTC. */
  expiresAt: string;
  source?: Provenance;
}

/**
 * The author in the history: "Ann Lee (ops)", "catalog CI (squad, key)". Names of keys contain no parentheses, so no key can pass
 * for a user.
 */
export const authorOf = ({ name, role, kind }: Identity): string =>
  `${name} (${kind === 'person' ? role : `${role}, ${kind}`})`;

export type Wanted = ActionRequest | { action: 'publish'; name: string } | { action: 'manage keys' };

const OF_OPS: ReadonlyArray<Wanted['action']> = ['restore', 'freeze', 'unfreeze', 'manage keys'];

/** Why an identity may not do this; null if it may. Every identity may read. */
export function refusalOf(identity: Identity, wanted: Wanted): string | null {
  const { role, remotes, maxTraffic = 100 } = identity;
  const who = authorOf(identity);
  if (role === 'ops') return null;
  if (role === 'viewer') return `${who} may look at releases and change nothing`;
  if (OF_OPS.includes(wanted.action)) return `${wanted.action} is for ops, not for ${who}`;
  if (role === 'platform') return null;
  if (wanted.action === 'promote-together') return `promoting several releases together is for platform and ops`;
  const name = 'name' in wanted ? wanted.name : '';
  if (!remotes.includes(name)) return `${name} is not a remote of ${who}, who has ${remotes.join(', ')}`;
  if ('skip' in wanted && wanted.skip?.length) return `leaving out a check of the gate is for platform and ops`;
  if ('anyway' in wanted && wanted.anyway) return `a rollback that is worse for others is for platform and ops`;
  if (wanted.action !== 'promote') return null;
  const share = wanted.canary ? 0 : (wanted.traffic ?? 100);
  return share > maxTraffic ? tooMuch(maxTraffic) : null;
}

export const limitsOf = ({ role, maxTraffic }: Grant): ActionLimits =>
  role === 'squad' ? { maxTraffic, onlyEarlier: true } : {};
