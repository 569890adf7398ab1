/** Replaces the shell's containers.ts and release-map.ts in the single application: a page is a chunk of the same build. */

import type { ContainerRuntime } from '@platform/host/containers';
import type { Release } from '@platform/host/release-map';
import type { PageMap, PageMapEntry, RemoteContract } from '@platform/releases/contract';
import type { PageModule } from '@shop/shared/routing';
import { contracts, pages } from 'bench-remotes';

// An export of this file replaces the one of the same name.
export * from '@platform/host/release-map';

export const containerRuntime: ContainerRuntime = {
  register: () => {},
  download: () => Promise.resolve(),
  abort: () => {},
  unload: () => {},
  load: async ({ name }, page) => {
    const load = pages[`${name}/${page.replace('./', '')}`];
    if (!load) throw new Error(`no page ${name}/${page}`);
    return (await load()) as PageModule;
  },
};
export const containerName = ({ name, version }: Release) => `${name}_${version}`;

export function readEmbeddedMap(): PageMap {
  const remotes = Object.fromEntries(contracts.map((contract) => [contract.name, [release(contract)]]));
  return { channel: 'production', rev: Number.MAX_SAFE_INTEGER, microFrontends: { shell: [release()], ...remotes } };
}

function release(contract?: RemoteContract): PageMapEntry {
  return {
    metadata: { version: 'bench' },
    deployment: { traffic: 100, default: true },
    extras: { base: '', entry: '', exposes: {}, integrity: {}, remote: contract },
  };
}
