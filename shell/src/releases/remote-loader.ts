/**
 * Loads pages of remotes: a loader of our own around the containers, because a hanging or corrupt entry needs a timeout,
 * jittered retries and the release before it (ADR 0001). Each release has a global of its own, so two releases of a
 * remote can stand side by side and a live change replaces nothing.
 */
import { currentTexts, registerTexts } from '@shop/shared/i18n';
import type { PageModule } from '@shop/shared/routing';
import { containerRuntime, releaseGlobal } from './containers';
import type { Release } from './release-map';

/** One attempt, entry and page together. */
const attemptTimeoutMs = 8_000;
/** Waits before the second and the third attempt; each is spread by ±50 % so that a crowd does not come back at once. */
const retryDelaysMs = [250, 900];

export interface LoadFailure {
  name: string;
  version: string;
  page: string;
  message: string;
  /** The shopper was served by the release before. */
  recovered: boolean;
}

/** A page and the release that served it. */
export interface LoadedPage {
  module: PageModule;
  release: Release;
}

export interface FederationRuntime {
  /** Starts the entry; `attempt` counts from 0, and a later one asks another address. */
  register(release: Release, attempt: number): void;
  load(release: Release, page: string): Promise<PageModule>;
}

export interface RemoteLoader {
  /** Resolves to the page, of the release asked for or of the one before it; rejects when neither loads. */
  load(release: Release, page: string): Promise<LoadedPage>;
  /** Puts the texts and styles of a release in force; called when a page of it is shown. */
  show(release: Release): void;
  /** The page if it is there already. */
  peek(release: Release, page: string): LoadedPage | undefined;
}

export function createRemoteLoader(options: {
  runtime?: FederationRuntime;
  onFailure?: (failure: LoadFailure) => void;
  wait?: (milliseconds: number) => Promise<void>;
  random?: () => number;
}): RemoteLoader {
  const runtime = options.runtime ?? containerRuntime;
  const wait = options.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  const random = options.random ?? Math.random;
  const loaded = new Map<string, LoadedPage>();
  const underWay = new Map<string, Promise<LoadedPage>>();
  /** Attempts so far, per release: a later "try again" must use an address that has not failed yet. */
  const attempts = new Map<string, number>();
  /** A release whose entry has run is not registered again; that would throw its modules away. */
  const running = new Set<string>();
  /** The texts that came with a release; a namespace holds those of one release at a time. */
  const texts = new Map<string, ReturnType<typeof currentTexts>>();

  function show(release: Release): void {
    const own = texts.get(releaseGlobal(release));
    if (own && own !== currentTexts(release.name)) registerTexts(release.name, own);
    // Class names of two releases are the same: only the styles of the one that is shown may apply.
    for (const sheet of document.querySelectorAll<HTMLLinkElement>(
      `link[rel="stylesheet"][href*="/r/${release.name}/"]`,
    )) {
      const other = !new URL(sheet.href, window.location.href).pathname.startsWith(release.base);
      if (sheet.disabled !== other) sheet.disabled = other;
    }
  }

  async function attempt(release: Release, page: string): Promise<PageModule> {
    const id = releaseGlobal(release);
    if (!running.has(id)) {
      const number = attempts.get(id) ?? 0;
      attempts.set(id, number + 1);
      runtime.register(release, number);
    }
    const module = await withTimeout(runtime.load(release, page), attemptTimeoutMs, `${release.name} ${page}`);
    if (!running.has(id)) texts.set(id, currentTexts(release.name));
    running.add(id);
    return module;
  }

  async function attemptWithRetries(release: Release, page: string, delays: readonly number[]): Promise<PageModule> {
    for (let index = 0; ; index += 1) {
      try {
        return await attempt(release, page);
      } catch (error) {
        const delay = delays[index];
        if (delay === undefined) throw error;
        await wait(delay * (0.5 + random()));
      }
    }
  }

  async function loadWithFallback(release: Release, page: string): Promise<LoadedPage> {
    try {
      return { module: await attemptWithRetries(release, page, retryDelaysMs), release };
    } catch (error) {
      const failure = { name: release.name, version: release.version, page, message: messageOf(error) };
      const previous = release.fallback;
      const servesPage = previous?.contract?.routes.some((route) => route.page === page) ?? false;
      if (previous && servesPage) {
        try {
          const module = await attemptWithRetries(previous, page, []);
          options.onFailure?.({ ...failure, recovered: true });
          return { module, release: previous };
        } catch {
          // The first failure tells more than that of the fallback.
        }
      }
      options.onFailure?.({ ...failure, recovered: false });
      throw error;
    }
  }

  return {
    peek: (release, page) => loaded.get(`${releaseGlobal(release)}/${page}`),
    show,
    load(release, page) {
      const key = `${releaseGlobal(release)}/${page}`;
      const there = loaded.get(key);
      if (there) {
        show(release);
        return Promise.resolve(there);
      }
      const current = underWay.get(key);
      if (current) return current;
      const started = loadWithFallback(release, page)
        .then((result) => {
          // What came from a fallback is not kept: the next visit asks the live release again.
          if (result.release === release) loaded.set(key, result);
          show(result.release);
          return result;
        })
        .finally(() => underWay.delete(key));
      underWay.set(key, started);
      return started;
    },
  };
}

function withTimeout<T>(promise: Promise<T>, milliseconds: number, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${what} did not arrive in ${milliseconds} ms`)), milliseconds);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
