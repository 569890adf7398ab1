import type { RenderRequest } from '@platform/releases';
import type { Breaker } from './breaker';
import type { Launcher } from './launcher';
import { type Failed, type Outcome, PageProcess, type ProcessLimits } from './page-process';
import { BuildError, type ProcessBuilds } from './runtime-config';

export interface PoolLimits extends ProcessLimits {
  /** Number of processes of one pool. The second is the spare of the first, and both render. */
  processes: number;
  queue: number;
  /** How long a page waits for a process before the document is sent without it. */
  waitMs: number;
}

/** `busy` says nothing about the release; `paused` means that its breaker is open. */
export type PoolOutcome = Outcome | { failure: 'busy' | 'paused'; detail: string };

const MEGABYTE = 1024 * 1024;
const PAUSED: PoolOutcome = { failure: 'paused', detail: 'it has failed too often' };

interface WaitingPage {
  request: RenderRequest;
  user: string | undefined;
  resolve: (outcome: PoolOutcome) => void;
  timer: NodeJS.Timeout;
}

export class PagePool {
  private readonly processes = new Set<PageProcess>();
  private readonly idle: PageProcess[] = [];
  private readonly queue: WaitingPage[] = [];
  private readonly busy = new Set<PageProcess>();
  private starting = 0;
  private isClosing = false;

  constructor(
    private readonly builds: ProcessBuilds,
    private readonly folder: string,
    private readonly launcher: Launcher,
    private readonly limits: PoolLimits,
    private readonly breaker: Breaker,
  ) {
    if (!breaker.isOpen) this.start();
  }

  get size(): number {
    return this.processes.size;
  }

  /** `user` is set when the builds are personal. */
  async render(request: RenderRequest, user?: string): Promise<PoolOutcome> {
    if (this.queue.length >= this.limits.queue) return { failure: 'busy', detail: 'too many pages wait' };
    if (!this.breaker.take()) return PAUSED;
    return new Promise((resolve) => {
      const waiting: WaitingPage = {
        request,
        user,
        resolve,
        timer: setTimeout(() => this.rejectLate(waiting), this.limits.waitMs),
      };
      this.queue.push(waiting);
      this.next();
    });
  }

  /** Waits for running pages; queued ones are settled as busy. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const waiting of this.queue.splice(0))
      this.settle(waiting, { failure: 'busy', detail: 'the renderer is closing' });
    for (const process of this.processes) if (!this.busy.has(process)) process.kill();
    await Promise.all(Array.from(this.processes, ({ ended }) => ended));
  }

  private next(): void {
    while (this.queue.length > 0) {
      const process = this.takeIdle(this.queue[0]?.user);
      if (!process) return;
      if (!process.isAlive) continue;
      const waiting = this.queue.shift() as WaitingPage;
      clearTimeout(waiting.timer);
      void this.run(process, waiting);
    }
  }

  private takeIdle(user: string | undefined): PageProcess | undefined {
    const index = this.idle.findIndex((process) => user !== undefined && process.knows(user));
    return index < 0 ? this.idle.pop() : this.idle.splice(index, 1)[0];
  }

  private async run(process: PageProcess, { request, user, resolve }: WaitingPage): Promise<void> {
    this.busy.add(process);
    const outcome = await process.render(request, user);
    this.busy.delete(process);
    if ('page' in outcome || outcome.failure === 'threw') this.breaker.succeeded();
    else if (outcome.failure === 'unavailable') this.breaker.abandoned();
    else this.breaker.failed();
    resolve(outcome);
    // The spare starts with the first page, so that a site without visitors has no more processes than it needs.
    if (!this.breaker.isOpen) this.start();
    if (this.breaker.isOpen) for (const waiting of this.queue.splice(0)) this.settle(waiting, PAUSED);
    // A full process ends between two pages.
    const isFull = process.memory > this.limits.residentMegabytes * MEGABYTE;
    if (this.isClosing || isFull) process.kill();
    else await process.loadSpare();
    if (process.isAlive) this.idle.push(process);
    this.next();
  }

  private start(): void {
    if (this.isClosing || this.starting > 0 || this.processes.size >= this.limits.processes) return;
    this.starting += 1;
    let process: PageProcess;
    try {
      process = new PageProcess(this.builds, this.folder, this.launcher, this.limits);
    } catch (error) {
      const failure = error instanceof BuildError ? 'start' : 'unavailable';
      // The caller that created the pool has not requested a page yet.
      setImmediate(() => {
        this.starting -= 1;
        this.fail({ failure, detail: String(error) });
      });
      return;
    }
    this.processes.add(process);
    void process.ready.then((failed) => {
      this.starting -= 1;
      if (this.isClosing) return process.kill();
      if (failed) return this.fail(failed);
      this.idle.push(process);
      this.next();
    });
    void process.ended.then(() => {
      if (process.hasOverrun) this.breaker.failed();
      this.processes.delete(process);
      const index = this.idle.indexOf(process);
      if (index >= 0) this.idle.splice(index, 1);
      if (!this.breaker.isOpen) this.start();
    });
  }

  private fail(failed: Failed): void {
    this.breaker.failed(true);
    for (const waiting of this.queue.splice(0)) this.settle(waiting, failed);
  }

  private rejectLate(waiting: WaitingPage): void {
    const index = this.queue.indexOf(waiting);
    if (index < 0) return;
    this.queue.splice(index, 1);
    this.breaker.abandoned();
    this.settle(waiting, { failure: 'busy', detail: `no process was free within ${this.limits.waitMs} ms` });
  }

  private settle({ timer, resolve }: WaitingPage, outcome: PoolOutcome): void {
    clearTimeout(timer);
    resolve(outcome);
  }
}
