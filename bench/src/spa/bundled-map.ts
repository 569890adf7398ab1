import type { PageMap, PageMapEntry, RemoteContract } from '@platform/releases/contract';
import { contracts } from 'bench-contracts';

export { chooseRelease, remoteNames } from '@platform/host/release-map';

export function readEmbeddedMap(): PageMap {
  return {
    channel: 'production',
    rev: Number.MAX_SAFE_INTEGER,
    microFrontends: {
      shell: [release()],
      ...Object.fromEntries(contracts.map((contract) => [contract.name, [release(contract)]])),
    },
  };
}

function release(contract?: RemoteContract): PageMapEntry {
  return {
    metadata: { version: 'bench' },
    deployment: { traffic: 100, default: true },
    extras: { base: '', entry: '', exposes: {}, integrity: {}, remote: contract },
  };
}
