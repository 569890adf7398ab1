/** What a variant puts in the place of the shell's containers.ts: another way from a remote's name and a page to its module. */

import type { ContainerRuntime } from '@platform/host/containers';
import type { Release } from '@platform/host/release-map';
import type { PageModule } from '@shop/shared/routing';

export function pageIn(load: (name: string, page: string) => Promise<unknown>): {
  containerRuntime: ContainerRuntime;
  containerName(release: Release): string;
} {
  return {
    containerRuntime: {
      register: () => {},
      download: () => Promise.resolve(),
      abort: () => {},
      unload: () => {},
      load: async (release, page) => (await load(release.name, page.replace('./', ''))) as PageModule,
    },
    containerName: ({ name, version }) => `${name}_${version}`,
  };
}
