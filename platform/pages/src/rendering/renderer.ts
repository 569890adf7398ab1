/**
 * Renders pages with the server builds of releases, in processes without environment, network and files. Each remote in each set
 * of releases has a pool of processes, so a remote that fails affects only its own pages. One more pool has only the shell, and
 * renders the part around all pages.
 */

import { randomBytes } from 'node:crypto';
import type { ReleaseSet, RenderedPage, RenderRequest } from '@platform/releases';
import { matchRoute, SHELL } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import { Breaker } from './breaker';
import { type Launcher, launcher } from './launcher';
import { Frame, isOwnImage, pageFault } from './page-part';
import { PagePool, type PoolLimits, type PoolOutcome } from './page-pool';
import type { RenderFailure } from './page-process';
import { newPrivateFolder, removePrivateFolder } from './private-folder';
import { RenderStatistics } from './render-statistics';
import { labelOf } from './runtime-config';
import { withinTime } from './within-time';

export interface RenderFault {
  name: string;
  version: string;
  failure: RenderFailure | 'paused';
  detail: string;
}

export interface RendererOptions {
  limits?: Partial<PoolLimits>;
  /** Maximum number of pools: of live releases, canaries and previews. The least recently used ends first. */
  pools?: number;
  /** Number of failures within a minute, each of which costs a process, after which a release is paused. */
  failures?: number;
  log?: (line: string) => void;
  launcher?: () => Promise<Launcher>;
}

type NoPage = Exclude<PoolOutcome, { page: unknown }>;

interface Visit {
  set: ReleaseSet;
  request: RenderRequest;
  user: string | undefined;
  onFault?: (fault: RenderFault) => void;
}

const LIMITS: PoolLimits = {
  pageMs: 2_000,
  startMs: 10_000,
  heapMegabytes: 160,
  residentMegabytes: 320,
  largestMegabytes: 640,
  outputBytes: 4 * 1024 * 1024,
  processes: 2,
  queue: 32,
  waitMs: 1_000,
};
/**
 * Enough for the live releases and one canary: the shell and four remotes for personal pages, the shell and two remotes for public ones.
 */
const POOLS = 16;
const FAILURES = 3;
/** An unused pool ends, so that an old set does not remain. */
const UNUSED_MS = 300_000;
const BREAKERS = 200;
/** Frames of routes, each in two languages and themes; 10 kB each. */
const FRAMES = 200;

export class IsolatedRenderer {
  readonly statistics = new RenderStatistics();
  private readonly limits: PoolLimits;
  private readonly pools: LRUCache<string, PagePool>;
  private readonly breakers = new LRUCache<string, Breaker>({ max: BREAKERS });
  private readonly closing = new Set<Promise<void>>();
  /** A random text, so that nothing else that the shell renders contains it. */
  private readonly placeholder = `page-${randomBytes(12).toString('hex')}`;
  private readonly mark = `value-${randomBytes(12).toString('hex')}-`;
  private readonly frames = new LRUCache<string, Frame>({ max: FRAMES });
  /** Remotes with personal pages; undefined represents the shell. */
  private readonly personal = new Set<string | undefined>();
  private readonly personalFrames = new LRUCache<string, Frame>({ max: FRAMES });
  private folder: Promise<string> | undefined;
  private isClosed = false;
  private hasWarned = false;

  constructor(private readonly options: RendererOptions = {}) {
    this.limits = { ...LIMITS, ...options.limits };
    this.pools = new LRUCache({
      max: options.pools ?? POOLS,
      ttl: UNUSED_MS,
      ttlAutopurge: true,
      updateAgeOnGet: true,
      dispose: (pool) => this.end(pool),
    });
  }

  /** Resolves to undefined when the skeleton must be sent. `onFault` receives the fault when a release is to blame. */
  async render(
    set: ReleaseSet,
    request: RenderRequest,
    onFault?: (fault: RenderFault) => void,
    /** The user whose answers these are. An isolate that has rendered with them renders for no other user. */
    user?: string,
  ): Promise<RenderedPage | undefined> {
    const route = routeOf(set, request.path);
    const remote = route?.name;
    const lacksUser = route?.flags?.requiresLogin && user === undefined;
    // A remote without a server build cannot be rendered.
    if (this.isClosed || lacksUser || (remote && !set.remotes[remote])) return undefined;
    const pool = await this.poolOf(set, remote, user);
    if (!pool) return undefined;
    // Starts the process that renders the shell's part at the same time.
    if (remote) await this.poolOf(set, undefined, user);
    const page = this.renderIn(pool, { set, request, user, onFault }, remote);
    // The process of the page or of the shell may still have to start.
    return withinTime(page, this.limits.waitMs + this.limits.pageMs);
  }

  private async renderIn(pool: PagePool, visit: Visit, remote = ''): Promise<RenderedPage | undefined> {
    const { set, request, user } = visit;
    const started = performance.now();
    const outcome = await pool.render(request, user);
    const name = remote || SHELL;
    const version = versionOf(set, name);
    if (!('page' in outcome)) {
      this.report(visit, this.blamedRelease(set, name, outcome), outcome);
      return undefined;
    }
    const { page } = outcome;
    const isDraft = request.isDraft && page.wanted.length > 0;
    if (page.html === '') {
      if (isDraft) return page;
      // The browser must render a page that is empty here, such as a redirect.
      this.statistics.failed(name, version, 'empty');
      return undefined;
    }
    const frame = remote ? await this.frameOf(visit, page.html) : undefined;
    if (frame && 'failure' in frame) {
      this.report(visit, SHELL, frame);
      return undefined;
    }
    const partFault = frame && pageFault(page.html, frame, remote);
    const fault = partFault ?? (isOwnImage(page.image) ? undefined : 'its preload is not a picture');
    if (fault) {
      this.report(visit, name, { failure: 'output', detail: `${request.path}: ${fault}` });
      return undefined;
    }
    this.statistics.rendered(name, version, performance.now() - started);
    return { ...page, queryState: usedAnswers(page, request) };
  }

  /**
   * Returns the part around the page. A frame that was rendered before for the same route, parameters, language and theme is reused with
   * the values of the parameters, if the page contains the result; else the frame is rendered for this address. Never rejects.
   */
  private async frameOf(visit: Visit, html: string): Promise<Frame | NoPage> {
    const { set, request, user } = visit;
    const { language, currency, theme, path, asksToSignIn } = request;
    const [pathname = '', search] = path.split('?');
    const values = Array.from(new URLSearchParams(search), ([name, value], index) => ({
      name,
      value,
      mark: `${this.mark}${index}-`,
    }));
    const names = values.map(({ name }) => name);
    const frames = user === undefined ? this.frames : this.personalFrames;
    const key = [user, set.id, routeOf(set, path)?.path, language, currency, theme, asksToSignIn, ...names].join(' ');
    let cached = frames.get(key);
    if (!cached) {
      const marked = new URLSearchParams(values.map(({ name, mark }) => [name, mark])).toString();
      const markedRequest = { ...request, path: marked ? `${pathname}?${marked}` : path };
      const rendered = await this.renderFrame({ ...visit, request: markedRequest });
      if ('failure' in rendered) return rendered;
      cached = rendered;
      frames.set(key, cached);
    }
    const frame = cached.with(values);
    if (frame.partIn(html) !== undefined) return frame;
    const exact = await this.renderFrame(visit);
    if (!('failure' in exact) && values.length === 0) frames.set(key, exact);
    return exact;
  }

  /** Renders the frame in a process that has no code of the remote. */
  private async renderFrame({ set, request, user }: Visit): Promise<Frame | NoPage> {
    const pool = await this.poolOf(set, undefined, user);
    if (!pool) return { failure: 'busy', detail: 'the renderer is closing' };
    const outcome = await pool.render({ ...request, isDraft: false }, user);
    if (!('page' in outcome)) return outcome;
    const frame = new Frame(outcome.page.html, this.placeholder);
    return frame.hasOnePlace
      ? frame
      : { failure: 'output', detail: `the shell leaves no place for the page at ${request.path}` };
  }

  async prepare(set: ReleaseSet, remotes: readonly string[]): Promise<void> {
    for (const remote of [undefined, ...remotes]) await this.poolOf(set, remote);
    // Personal pages need processes only for remotes whose personal pages a user has opened.
    for (const remote of this.personal) if (!remote || set.remotes[remote]) await this.poolOf(set, remote, '');
  }

  get processes(): number {
    return Array.from(this.pools.values(), ({ size }) => size).reduce((sum, size) => sum + size, 0);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.pools.clear();
    await Promise.all(this.closing);
    const folder = await this.folder?.catch(() => undefined);
    if (folder) await removePrivateFolder(folder);
  }

  private report({ set, onFault }: Visit, name: string, { failure, detail }: NoPage): void {
    const version = versionOf(set, name);
    const isFirst = this.statistics.failed(name, version, failure);
    if (failure === 'busy' || failure === 'unavailable') return;
    if (isFirst && failure !== 'paused') {
      this.options.log?.(`${name}@${version} could not be rendered (${failure}): ${detail}`);
    }
    onFault?.({ name, version, failure, detail });
  }

  /** The shell is to blame for an error without a line of the remote. */
  private blamedRelease(set: ReleaseSet, name: string, { failure, detail }: NoPage): string {
    const release = set.remotes[name];
    const isError = failure === 'threw' || (failure === 'start' && detail.includes(`${labelOf(SHELL, set.shell)}/`));
    return release && isError && !detail.includes(`${labelOf(name, release)}/`) ? SHELL : name;
  }

  private async poolOf(set: ReleaseSet, remote: string | undefined, user?: string): Promise<PagePool | undefined> {
    const isPersonal = user !== undefined;
    if (isPersonal) this.personal.add(remote);
    const key = `${set.id} ${remote ?? ''} ${isPersonal ? 'personal' : ''}`;
    const existing = this.pools.get(key);
    if (existing) return existing;
    const start = await this.readLauncher();
    if (start.fault) return undefined;
    this.folder ??= newPrivateFolder();
    const folder = await this.folder;
    const concurrent = this.pools.get(key);
    if (concurrent || this.isClosed) return concurrent;
    const release = remote ? set.remotes[remote] : undefined;
    const ownSet: ReleaseSet = { ...set, remotes: remote && release ? { [remote]: release } : {} };
    const builds = release ? { set: ownSet, isPersonal } : { set, placeholder: this.placeholder, isPersonal };
    const pool = new PagePool(builds, folder, start, this.limits, this.breakerOf(ownSet));
    this.pools.set(key, pool);
    return pool;
  }

  /** Logs once what the machine lacks. */
  private async readLauncher(): Promise<Launcher> {
    const start = await (this.options.launcher ?? launcher)();
    const { fault, missing } = start;
    const lack = fault
      ? `this machine cannot start the renderer, so documents carry skeletons: ${fault}`
      : `the renderer's processes lack limits of the system: ${missing.join(', ')} (docs/operations/deploy.md#rendering)`;
    if (!this.hasWarned && (fault || missing.length > 0)) this.options.log?.(lack);
    this.hasWarned = true;
    return start;
  }

  /** A remote's release has the same breaker in every set with the same shell. */
  private breakerOf({ shell, remotes }: ReleaseSet): Breaker {
    const key = [['', shell] as const, ...Object.entries(remotes)]
      .map(([name, { version }]) => name + version)
      .join(' ');
    const breaker = this.breakers.get(key) ?? new Breaker(this.options.failures ?? FAILURES);
    this.breakers.set(key, breaker);
    return breaker;
  }

  private end(pool: PagePool): void {
    const closed = pool.close();
    this.closing.add(closed);
    void closed.finally(() => this.closing.delete(closed));
  }
}

const versionOf = ({ shell, remotes }: ReleaseSet, name: string): string =>
  (name === SHELL ? shell : remotes[name])?.version ?? '';

/** Returns JSON of the answers that the page reports as used, with the server's own values: the process could send others. */
function usedAnswers({ queryState }: RenderedPage, { answers }: RenderRequest): string {
  const used = JSON.parse(queryState) as object | null;
  const entries = Object.entries(answers).filter(([address]) => Object.hasOwn(used ?? {}, address));
  return JSON.stringify(Object.fromEntries(entries));
}

function routeOf({ map }: ReleaseSet, path: string) {
  const routes = Object.entries(map.microFrontends).flatMap(([name, [entry]]) =>
    (entry?.extras.remote?.routes ?? []).map((route) => ({ ...route, name })),
  );
  return matchRoute(routes, path.split(/[?#]/)[0] ?? '/');
}
