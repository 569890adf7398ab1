/**
 * The release map of this tab. It is refetched when the tab becomes visible, at navigations and by a slow poll. A remote's new release
 * applies from the next navigation into that remote, a new shell by a full load; refresh-on-idle.ts does both in an idle tab.
 */
import { type PageMap, RELEASE_MAP_URL, type RemoteContract, type RouteContract } from '@platform/releases/contract';
import { makeAutoObservable, observableRef, observableShallow } from 'mobx';
import { natives } from './natives';
import { chooseRelease, type Release, remoteNames } from './release-map';

/** Jittered by ±10 %, so that open tabs do not poll and reload in the same second. Together with the idle time it stays under a minute. */
const pollIntervalMs = 42_000;
const checkTimeoutMs = 5_000;
/** Checks within this time share one request. */
const checkSpacingMs = 500;
/** This many failed checks in a row are retried soon; later ones wait for the poll. */
const quickChecks = 3;
/** Jittered by ±50 %. */
const retryFailedCheckMs = 3_000;

export interface ContractRoute extends RouteContract {
  remote: string;
}

export class ReleasesStore {
  map: PageMap;
  private readonly active = new Map<string, Release>();
  #etag = '';
  #lastCheck = 0;
  #scheduled: Promise<void> | null = null;
  readonly #visitor: number;
  readonly #runningShell: string;
  /** By `name@version`, the releases whose code has run in this document. */
  private readonly run = new Map<string, Release>();
  #failedChecks = 0;

  constructor(map: PageMap, visitor: number) {
    this.map = map;
    this.#visitor = visitor;
    this.#runningShell = chooseRelease(map, 'shell', visitor)?.version ?? '';
    for (const name of remoteNames(map)) this.applyReleaseMap(name);
    makeAutoObservable<this, 'active' | 'run'>(this, {
      map: observableRef,
      active: observableShallow,
      run: observableShallow,
    });
  }

  get contracts(): RemoteContract[] {
    return remoteNames(this.map).flatMap((name) => chooseRelease(this.map, name, this.#visitor)?.contract ?? []);
  }

  get routes(): ContractRoute[] {
    return this.contracts.flatMap((contract) => contract.routes.map((route) => ({ ...route, remote: contract.name })));
  }

  current(name: string): Release | null {
    return this.active.get(name) ?? null;
  }

  offered(name: string): Release | null {
    return chooseRelease(this.map, name, this.#visitor);
  }

  async isStale(release: Release): Promise<boolean> {
    await this.check();
    const offered = this.offered(release.name);
    return offered !== null && offered.version !== release.version;
  }

  /** Switches one remote to the release that the map assigns; call it when a navigation enters that remote. */
  applyReleaseMap(name: string): Release | null {
    const offered = this.offered(name);
    const now = this.active.get(name);
    if (offered && offered.version !== now?.version) this.active.set(name, offered);
    return this.current(name);
  }

  noteRun(release: Release): void {
    this.run.set(`${release.name}@${release.version}`, release);
  }

  /** Releases that ran in this document and were rolled back since. Only a reload undoes their changes to the document. */
  get withdrawn(): Release[] {
    return [...this.run.values()].filter(
      ({ name, version }) => this.map.withdrawn?.[name]?.includes(version) && this.offered(name)?.version !== version,
    );
  }

  get needsCleanLoad(): boolean {
    return this.withdrawn.length > 0;
  }

  /** Whether the map assigns another release of the shell or of a remote than this document uses. */
  get isOutdated(): boolean {
    return (
      this.needsFullLoad || [...this.active].some(([name, { version }]) => this.offered(name)?.version !== version)
    );
  }

  get needsFullLoad(): boolean {
    return chooseRelease(this.map, 'shell', this.#visitor)?.version !== this.#runningShell;
  }

  /**
   * Refetches the map, with an ETag. Never rejects: after a failure the current map stays. A request that has been sent is not
   * shared with later checks, because its response may be older than a promote that they must see.
   */
  check(now = natives.now()): Promise<void> {
    // A preview stays at its release.
    if (this.map.preview) return Promise.resolve();
    this.#scheduled ??= wait(this.#lastCheck + checkSpacingMs - now).then(() => {
      this.#lastCheck = natives.now();
      this.#scheduled = null;
      return this.fetchMap();
    });
    return this.#scheduled;
  }

  private async fetchMap(): Promise<void> {
    try {
      const headers: Record<string, string> = this.#etag ? { 'If-None-Match': this.#etag } : {};
      const response = await natives.fetch(RELEASE_MAP_URL, {
        headers,
        credentials: 'omit',
        cache: 'no-store',
        signal: natives.timeoutSignal(checkTimeoutMs),
      });
      if (response.status !== 304) this.applyMap(response, await natives.readJson(response));
      this.#failedChecks = 0;
    } catch {
      // The tab is offline, the server is restarting, or a proxy has responded.
      this.#failedChecks += 1;
      if (this.#failedChecks >= quickChecks) return;
      natives.setTimeout(() => void this.check(), retryFailedCheckMs * (0.5 + Math.random()));
    }
  }

  private applyMap({ status, headers }: Response, next: unknown): void {
    if (status !== 200 || !isPageMap(next)) throw new Error('the response is not a release map');
    // A cache or a slow earlier request may respond with an older revision.
    if (next.rev < this.map.rev) return;
    this.#etag = headers.get('etag') ?? '';
    if (next.rev > this.map.rev) this.map = next;
  }

  watch(): void {
    const onVisible = () => {
      if (document.visibilityState === 'visible') void this.check();
    };
    natives.setInterval(onVisible, pollIntervalMs * (0.9 + 0.2 * Math.random()));
    natives.listen(document, 'visibilitychange', onVisible);
    // Only a page restored from the back/forward cache may hold an old map.
    natives.listen(window, 'pageshow', (event) => {
      if (event.persisted) onVisible();
    });
  }
}

function wait(milliseconds: number): Promise<void> {
  return milliseconds > 0 ? new Promise((resolve) => natives.setTimeout(resolve, milliseconds)) : Promise.resolve();
}

/** A proxy may respond with anything. */
function isPageMap(answer: unknown): answer is PageMap {
  const { rev, microFrontends } = (answer ?? {}) as Partial<PageMap>;
  return typeof rev === 'number' && Boolean(microFrontends);
}
