/** Replaces the shell's containers.ts in the single application: a page is a chunk of the same build. */

import type { ContainerRuntime } from '@platform/host/containers';
import type { Release } from '@platform/host/release-map';
import type { PageModule } from '@shop/shared/routing';
import { pages } from 'bench-pages';

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
