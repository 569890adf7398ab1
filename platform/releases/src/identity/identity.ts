import type { Provenance } from '../store/store';

export const ROLES = ['viewer', 'squad', 'platform', 'ops'] as const;
export type Role = (typeof ROLES)[number];

/** What an identity may do; given when its key is made, or by the rule of its repository. */
export interface Grant {
  role: Role;
  /** The releases of a squad. The other roles have none: theirs are all. */
  remotes: readonly string[];
  /** The channels that a squad may change. The other roles have none: theirs are all. */
  channels: readonly string[];
  /** Per cent of the visitors that a squad may give a release at once; more comes by a canary that is raised, or from ops. */
  maxTraffic?: number;
}

export interface Identity extends Grant {
  /** Public part of the key. */
  id: string;
  name: string;
  /** 'forge': a CI job whose forge has vouched for it. 'user': signed in to the console. */
  kind: 'key' | 'forge' | 'person';
  /** ISO 8601, UTC. */
  expiresAt: string;
  /** The job that a forge has vouched for. */
  source?: Provenance;
}

/** As the history names it: "Ann Lee (ops)", "catalog CI (squad, key)". No key's name has parentheses, so none can pass for a user. */
export const authorOf = ({ name, role, kind }: Identity): string =>
  `${name} (${kind === 'person' ? role : `${role}, ${kind}`})`;
