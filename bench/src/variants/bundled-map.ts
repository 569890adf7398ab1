/** The shell's release map where there is one build only: contracts from the bundle, no releases. */
import type { RemoteContract } from '@shop/shared/routing';
import { contracts } from 'bench-contracts';
import type { LiveRelease, ReleaseMap } from '../../../shell/src/releases/release-map';

export { chooseRelease, remoteNames } from '../../../shell/src/releases/release-map';

export function readEmbeddedMap(): ReleaseMap {
  return {
    channel: 'production',
    rev: Number.MAX_SAFE_INTEGER,
    microFrontends: {
      shell: [release()],
      ...Object.fromEntries(contracts.map((contract) => [contract.name, [release(contract)]])),
    },
  };
}

function release(contract?: RemoteContract): LiveRelease {
  return {
    url: '',
    metadata: { version: 'bench', integrity: '' },
    deployment: { traffic: 100, default: true },
    extras: { base: '', entry: '', exposes: {}, integrity: {}, previous: null, remote: contract },
  };
}
