/** Stands in for Module Federation's runtime in the single application: a page is a chunk of the same build. */
import { pages } from 'bench-pages';

export const getInstance = () => pages;
export function registerPlugins(): void {}
export function registerRemotes(): void {}

/** `address` is the shell's: `shop_<remote>_<version>/<page>`. */
export function loadRemote(address: string): Promise<unknown> {
  const [, remote, page] = /^shop_([a-z]+)_[^/]+\/(.+)$/.exec(address) ?? [];
  const load = pages[`${remote}/${page}`];
  return load ? load() : Promise.reject(new Error(`no page ${address}`));
}
