import type { ProvenanceSetting } from './contract';

/** What somebody does to releases, as the command line and the API both take it. */
export type Act =
  | PromoteAct
  | { act: 'promote-together'; releases: Array<{ name: string; version?: string }>; replace?: boolean }
  | { act: 'gate'; name: string; version?: string; skip?: string[] }
  | { act: 'rollback'; name: string; to?: string }
  | { act: 'restore'; rev: number }
  | { act: 'freeze' | 'unfreeze'; name: string; version?: string }
  | { act: 'render-off' | 'render-on'; name: string }
  | { act: 'settings'; provenance: ProvenanceSetting };

export interface PromoteAct {
  act: 'promote';
  name: string;
  version?: string;
  /** Per cent of the visitors. */
  traffic?: number;
  canary?: readonly number[] | 'auto';
  skip?: string[];
  replace?: boolean;
}

export const ACTS = [
  'promote',
  'promote-together',
  'gate',
  'rollback',
  'restore',
  'freeze',
  'unfreeze',
  'render-off',
  'render-on',
  'settings',
] as const satisfies ReadonlyArray<Act['act']>;
