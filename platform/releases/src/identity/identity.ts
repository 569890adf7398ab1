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
