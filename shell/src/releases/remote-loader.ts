/**
 * Loads pages of remotes: a loader of our own around the containers, because a hanging or corrupt entry needs a timeout,
 * jittered retries and the release before it (ADR 0001). Each release has a global of its own, so two releases of a
 * remote can stand side by side and a live change replaces nothing.
 *
 * The first attempt is the plain one, which the document's preloads serve. Every later one first fetches the files of
 * the page under addresses that have not failed yet: such a fetch can be given up, where a script element that hangs
 * keeps its connection and makes every further element of the same address wait for it; it goes past a cache that
 * holds a broken copy; and it tells a network that fails from code that fails, which no retry mends.
 */
import { currentTexts, registerTexts } from '@shop/shared/i18n';
import type { PageModule } from '@shop/shared/routing';
import { containerRuntime, releaseGlobal } from './containers';
import { StalledError } from './fetch-files';
import type { Release } from './release-map';

/** An attempt that has not ended by then hangs. */
const stallMs = 4_000;
/** Waits before the second and the third attempt; each is spread by ±50 % so that a crowd does not come back at once. */
const retryDelaysMs = [250, 900];
/** How long a failed attempt waits for the news that its release is no longer live. */
const staleCheckMs = 1_000;

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
  /** Starts the entry; `attempt` counts from 0, and a later one asks other addresses, for the chunks too. */
  register(release: Release, attempt: number): void;
  /** Brings the files of a page into the browser's cache, the entry too when it has not run. Rejects when one does not arrive. */
  fetch(release: Release, page: string, attempt: number, withEntry: boolean): Promise<void>;
  load(release: Release, page: string): Promise<PageModule>;
  /** Ends what is still on its way, so that the next attempt does not wait for it. */
  cancel(release: Release): void;
  /** Lets go of a release that nothing shows any more. */
  retire(release: Release): void;
}

/** The page's code arrived and fails by itself; asking for it again brings the same. */
class BrokenCode extends Error {}
/** Another release went live while this one did not load; whoever asked follows the map. */
export class Superseded extends Error {}

export interface RemoteLoader {
  /**
   * Resolves to the page, of the release asked for or of the one before it; rejects when neither loads. `ahead`: nobody
   * waits for it yet, so it is tried once, from this release alone, and its failure is nobody's.
   */
  load(release: Release, page: string, options?: { ahead?: boolean }): Promise<LoadedPage>;
  /** The page of the release before: what a shopper gets when the page of `release` throws. Rejects when there is none. */
  loadBefore(release: Release, page: string): Promise<LoadedPage>;
  /** Puts the texts and styles of a release in force; called when a page of it is shown. */
  show(release: Release): void;
  /** The page if it is there already. */
  peek(release: Release, page: string): LoadedPage | undefined;
}

export interface LoaderOptions {
  runtime?: FederationRuntime;
  onFailure?: (failure: LoadFailure) => void;
  /** Asks whether another release than this is live by now; the loader then stops trying. */
  isStale?: (release: Release) => Promise<boolean>;
  wait?: (milliseconds: number) => Promise<void>;
  random?: () => number;
}

export function createRemoteLoader(options: LoaderOptions): RemoteLoader {
  const runtime = options.runtime ?? containerRuntime;
  const wait = options.wait ?? ((milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  const random = options.random ?? Math.random;
  const loaded = new Map<string, LoadedPage>();
  const underWay = new Map<string, { page: Promise<LoadedPage>; ahead: boolean }>();
  /** Attempts that failed, per release: a later "try again" must use an address that has not failed yet. */
  const failed = new Map<string, number>();
  /** A release whose entry has run is not registered again; that would throw its modules away. */
  const running = new Set<string>();
  /** The texts that came with a release; a namespace holds those of one release at a time. */
  const texts = new Map<string, ReturnType<typeof currentTexts>>();
  /** Per remote, what was shown, the latest last. */
  const shown = new Map<string, Release[]>();

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
    retireOthers(release);
  }

  /** Keeps what is shown, what was shown before it (its pages may be leaving the screen just now) and their fallbacks. */
  function retireOthers(release: Release): void {
    const others = (shown.get(release.name) ?? []).filter(({ version }) => version !== release.version);
    const before = others.pop();
    shown.set(release.name, before ? [before, release] : [release]);
    const kept = [release, release.fallback, before, before?.fallback].map((one) => one?.version);
    for (const old of others) {
      for (const one of [old, old.fallback]) if (one && !kept.includes(one.version)) retire(one);
    }
  }

  function retire(release: Release): void {
    const id = releaseGlobal(release);
    for (const key of loaded.keys()) if (key.startsWith(`${id}/`)) loaded.delete(key);
    if (running.delete(id) || failed.has(id)) runtime.retire(release);
    failed.delete(id);
    texts.delete(id);
  }

  /** `careful`: the files are fetched first; see the top of this file. */
  async function attempt(release: Release, page: string, careful: boolean): Promise<PageModule> {
    const id = releaseGlobal(release);
    const number = failed.get(id) ?? 0;
    let arrived = false;
    try {
      if (careful) {
        await runtime.fetch(release, page, number, !running.has(id));
        arrived = true;
      }
      if (!running.has(id)) runtime.register(release, number);
      const module = await withTimeout(runtime.load(release, page), `${release.name} ${page}`);
      if (!running.has(id)) texts.set(id, currentTexts(release.name));
      running.add(id);
      // Its styles and texts came into force with it; what is on screen keeps its own until it is replaced.
      const onScreen = shown.get(release.name)?.at(-1);
      if (onScreen && onScreen.version !== release.version) show(onScreen);
      return module;
    } catch (error) {
      failed.set(id, number + 1);
      runtime.cancel(release);
      if (arrived && !(error instanceof StalledError)) throw new BrokenCode(messageOf(error), { cause: error });
      throw error;
    }
  }

  async function attemptWithRetries(release: Release, page: string): Promise<PageModule> {
    for (let index = 0; ; index += 1) {
      try {
        return await attempt(release, page, (failed.get(releaseGlobal(release)) ?? 0) > 0);
      } catch (error) {
        const delay = retryDelaysMs[index];
        // A hang costs seconds each time: the release before is the better answer, where there is one.
        const isFinal =
          delay === undefined ||
          error instanceof BrokenCode ||
          (error instanceof StalledError && before(release, page));
        const stale = isStale(release);
        if (!isFinal) await wait(delay * (0.5 + random()));
        if (await stale) throw new Superseded(`${release.name}@${release.version} is no longer live`);
        if (isFinal) throw error;
      }
    }
  }

  async function isStale(release: Release): Promise<boolean> {
    if (!options.isStale) return false;
    return Promise.race([options.isStale(release), wait(staleCheckMs).then(() => false)]).catch(() => false);
  }

  /** The release before, if it has this page. */
  function before(release: Release, page: string): Release | null {
    const previous = release.fallback;
    return previous?.contract?.routes.some((route) => route.page === page) ? previous : null;
  }

  async function loadBefore(release: Release, page: string): Promise<LoadedPage> {
    const previous = before(release, page);
    if (!previous) throw new Error(`${release.name} has no earlier release with the page ${page}`);
    const key = `${releaseGlobal(previous)}/${page}`;
    const there = loaded.get(key) ?? { module: await attempt(previous, page, true), release: previous };
    loaded.set(key, there);
    return there;
  }

  async function loadWithFallback(release: Release, page: string): Promise<LoadedPage> {
    try {
      return { module: await attemptWithRetries(release, page), release };
    } catch (error) {
      if (error instanceof Superseded) throw error;
      const failure = { name: release.name, version: release.version, page, message: messageOf(error) };
      try {
        const there = await loadBefore(release, page);
        options.onFailure?.({ ...failure, recovered: true });
        return there;
      } catch {
        // The first failure tells more than that of the fallback.
      }
      options.onFailure?.({ ...failure, recovered: false });
      throw error;
    }
  }

  function start(release: Release, page: string, ahead: boolean): Promise<LoadedPage> {
    const key = `${releaseGlobal(release)}/${page}`;
    const current = underWay.get(key);
    if (current && (ahead || !current.ahead)) return current.page;
    const all = () => loadWithFallback(release, page);
    const once = async () => ({ module: await attempt(release, page, false), release });
    const started = (ahead ? once() : (current?.page.catch(all) ?? all()))
      .then((result) => {
        // A fallback is kept under its own name only: the next visit asks the live release again.
        if (result.release === release) loaded.set(key, result);
        return result;
      })
      .finally(() => {
        if (underWay.get(key)?.page === started) underWay.delete(key);
      });
    underWay.set(key, { page: started, ahead });
    return started;
  }

  return {
    peek: (release, page) => loaded.get(`${releaseGlobal(release)}/${page}`),
    show,
    loadBefore,
    async load(release, page, { ahead = false } = {}) {
      return loaded.get(`${releaseGlobal(release)}/${page}`) ?? start(release, page, ahead);
    },
  };
}

function withTimeout<T>(promise: Promise<T>, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new StalledError(`${what} did not arrive in ${stallMs} ms`)), stallMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
