/**
 * Loads pages of remotes, instead of the official runtime's `loadRemote` and retry plugin (ADR 0001). It adds a timeout for each
 * attempt, retries with jitter under fresh addresses, and the fallback release. Each release has its own container global, so two
 * releases of a remote run side by side and a promote replaces nothing that is loaded. The first attempt uses script and style
 * elements, which the document's preloads serve. Each retry first downloads the page's files with fetch, because a fetch can be
 * aborted (a script that hangs blocks every later element of its address), bypasses a corrupt cache entry, and distinguishes a
 * failing network from failing code, which no retry repairs.
 */

import { type ContainerRuntime, containerName, containerRuntime, type PageModule } from './containers';
import { attemptTimeoutMs, TimeoutError } from './download';
import { natives } from './natives';
import { ReleaseAssets, type RemoteTexts } from './release-assets';
import type { Release } from './release-map';

/** Delays before the second and the third attempt, each jittered by ±50 %. */
const retryDelaysMs = [250, 900];
const staleCheckTimeoutMs = 1_000;

export interface LoadedPage {
  module: PageModule;
  release: Release;
}

/** The page's files arrived, but its code throws: a retry is useless. */
class PageCodeError extends Error {}
/** Another release went live while this one failed to load; the caller applies the release map. */
export class SupersededError extends Error {}

export type RemoteLoader = ReturnType<typeof createRemoteLoader>;

export interface LoaderOptions {
  texts: RemoteTexts;
  runtime?: ContainerRuntime;
  onFailure?: (release: Release, page: string, message: string) => void;
  onRun?: (release: Release) => void;
  isStale?: (release: Release) => Promise<boolean>;
  wait?: (milliseconds: number) => Promise<void>;
  random?: () => number;
}

const pageKey = (release: Release, page: string): string => `${containerName(release)}/${page}`;

export function createRemoteLoader(options: LoaderOptions) {
  const runtime = options.runtime ?? containerRuntime;
  const wait = options.wait ?? ((milliseconds) => new Promise((resolve) => natives.setTimeout(resolve, milliseconds)));
  const random = options.random ?? Math.random;
  const loaded = new Map<string, LoadedPage>();
  const inFlight = new Map<string, { request: Promise<LoadedPage>; preload: boolean }>();
  /** By release, the number of failed attempts. It makes the addresses of retries unique, so that none repeats an address that failed. */
  const failedAttempts = new Map<string, number>();
  /** Releases whose entry has run; registering one again would discard its modules. */
  const started = new Set<string>();
  const assets = new ReleaseAssets(unload, options.texts);

  function unload(release: Release): void {
    const id = containerName(release);
    for (const key of loaded.keys()) if (key.startsWith(`${id}/`)) loaded.delete(key);
    if (started.delete(id) || failedAttempts.has(id)) runtime.unload(release);
    failedAttempts.delete(id);
    assets.forget(release);
  }

  async function attemptLoad(release: Release, page: string, { download }: { download: boolean }): Promise<LoadedPage> {
    const id = containerName(release);
    const attempt = failedAttempts.get(id) ?? 0;
    let downloaded = false;
    try {
      if (download) {
        await runtime.download(release, page, attempt, !started.has(id));
        // Without a list of the page's files only the entry was downloaded.
        downloaded = release.exposes?.[page] !== undefined;
      }
      if (!started.has(id)) {
        options.onRun?.(release);
        runtime.register(release, attempt);
      }
      const module = await withTimeout(runtime.load(release, page), `${release.name} ${page}`);
      if (!started.has(id)) assets.rememberTexts(release);
      await assets.restoreStyles(release);
      started.add(id);
      assets.restoreShown(release);
      return { module, release };
    } catch (error) {
      failedAttempts.set(id, attempt + 1);
      runtime.abort(release);
      if (downloaded && !(error instanceof TimeoutError)) throw new PageCodeError(messageOf(error), { cause: error });
      throw error;
    }
  }

  async function loadWithRetries(release: Release, page: string): Promise<LoadedPage> {
    for (let retry = 0; ; retry += 1) {
      try {
        return await attemptLoad(release, page, { download: failedAttempts.has(containerName(release)) });
      } catch (error) {
        const delay = retryDelaysMs[retry];
        // A timeout costs seconds, so a fallback is used at once if there is one.
        const isFinal =
          delay === undefined ||
          error instanceof PageCodeError ||
          (error instanceof TimeoutError && fallbackWith(release, page));
        const stale = isStale(release);
        if (!isFinal) await wait(delay * (0.5 + random()));
        if (await stale) throw new SupersededError(`${release.name}@${release.version} is no longer live`);
        if (isFinal) throw error;
      }
    }
  }

  async function isStale(release: Release): Promise<boolean> {
    if (!options.isStale) return false;
    return Promise.race([options.isStale(release), wait(staleCheckTimeoutMs).then(() => false)]).catch(() => false);
  }

  /** Loads the fallback for a page of `release` that throws while rendering. Rejects when the fallback release lacks the page. */
  async function loadFallback(release: Release, page: string): Promise<LoadedPage> {
    const fallback = fallbackWith(release, page);
    if (!fallback) throw new Error(`${release.name} has no fallback release with the page ${page}`);
    const key = pageKey(fallback, page);
    const result = loaded.get(key) ?? (await attemptLoad(fallback, page, { download: true }));
    loaded.set(key, result);
    await assets.restoreStyles(fallback);
    return result;
  }

  async function loadWithFallback(release: Release, page: string): Promise<LoadedPage> {
    try {
      return await loadWithRetries(release, page);
    } catch (error) {
      if (error instanceof SupersededError) throw error;
      // When both fail, the live release's error is the one to report.
      const fallback = await loadFallback(release, page).catch(() => null);
      options.onFailure?.(release, page, messageOf(error));
      if (!fallback) throw error;
      return fallback;
    }
  }

  function startLoad(release: Release, page: string, preload: boolean): Promise<LoadedPage> {
    const key = pageKey(release, page);
    const pending = inFlight.get(key);
    if (pending && (preload || !pending.preload)) return pending.request;
    const load = () => loadWithFallback(release, page);
    const loadOnce = () => attemptLoad(release, page, { download: false });
    // A navigation joins a pending preload, and gets retries and fallback if that fails.
    const request = (preload ? loadOnce() : (pending?.request.catch(load) ?? load()))
      .then((result) => {
        // A fallback is not cached: the next visit tries the live release again.
        if (result.release === release) loaded.set(key, result);
        return result;
      })
      .finally(() => {
        if (inFlight.get(key)?.request === request) inFlight.delete(key);
      });
    inFlight.set(key, { request, preload });
    return request;
  }

  return {
    /** Returns the page if it has been loaded and its styles are in the document. */
    peek: (release: Release, page: string): LoadedPage | undefined =>
      assets.lacksStyles(release) ? undefined : loaded.get(pageKey(release, page)),
    /** Applies texts and styles of a release; call it when a page of it is shown. `live` is the release that `release` is the fallback of. */
    show: (release: Release, live?: Release): void => assets.apply(release, live),
    loadFallback,
    unload,
    /**
     * Resolves to the page of this release or of its fallback; rejects when neither loads. With `preload` it makes one
     * attempt, uses no fallback and reports no failure.
     */
    async load(release: Release, page: string, { preload = false } = {}): Promise<LoadedPage> {
      const cached = loaded.get(pageKey(release, page));
      if (!cached) return startLoad(release, page, preload);
      await assets.restoreStyles(release);
      if (preload) assets.restoreShown(release);
      return cached;
    },
  };
}

function fallbackWith({ fallback }: Release, page: string): Release | null {
  return fallback?.contract?.routes.some((route) => route.page === page) ? fallback : null;
}

function withTimeout<T>(promise: Promise<T>, subject: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeout = () => reject(new TimeoutError(`${subject} did not load in ${attemptTimeoutMs} ms`));
    const timer = natives.setTimeout(timeout, attemptTimeoutMs);
    promise.then(resolve, reject).finally(() => natives.clearTimeout(timer));
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
