import type { ActionRequest } from '../action';
import { tooMuch } from '../map';
import type { ActionLimits } from '../operations/run-action';
import { authorOf, type Grant, type Identity } from './identity';

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

export const limitsOf = ({ role, maxTraffic }: Grant): ActionLimits | undefined =>
  role === 'squad' ? { maxTraffic, onlyEarlier: true } : undefined;
