/**
 * Runs the containers of releases by Module Federation's own interface: an entry defines a global with `init`, which takes
 * the share scope, and `get`, which gives a page's factory. That is all of the protocol that the shell uses;
 * beneath it, entries run on the cut of shared/src/federation (docs/adr/0001-federation-set-up.md has the bytes).
 */
import type { PageModule } from '@shop/shared/routing';
import { fetchFiles, stallMs } from './fetch-files';
import type { Release } from './release-map';
import type { FederationRuntime } from './remote-loader';
import { trustedScriptUrl } from './script-policy';

interface Container {
  init(shareScope: unknown): unknown;
  get(page: string): Promise<() => unknown>;
}

// The bundler's names for the share scope that the shell's singletons are in.
declare const __webpack_init_sharing__: (scope: 'default') => unknown;
declare const __webpack_share_scopes__: { default: unknown };

const globals = globalThis as unknown as Record<string, unknown>;

/** The name under which a release is registered; it is also the global that its entry defines (rspack.base.js). */
export function releaseGlobal(release: Pick<Release, 'name' | 'version'>): string {
  return `shop_${release.name}_${release.version.replace(/[^a-zA-Z0-9]/g, '_')}`;
}

/** Runs an entry once its hash has been found right. Rejects where it does not arrive, or defines no container. */
async function runEntry(release: Release, attempt: number): Promise<Container> {
  const address = release.base + release.entry;
  const integrity = release.integrity[release.entry];
  // A missing hash must fail: an entry that nobody vouches for does not run.
  if (!integrity) throw new Error(`no integrity is known for ${address}`);
  const script = document.createElement('script');
  // Browsers keep the failure of a script that was preloaded; another address is asked afresh.
  script.src = trustedScriptUrl(attempt > 0 ? `${address}?retry=${attempt}` : address);
  script.integrity = integrity;
  script.crossOrigin = 'anonymous';
  script.async = true;
  try {
    await new Promise<void>((resolve, reject) => {
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`${address} did not load`));
      document.head.append(script);
    });
  } finally {
    script.remove();
  }
  const container = globals[releaseGlobal(release)] as Container | undefined;
  if (!container) throw new Error(`${address} defines no container`);
  await __webpack_init_sharing__('default');
  await container.init(__webpack_share_scopes__.default);
  return container;
}

const containers = new Map<string, Promise<Container>>();

type ChunkNames = Record<string, ((chunk: unknown) => string) | undefined>;
const chunkQueue = (release: Release): string => `rspackChunk${releaseGlobal(release)}`;
/** Attempt by release, read by its own runtime when it names a chunk. */
const chunkAttempts = new Map<string, number>();

/**
 * A release's runtime names its chunks by functions of its own. A chunk may bring, besides modules, a function that runs
 * with the runtime: pushed into the queue before the runtime starts or after, such a chunk gives the names a query.
 */
function useFreshChunkAddresses(release: Release, attempt: number): void {
  const id = releaseGlobal(release);
  const known = chunkAttempts.has(id);
  chunkAttempts.set(id, attempt);
  if (known) return;
  globals[chunkQueue(release)] ??= [];
  (globals[chunkQueue(release)] as unknown[]).push([
    [Symbol(id)],
    {},
    (runtime: ChunkNames) => {
      for (const kind of ['u', 'miniCssF']) {
        const fileOf = runtime[kind];
        if (fileOf) runtime[kind] = (chunk) => `${fileOf(chunk)}?retry=${chunkAttempts.get(id)}`;
      }
    },
  ]);
}

export const containerRuntime: FederationRuntime = {
  register(release, attempt) {
    if (attempt > 0) useFreshChunkAddresses(release, attempt);
    const started = runEntry(release, attempt);
    // The failure reaches whoever loads a page.
    started.catch(() => {});
    containers.set(releaseGlobal(release), started);
  },
  async load(release, page) {
    const container = await containers.get(releaseGlobal(release));
    if (!container) throw new Error(`${release.name} ${release.version} was not registered`);
    const module = (await container.get(page))() as PageModule | undefined;
    if (!module?.Component) throw new Error(`${release.name} has no page ${page}`);
    return module;
  },
  fetch(release, page, attempt, withEntry) {
    if (attempt > 0) useFreshChunkAddresses(release, attempt);
    const { js, css } = release.exposes?.[page] ?? { js: [], css: [] };
    const files = new Set([...(withEntry ? [release.entry] : []), ...js, ...css]);
    const addresses = [...files].map((file) => release.base + file + (attempt > 0 ? `?retry=${attempt}` : ''));
    return fetchFiles(addresses, { stallMs, pastCache: attempt > 0 });
  },
  cancel(release) {
    // Here and in the bundler's runtime a script or style that fails is taken away, and what waits for it is rejected.
    for (const element of document.querySelectorAll(
      `script[src*="${release.base}"], link[rel="stylesheet"][href*="${release.base}"]`,
    )) {
      element.dispatchEvent(new Event('error'));
    }
  },
  retire(release) {
    const id = releaseGlobal(release);
    for (const link of document.querySelectorAll(`link[href*="${release.base}"]`)) link.remove();
    containers.delete(id);
    chunkAttempts.delete(id);
    // An entry's `var` cannot be deleted; what it holds can go.
    if (!Reflect.deleteProperty(globals, id)) globals[id] = undefined;
    Reflect.deleteProperty(globals, chunkQueue(release));
  },
};
