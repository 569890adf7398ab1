/** What a variant puts in the place of the shell's containers.ts: another way from a remote's name and a page to its module. */
import type { PageModule } from '@shop/shared/routing';
import type { Release } from '../../../shell/src/releases/release-map';
import type { FederationRuntime } from '../../../shell/src/releases/remote-loader';

export function pageIn(load: (name: string, page: string) => Promise<unknown>): {
  containerRuntime: FederationRuntime;
  releaseGlobal(release: Release): string;
} {
  return {
    containerRuntime: {
      register: () => {},
      fetch: () => Promise.resolve(),
      cancel: () => {},
      retire: () => {},
      load: async (release, page) => (await load(release.name, page.replace('./', ''))) as PageModule,
    },
    releaseGlobal: ({ name, version }) => `${name}_${version}`,
  };
}
