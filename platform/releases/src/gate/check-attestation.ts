import { judgeAttestation, signingKeysOf, summaryOf } from '../attestation/judge';
import type { ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';
import { type Check, checkOf } from './verdict';

/** Where the channel asks for signed provenance; nothing elsewhere. */
export async function checkAttestation(
  store: Store,
  { name, version }: ReleaseManifest,
  map: ReleaseMap,
): Promise<Check[]> {
  if (map.ops.settings?.provenance !== 'signed') return [];
  const known = await summaryOf(store, name, version, await signingKeysOf(store));
  const { signedBy, commit, packages, faults } = known ?? judgeAttestation({ name, raw: null }, null, []);
  return [checkOf('provenance', faults, `signed by ${signedBy}, commit ${commit}, packages: ${packages}`)];
}
