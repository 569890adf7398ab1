/**
 * Renders pages with the server builds of releases, in processes that reach nothing: no environment, no network, no file. There is
 * one pool of processes for each remote in each set of releases, so a remote that fails costs its own pages only, and one with the
 * shell alone, which renders what surrounds the pages of all.
 */

import { randomBytes } from 'node:crypto';
import type { ReleaseSet, RenderedPage, RenderRequest } from '@platform/releases';
import { matchRoute, SHELL } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import { Breaker } from './breaker';
import { type Launcher, launcher } from './launcher';
import { Frame, isOwnImage, partOfPage } from './page-part';
import { PagePool, type PoolLimits, type PoolOutcome } from './page-pool';
import type { Failed, RenderFailure } from './page-process';
import { newPrivateFolder, removePrivateFolder } from './private-folder';
import { RenderStatistics } from './render-statistics';
import { labelOf } from './runtime-config';

/** A release that could not render a page. */
export interface RenderFault {
  name: string;
  version: string;
  failure: RenderFailure | 'paused';
  detail: string;
}

export interface RendererOptions {
  limits?: Partial<PoolLimits>;
  /** Pools at once: of live releases, canaries and previews. The least recently used ends first. */
  pools?: number;
  /** After how many failures that cost a process within a minute a release is held back. */
  failures?: number;
  log?: (line: string) => void;
  /** Default: what this machine can do. */
  launcher?: () => Promise<Launcher>;
}

type NoPage = Exclude<PoolOutcome, { page: unknown }>;

interface UsersRequest {
  request: RenderRequest;
  /** Undefined for a page that everybody gets. */
  user: string | undefined;
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
/** Of live releases and one canary: the shell and four remotes for people, the shell and two for everybody. */
const POOLS = 16;
const FAILURES = 3;
/** An unused pool ends, so that an old set does not stay. */
const UNUSED_MS = 300_000;
const BREAKERS = 200;
/** Of routes, each in two languages and themes; 10 kB each. */
const FRAMES = 200;

export class IsolatedRenderer {
  readonly statistics = new RenderStatistics();
  private readonly limits: PoolLimits;
  private readonly pools = new Map<string, PagePool>();
  private readonly breakers = new Map<string, Breaker>();
  private readonly closing = new Set<Promise<void>>();
  private readonly sweep: NodeJS.Timeout;
  /** Nothing else that the shell renders holds it. */
  private readonly placeholder = `page-${randomBytes(12).toString('hex')}`;
  private readonly mark = `value-${randomBytes(12).toString('hex')}-`;
  private readonly frames = new LRUCache<string, Frame>({ max: FRAMES });
  /** Remotes with pages of people; undefined stands for the shell. */
  private readonly personal = new Set<string | undefined>();
  private readonly personalFrames = new LRUCache<string, Frame>({ max: FRAMES });
  /** By set, for everybody and for people, the addresses whose answers stand in the shell's part. */
  private readonly usedByShell = new LRUCache<string, Set<string>>({ max: BREAKERS });
  private folder: Promise<string> | undefined;
  private isClosed = false;
  private hasWarned = false;

  constructor(private readonly options: RendererOptions = {}) {
    this.limits = { ...LIMITS, ...options.limits };
    this.sweep = setInterval(() => this.endUnused(), UNUSED_MS / 10).unref();
  }

  /** Undefined: send the skeleton. `onFault` receives the fault when a release is to blame. */
  async render(
    set: ReleaseSet,
    request: RenderRequest,
    onFault?: (fault: RenderFault) => void,
    /** Whose answers these are. An isolate that has rendered with them renders for no other user. */
    user?: string,
  ): Promise<RenderedPage | undefined> {
    const route = routeOf(set, request.path);
    const remote = route?.name;
    const isForNobody = route?.flags?.requiresLogin && user === undefined;
    // A remote without a server build cannot be rendered.
    if (this.isClosed || isForNobody || (remote && !set.remotes[remote])) return undefined;
    const pool = await this.poolOf(set, remote, user);
    if (!pool) return undefined;
    // Starts what renders the shell's part at the same time.
    if (remote) await this.poolOf(set, undefined, user);
    const page = this.renderIn(pool, set, { request, user }, remote, onFault);
    // Its process or the shell's may still have to start.
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<undefined>((resolve) => {
      timer = setTimeout(resolve, this.limits.waitMs + this.limits.pageMs, undefined);
    });
    return Promise.race([page, patience]).finally(() => clearTimeout(timer));
  }

  private async renderIn(
    pool: PagePool,
    set: ReleaseSet,
    { request, user }: UsersRequest,
    remote: string | undefined,
    onFault?: (fault: RenderFault) => void,
  ): Promise<RenderedPage | undefined> {
    const started = performance.now();
    const outcome = await pool.render(request, user);
    const name = remote ?? SHELL;
    const version = (remote ? set.remotes[remote] : set.shell)?.version ?? '';
    if (!('page' in outcome)) {
      this.report({ name: this.culprit(set, name, outcome), outcome, set, onFault });
      return undefined;
    }
    const { page } = outcome;
    const isDraft = request.isDraft && page.wanted.length > 0;
    if (page.html === '') {
      if (isDraft) return page;
      // A page that renders nothing, such as one that leads elsewhere, is the browser's.
      this.statistics.failed(name, version, 'empty', `nothing was rendered at ${request.path}`);
      return undefined;
    }
    const frame = remote ? await this.frameOf(set, { request, user }, page.html) : undefined;
    if (frame && 'failure' in frame) {
      this.report({ name: SHELL, outcome: frame, set, onFault });
      return undefined;
    }
    const part = remote && frame ? partOfPage(page.html, frame, remote) : page;
    const fault = 'fault' in part ? part.fault : isOwnImage(page.image) ? undefined : 'it preloads no picture';
    if (fault || 'fault' in part) {
      this.report({ name, outcome: { failure: 'output', detail: `${request.path}: ${fault}` }, set, onFault });
      return undefined;
    }
    this.statistics.rendered(name, version, performance.now() - started);
    return { ...page, html: part.html, queryState: usedAnswers(page, request) };
  }

  /**
   * What surrounds the page: what was rendered before for the same route, parameters, language and theme, with the parameters' values
   * put in, where that is what the page has; else it is rendered for this address. Never rejects.
   */
  private async frameOf(set: ReleaseSet, { request, user }: UsersRequest, html: string): Promise<Frame | NoPage> {
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
    let known = frames.get(key);
    if (!known) {
      const marked = new URLSearchParams(values.map(({ name, mark }) => [name, mark])).toString();
      const asked = { ...request, path: marked ? `${pathname}?${marked}` : path };
      const rendered = await this.renderFrame(set, { request: asked, user });
      if ('failure' in rendered) return rendered;
      known = rendered;
      frames.set(key, known);
    }
    const frame = known.with(values);
    if (frame.partIn(html) !== undefined) return frame;
    const exact = await this.renderFrame(set, { request, user });
    if (!('failure' in exact) && values.length === 0) frames.set(key, exact);
    return exact;
  }

  /** In a process that has no code of the remote, with the answers that the shell has used so far. */
  private async renderFrame(set: ReleaseSet, { request, user }: UsersRequest): Promise<Frame | NoPage> {
    const pool = await this.poolOf(set, undefined, user);
    if (!pool) return { failure: 'busy', detail: 'the renderer is closing' };
    // A user's header needs an answer more than everybody's.
    const part = user === undefined ? set.id : `${set.id} personal`;
    const known = this.usedByShell.get(part);
    const given = Object.entries(request.answers).filter(([address]) => !known || known.has(address));
    const outcome = await pool.render({ ...request, answers: Object.fromEntries(given), isDraft: false }, user);
    if (!('page' in outcome)) return outcome;
    const { html, queryState, wanted } = outcome.page;
    if (known && wanted.some((address) => Object.hasOwn(request.answers, address))) {
      this.usedByShell.delete(part);
      return this.renderFrame(set, { request, user });
    }
    const used = Object.keys(JSON.parse(queryState) as object);
    this.usedByShell.set(part, new Set([...(known ?? []), ...used]));
    const frame = new Frame(html, this.placeholder);
    return frame.isWhole
      ? frame
      : { failure: 'output', detail: `the shell leaves no place for the page at ${request.path}` };
  }

  /** Starts what will render the pages of these remotes, so that the first one need not wait. */
  async prepare(set: ReleaseSet, remotes: readonly string[]): Promise<void> {
    for (const remote of [undefined, ...remotes]) await this.poolOf(set, remote);
    // Of those whose personal pages somebody has opened.
    for (const remote of this.personal) if (!remote || set.remotes[remote]) await this.poolOf(set, remote, '');
  }

  /** Processes that exist now. */
  get processes(): number {
    return Array.from(this.pools.values(), ({ size }) => size).reduce((sum, size) => sum + size, 0);
  }

  /** Ends every process; pages that are being rendered are finished. */
  async close(): Promise<void> {
    this.isClosed = true;
    clearInterval(this.sweep);
    for (const key of [...this.pools.keys()]) this.end(key);
    await Promise.all(this.closing);
    const folder = await this.folder?.catch(() => undefined);
    if (folder) await removePrivateFolder(folder);
  }

  private report({
    name,
    outcome,
    set,
    onFault,
  }: {
    name: string;
    outcome: NoPage;
    set: ReleaseSet;
    onFault?: (fault: RenderFault) => void;
  }): void {
    const version = (name === SHELL ? set.shell : set.remotes[name])?.version ?? '';
    const { failure, detail } = outcome;
    const isFirst = this.statistics.failed(name, version, failure, detail);
    if (failure === 'busy' || failure === 'unavailable') return;
    if (isFirst && failure !== 'paused') {
      this.options.log?.(`${name}@${version} could not be rendered (${failure}): ${detail}`);
    }
    onFault?.({ name, version, failure, detail });
  }

  /** The shell for an error that came without a line of the remote. */
  private culprit(
    set: ReleaseSet,
    name: string,
    { failure, detail }: Failed | { failure: string; detail: string },
  ): string {
    const release = set.remotes[name];
    const isError = failure === 'threw' || (failure === 'start' && detail.includes(`${labelOf(SHELL, set.shell)}/`));
    return release && isError && !detail.includes(`${labelOf(name, release)}/`) ? SHELL : name;
  }

  private async poolOf(set: ReleaseSet, remote: string | undefined, user?: string): Promise<PagePool | undefined> {
    const isPersonal = user !== undefined;
    if (isPersonal) this.personal.add(remote);
    const key = `${set.id} ${remote ?? ''} ${isPersonal ? 'personal' : ''}`;
    const known = this.pools.get(key);
    if (known) {
      this.pools.delete(key);
      this.pools.set(key, known);
      return known;
    }
    const start = await (this.options.launcher ?? launcher)();
    if (start.fault) return this.warn(start.fault);
    this.folder ??= newPrivateFolder();
    const folder = await this.folder;
    const other = this.pools.get(key);
    if (other || this.isClosed) return other;
    const release = remote ? set.remotes[remote] : undefined;
    const own: ReleaseSet = { ...set, remotes: remote && release ? { [remote]: release } : {} };
    const builds = release ? { set: own, isPersonal } : { set, placeholder: this.placeholder, isPersonal };
    const pool = new PagePool(builds, folder, start, this.limits, this.breakerOf(own));
    this.pools.set(key, pool);
    const [oldest = ''] = this.pools.keys();
    if (this.pools.size > (this.options.pools ?? POOLS)) this.end(oldest);
    return pool;
  }

  private warn(fault: string): undefined {
    if (!this.hasWarned) this.options.log?.(`this machine starts no renderer, so documents carry skeletons: ${fault}`);
    this.hasWarned = true;
  }

  /** The same for a remote's release in every set, beside the same shell. */
  private breakerOf({ shell, remotes }: ReleaseSet): Breaker {
    const key = [['', shell] as const, ...Object.entries(remotes)]
      .map(([name, { version }]) => name + version)
      .join(' ');
    const breaker = this.breakers.get(key) ?? new Breaker(this.options.failures ?? FAILURES);
    this.breakers.delete(key);
    this.breakers.set(key, breaker);
    const [oldest = ''] = this.breakers.keys();
    if (this.breakers.size > BREAKERS) this.breakers.delete(oldest);
    return breaker;
  }

  private endUnused(): void {
    const before = performance.now() - UNUSED_MS;
    for (const [key, { usedAt, isIdle }] of this.pools) if (isIdle && usedAt < before) this.end(key);
  }

  private end(key: string): void {
    const pool = this.pools.get(key);
    this.pools.delete(key);
    const closed = pool?.close();
    if (!closed) return;
    this.closing.add(closed);
    void closed.finally(() => this.closing.delete(closed));
  }
}

/** JSON of the answers that the page says it has used, as this server gave them: the process could send others. */
function usedAnswers({ queryState }: RenderedPage, { answers }: RenderRequest): string {
  const used = JSON.parse(queryState) as object | null;
  const entries = Object.entries(answers).filter(([address]) => Object.hasOwn(used ?? {}, address));
  return JSON.stringify(Object.fromEntries(entries));
}

/** The route of a path and its remote; undefined for pages of the shell. */
function routeOf({ map }: ReleaseSet, path: string) {
  const routes = Object.entries(map.microFrontends).flatMap(([name, [entry]]) =>
    (entry?.extras.remote?.routes ?? []).map((route) => ({ ...route, name })),
  );
  return matchRoute(routes, path.split(/[?#]/)[0] ?? '/');
}
