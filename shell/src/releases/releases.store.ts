/**
 * What is live, as this tab knows it. A new revision is learned when the tab becomes visible, at a navigation and by a
 * slow poll; a remote's new release is used from the next navigation into it, and a new shell by a full load. A tab that
 * nobody touches follows by itself (refresh-on-idle.ts).
 */
import { type PageMap, type RemoteContract, type RouteContract, releaseMapUrl } from '@shop/release/contract';
import { makeAutoObservable, observableRef, observableShallow, runInAction } from '@shop/shared/state';
import { chooseRelease, type Release, remoteNames } from './release-map';

/** Spread by ±10 %, so that a crowd of open tabs does not ask, and reload, in the same second. With the idle time, under a minute. */
const pollIntervalMs = 42_000;
/** A check that hangs must not be the last one. */
const checkTimeoutMs = 5_000;
/** Navigations in quick succession share one check. */
const checkSpacingMs = 500;

export interface ContractRoute extends RouteContract {
  remote: string;
}

export class ReleasesStore {
  map: PageMap;
  /** Per remote, the release that this tab shows; it follows the map at the next navigation into that remote. */
  private readonly active = new Map<string, Release>();
  private etag = '';
  private lastCheck = 0;
  /** The check that has not been sent yet. */
  private waiting: Promise<void> | null = null;
  private readonly shellAtStart: string;

  constructor(
    map: PageMap,
    private readonly visitor: number,
    private readonly request: typeof fetch = (...args) => fetch(...args),
  ) {
    this.map = map;
    this.shellAtStart = chooseRelease(map, 'shell', visitor)?.version ?? '';
    for (const name of remoteNames(map)) this.applyReleaseMap(name);
    makeAutoObservable<this, 'active' | 'etag' | 'lastCheck' | 'waiting' | 'shellAtStart' | 'visitor' | 'request'>(
      this,
      {
        map: observableRef,
        active: observableShallow,
        etag: false,
        lastCheck: false,
        waiting: false,
        shellAtStart: false,
        visitor: false,
        request: false,
      },
    );
  }

  /** Every remote's contract as the map says it now. */
  get contracts(): RemoteContract[] {
    return remoteNames(this.map).flatMap((name) => chooseRelease(this.map, name, this.visitor)?.contract ?? []);
  }

  get routes(): ContractRoute[] {
    return this.contracts.flatMap((contract) => contract.routes.map((route) => ({ ...route, remote: contract.name })));
  }

  /** The release of a remote that pages on screen use. */
  current(name: string): Release | null {
    return this.active.get(name) ?? null;
  }

  /** The release of a remote that the map gives this visitor now. */
  offered(name: string): Release | null {
    return chooseRelease(this.map, name, this.visitor);
  }

  /** Whether the map, asked anew, gives this visitor another release than this. */
  async isStale(release: Release): Promise<boolean> {
    await this.check();
    const offered = this.offered(release.name);
    return offered !== null && offered.version !== release.version;
  }

  /** Follows the map for one remote; called when a navigation goes into it. */
  applyReleaseMap(name: string): Release | null {
    const next = this.offered(name);
    const now = this.active.get(name);
    if (next && next.version !== now?.version) this.active.set(name, next);
    return this.current(name);
  }

  /** A shell other than the one that runs here is live: the next navigation is a full load. */
  get needsFullLoad(): boolean {
    return chooseRelease(this.map, 'shell', this.visitor)?.version !== this.shellAtStart;
  }

  /**
   * Asks for the map, 304 as a rule. A failure changes nothing: the shop goes on with what it knows. Checks that come in
   * quick succession share one, at the end of the spacing, so that the last of them sees what its navigation should see. One
   * that has been sent is not shared: its answer may be older than the promote that this navigation must see.
   */
  check(now = Date.now()): Promise<void> {
    // A preview shows what it was asked to show, whatever goes live meanwhile.
    if (this.map.preview) return Promise.resolve();
    this.waiting ??= wait(this.lastCheck + checkSpacingMs - now).then(() => {
      this.lastCheck = Date.now();
      this.waiting = null;
      return this.fetchMap();
    });
    return this.waiting;
  }

  private async fetchMap(): Promise<void> {
    try {
      const headers: Record<string, string> = this.etag ? { 'If-None-Match': this.etag } : {};
      const response = await this.request(releaseMapUrl(this.map.channel), {
        headers,
        credentials: 'omit',
        cache: 'no-store',
        signal: AbortSignal.timeout(checkTimeoutMs),
      });
      if (response.status !== 200) return;
      const next = (await response.json()) as PageMap;
      if (typeof next.rev !== 'number' || !next.microFrontends) return;
      runInAction(() => {
        // A cache on the way, or an earlier check that was slow, may answer with an older revision; the map only moves on.
        if (next.rev < this.map.rev) return;
        this.etag = response.headers.get('etag') ?? '';
        if (next.rev > this.map.rev) this.map = next;
      });
    } catch {
      // Offline, or the server is restarting.
    }
  }

  /** Starts the slow poll and the check when the tab becomes visible. Returns what ends both. */
  watch(): () => void {
    const onVisible = () => {
      if (document.visibilityState === 'visible') void this.check();
    };
    const timer = window.setInterval(onVisible, pollIntervalMs * (0.9 + 0.2 * Math.random()));
    document.addEventListener('visibilitychange', onVisible);
    // At the first show the page has just carried the map; only a page that comes back from the cache may be old.
    const onShow = (event: PageTransitionEvent) => {
      if (event.persisted) onVisible();
    };
    window.addEventListener('pageshow', onShow);
    return () => {
      window.clearInterval(timer);
      document.removeEventListener('visibilitychange', onVisible);
      window.removeEventListener('pageshow', onShow);
    };
  }
}

function wait(milliseconds: number): Promise<void> {
  return milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : Promise.resolve();
}
