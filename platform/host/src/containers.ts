/**
 * Loads and runs the containers of releases. The entry of a release defines a Module Federation container: a global with
 * `init`, which takes the share scope, and `get`, which resolves to the factory of an exposed module. Unlike in the official
 * runtime, the address and the hash of an entry come from the release map, and no `registerRemotes` is needed, because every
 * release has its own global.
 */

import type { ComponentType } from 'react';
import { downloadAll } from './download';
import { natives } from './natives';
import type { Release } from './release-map';

/** The module that a remote exposes for a route: the shape of a React Router route module. */
export interface PageModule {
  Component: ComponentType;
  /** Starts the page's calls; must not throw and must not wait for them. */
  loader?(args: unknown): unknown;
  ErrorBoundary?: ComponentType<{ error: unknown; retry: () => void }>;
}

export interface Container {
  init(shareScope: unknown): unknown;
  get(page: string): Promise<() => unknown>;
}

// The bundler replaces these by its own share scope functions.
declare const __webpack_init_sharing__: (scope: 'default') => unknown;
declare const __webpack_share_scopes__: { default: unknown };

const globals = globalThis as unknown as Record<string, unknown>;

/** The global that the entry of a release defines: `uniqueName` in rspack.base.js, or what the release map names. */
export function containerName(release: Pick<Release, 'name' | 'version' | 'container'>): string {
  return release.container ?? `mfe_${release.name}_${release.version.replace(/[^a-zA-Z0-9]/g, '_')}`;
}

async function loadContainer(release: Release, attempt: number): Promise<Container> {
  const url = release.base + release.entry;
  const integrity = release.integrity[release.entry];
  // Without integrity the browser would run any script that the server sends.
  if (!integrity) throw new Error(`the release map has no integrity for ${url}`);
  const script = document.createElement('script');
  // Browsers remember that a preloaded script failed; only another address is requested again.
  script.src = trustedScriptUrl(attempt > 0 ? `${url}?retry=${attempt}` : url, isReleaseUrl);
  script.integrity = integrity;
  script.crossOrigin = 'anonymous';
  script.async = true;
  try {
    await new Promise<void>((resolve, reject) => {
      script.onload = () => resolve();
      script.onerror = () => reject(new Error(`${url} did not load`));
      document.head.append(script);
    });
  } finally {
    script.remove();
  }
  const container = globals[containerName(release)] as Container | undefined;
  if (!container) throw new Error(`${url} defines no container`);
  await __webpack_init_sharing__('default');
  await container.init(__webpack_share_scopes__.default);
  return container;
}

const releasePath = /^\/r\/[a-z][a-z0-9-]*\/[\w.-]+\/[\w./~-]+\.js(\?retry=\d+)?$/;

/** Admits only release URLs of this origin, even if the map names others. */
function isReleaseUrl(url: string): boolean {
  const { origin, pathname, search } = new URL(url, window.location.href);
  return origin === window.location.origin && releasePath.test(pathname + search) && !pathname.includes('..');
}

/** The URL as the Trusted Types policy of the document requires it. Throws TypeError if `isAdmitted` returns false. */
export function trustedScriptUrl(url: string, isAdmitted: (url: string) => boolean): string {
  const rules = {
    createScriptURL(text: string): string {
      if (!isAdmitted(text)) throw new TypeError(`not an admitted script: ${text}`);
      return text;
    },
  };
  // The document's policy allows this name only.
  return (natives.createPolicy?.('releases', rules) ?? rules).createScriptURL(url);
}

const containers = new Map<string, Promise<Container>>();

type ChunkFileNames = Record<string, ((chunk: unknown) => string) | undefined>;
const chunkQueueName = (release: Release): string => `rspackChunk${containerName(release)}`;
/** Per release the number of the attempt, for the addresses of its chunks. */
const chunkAttempts = new Map<string, number>();

/**
 * Gives a release's chunks addresses with `?retry=<attempt>`. The bundler's runtime has functions that name its chunks. A chunk
 * pushed into its queue, even before the runtime starts, may carry a callback that gets the runtime; this one wraps them.
 */
function setFreshChunkUrls(release: Release, attempt: number): void {
  const id = containerName(release);
  const isWrapped = chunkAttempts.has(id);
  chunkAttempts.set(id, attempt);
  if (isWrapped) return;
  globals[chunkQueueName(release)] ??= [];
  (globals[chunkQueueName(release)] as unknown[]).push([
    [Symbol(id)],
    {},
    (runtime: ChunkFileNames) => {
      for (const kind of ['u', 'miniCssF']) {
        const fileOf = runtime[kind];
        if (fileOf) runtime[kind] = (chunk) => `${fileOf(chunk)}?retry=${chunkAttempts.get(id)}`;
      }
    },
  ]);
}

export type ContainerRuntime = typeof containerRuntime;

/** `attempt` counts from 0; from 1 on, entry and chunks get fresh addresses. */
export const containerRuntime = {
  register(release: Release, attempt: number): void {
    if (attempt > 0) setFreshChunkUrls(release, attempt);
    const container = loadContainer(release, attempt);
    // `load` reports the rejection.
    container.catch(() => {});
    containers.set(containerName(release), container);
  },
  async load(release: Release, page: string): Promise<PageModule> {
    const container = await containers.get(containerName(release));
    if (!container) throw new Error(`${release.name} ${release.version} is not registered`);
    const module = (await container.get(page))() as PageModule | undefined;
    if (!module?.Component) throw new Error(`${release.name} has no page ${page}`);
    return module;
  },
  download(release: Release, page: string, attempt: number, withEntry: boolean): Promise<void> {
    if (attempt > 0) setFreshChunkUrls(release, attempt);
    const { js, css } = release.exposes?.[page] ?? { js: [], css: [] };
    const files = new Set([...(withEntry ? [release.entry] : []), ...js, ...css]);
    const urls = [...files].map((file) => release.base + file + (attempt > 0 ? `?retry=${attempt}` : ''));
    return downloadAll(urls, attempt > 0);
  },
  abort(release: Release): void {
    // On `error`, `loadContainer` and the bundler's runtime remove the element and reject.
    for (const element of document.querySelectorAll(
      `script[src*="${release.base}"], link[rel="stylesheet"][href*="${release.base}"]`,
    )) {
      element.dispatchEvent(new Event('error'));
    }
  },
  unload(release: Release): void {
    const id = containerName(release);
    for (const link of document.querySelectorAll(`link[href*="${release.base}"]`)) link.remove();
    containers.delete(id);
    chunkAttempts.delete(id);
    // A script's `var` cannot be deleted.
    if (!Reflect.deleteProperty(globals, id)) globals[id] = undefined;
    Reflect.deleteProperty(globals, chunkQueueName(release));
  },
};
