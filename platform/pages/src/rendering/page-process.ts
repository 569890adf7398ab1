import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type RenderedPage, type RenderRequest, SERVER_MAIN } from '@platform/releases';
import { type Launcher, type WatchedProcess, watchProcess } from './launcher';
import { isRecord, parseJson, toRenderedPage } from './page-part';
import { type ProcessBuilds, runtimeConfig, setInRuntime } from './runtime-config';

/**
 * Why a release could not render a page: `start` its server build does not load, `threw`, `timeout`, `memory`, `crash` the
 * process ended or sent no answer, `output` the answer is too long, not a page, or not confined to the remote's part.
 */
export type RenderFailure = 'start' | 'threw' | 'timeout' | 'memory' | 'crash' | 'output';

export interface Failed {
  /** `unavailable`: the machine starts no process now or gives it no processor time, which is no fault of a release. */
  failure: RenderFailure | 'unavailable';
  detail: string;
}
export type Outcome = { page: RenderedPage } | Failed;

export interface ProcessLimits {
  /** Limit of one page. A page usually takes 10 ms. */
  pageMs: number;
  /** From the start of the process until its releases are loaded. */
  startMs: number;
  heapMegabytes: number;
  /** A process beyond this size is full: it is replaced between two pages. */
  residentMegabytes: number;
  /** A process beyond this size is ended within a page. */
  largestMegabytes: number;
  outputBytes: number;
}

/** The content of an answer is untrusted; the failure is determined by the server. */
type Reply = { answer: Record<string, unknown> } | Failed;

/** The end of the log of a process says why it died. */
const LOG_BYTES = 4_000;
const MEGABYTE = 1024 * 1024;
/** A page that got less than this share of its time as processor time was delayed by the machine. */
const LEAST_SHARE = 0.05;
const MEMORY_EVERY_MS = 50;

/**
 * A process of the runtime with the server builds of a set (docs/adr/0007-server-side-rendering.md). It renders one page at a
 * time. It listens on a socket in a folder that only this user may enter; any client that connects to it gets a rendered page.
 */
export class PageProcess {
  /** Resolves to undefined once the releases are loaded, else to the reason. Never rejects. */
  readonly ready: Promise<Failed | undefined>;
  readonly ended: Promise<void>;
  /** Resident bytes after the last page; 0 when the machine does not report it. */
  memory = 0;
  hasOverrun = false;
  private readonly folder: string;
  private readonly child: ChildProcess;
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });
  private isListening = false;
  private log = '';
  private logged = 0;
  private waiting: ((reply: Reply) => void) | null = null;
  /** By session. An isolate that has rendered for one session is never used for another; it lives as long as the process. */
  private readonly isolates = new Map<string, string>();
  private spare: string | undefined;
  private loaded = 0;
  private timer: NodeJS.Timeout | undefined;
  private memoryTimer: NodeJS.Timeout | undefined;

  /** `parent` must be a folder that only this user may enter. Throws BuildError or a system error. */
  constructor(
    private readonly builds: ProcessBuilds,
    parent: string,
    private readonly launcher: Launcher,
    private readonly limits: ProcessLimits,
  ) {
    this.folder = mkdtempSync(join(parent, 'p'));
    const file = join(this.folder, 'config.capnp');
    writeFileSync(file, runtimeConfig(builds, this.socket, limits.heapMegabytes), { mode: 0o600 });
    const runtime = [launcher.binary, 'serve', file, '--import-path=/', '--control-fd=3'];
    // Loading isolates at run time is still experimental. The builds in them get no experimental feature.
    if (builds.isPersonal) runtime.push('--experimental');
    const [command = '', ...args] = [...launcher.wrapper, ...runtime];
    // The process gets an empty environment, because the server's contains secrets. Its standard output is discarded.
    const stdio = ['ignore', 'ignore', 'pipe', 'pipe'] as const;
    // The process leads a group, so that processes that a wrapper has just started end with it.
    const options = { env: {}, cwd: this.folder, detached: process.platform !== 'win32', windowsHide: true };
    this.child = spawn(command, args, { stdio: [...stdio], ...options });
    this.ended = new Promise((resolve) => {
      const end = (failed: Failed) => {
        clearTimeout(this.timer);
        this.agent.destroy();
        this.settle(failed);
        void rm(this.folder, { recursive: true, force: true }).then(resolve, () => resolve());
      };
      this.child.once('close', (code, signal) => end(this.reasonOfEnd(`the process ended (${signal ?? code})`)));
      this.child.once('error', (error) => end({ failure: 'unavailable', detail: error.message }));
    });
    this.child.stderr?.on('data', (chunk: Buffer) => this.readLog(chunk));
    const start = this.ask(limits.startMs, () => this.whenListening());
    this.ready = start.then((reply) => {
      const failed = this.failedStart(reply);
      if (failed) this.kill();
      else if (builds.isPersonal) this.spare = this.isolateNamed(this.loaded);
      return failed;
    });
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && !this.child.killed;
  }

  knows(user: string): boolean {
    return this.isolates.has(user);
  }

  /**
   * Call it only after the previous page has settled. Any answer except a page or an error that the page threw ends the process.
   * `user` names the user whose answers the page is rendered with, if the builds are personal.
   */
  async render(message: RenderRequest, user = ''): Promise<Outcome> {
    const isolate = this.builds.isPersonal ? await this.isolateOf(user) : undefined;
    if (typeof isolate === 'object') return isolate;
    const reply = await this.ask(this.limits.pageMs, () => this.send(message, isolate));
    if ('failure' in reply) return reply;
    const { answer } = reply;
    this.noteUsage();
    if ('error' in answer) return { failure: 'threw', detail: describe(answer.error) };
    const page = toRenderedPage(answer.page);
    if (page) return { page };
    this.kill();
    return { failure: 'output', detail: 'the answer is too long or not a page' };
  }

  /** Loads an isolate in advance, so that the next user need not wait for it. Call it between two pages. */
  async loadSpare(): Promise<void> {
    if (!this.builds.isPersonal || this.spare !== undefined || !this.isAlive) return;
    if (await this.loadIsolate()) this.kill();
    else this.noteUsage();
  }

  private async isolateOf(user: string): Promise<string | Failed> {
    const existing = this.isolates.get(user);
    if (existing) return existing;
    const failed = this.spare === undefined ? await this.loadIsolate() : undefined;
    if (failed) return failed;
    const isolate = this.spare as string;
    this.spare = undefined;
    this.isolates.set(user, isolate);
    return isolate;
  }

  private async loadIsolate(): Promise<Failed | undefined> {
    this.loaded += 1;
    const isolate = this.isolateNamed(this.loaded);
    const failed = this.failedStart(await this.ask(this.limits.startMs, () => this.sendBuilds(isolate)));
    if (!failed) this.spare = isolate;
    return failed;
  }

  private isolateNamed = (count: number): string => `isolate-${count}`;

  private failedStart(reply: Reply): Failed | undefined {
    if ('answer' in reply && reply.answer.ready === true) return undefined;
    if ('answer' in reply) return { failure: 'start', detail: describe(reply.answer.error) };
    return reply.failure === 'unavailable' ? reply : { failure: 'start', detail: reply.detail };
  }

  kill(): void {
    const { pid } = this.child;
    // Killing only a wrapper that has started the runtime, but not yet bound it to its own life, would leave the runtime running.
    if (pid !== undefined && this.isAlive && process.platform !== 'win32') killGroup(pid);
    this.child.kill('SIGKILL');
  }

  private get socket(): string {
    return join(this.folder, 's');
  }

  private whenListening(): void {
    const events = this.child.stdio[3] as Readable;
    events.once('data', () => {
      this.isListening = true;
      this.sendBuilds(this.isolateNamed(this.loaded));
    });
    // The stream must be read to its end, so that a process that writes to it does not block.
    events.resume();
  }

  private sendBuilds(isolate: string): void {
    this.send({ set: setInRuntime(this.builds), main: SERVER_MAIN }, isolate);
  }

  private ask(milliseconds: number, send: () => void): Promise<Reply> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.logged = 0;
      clearTimeout(this.timer);
      const before = this.readUsage();
      // This server may have been busy itself, so data that has arrived meanwhile is read first.
      const check = () => setImmediate(() => this.waiting === resolve && this.timeOut(milliseconds, before));
      this.timer = setTimeout(check, milliseconds);
      this.memoryTimer = setInterval(() => this.checkMemory(), MEMORY_EVERY_MS);
      send();
    });
  }

  private checkMemory(): void {
    if ((this.readUsage()?.residentBytes ?? 0) > this.limits.largestMegabytes * MEGABYTE)
      this.stop('it is out of memory', 'memory');
  }

  /** Also ends a process that uses the processor for the time limit of a page while no page is requested. */
  private noteUsage(): void {
    const before = this.readUsage();
    this.memory = before?.residentBytes ?? 0;
    if (!before) return;
    const { pageMs } = this.limits;
    this.timer = setInterval(() => {
      if ((this.readUsage()?.usedMs ?? 0) - before.usedMs < pageMs) return;
      this.hasOverrun = true;
      this.kill();
    }, pageMs).unref();
  }

  private timeOut(milliseconds: number, before: WatchedProcess | undefined): void {
    const now = this.readUsage();
    const isStarved = before && now && !now.isWaiting && now.usedMs - before.usedMs < milliseconds * LEAST_SHARE;
    this.stop(`took more than ${milliseconds} ms`, isStarved ? 'unavailable' : 'timeout');
  }

  private readUsage(): WatchedProcess | undefined {
    return this.child.pid === undefined ? undefined : (this.launcher.watch ?? watchProcess)(this.child.pid);
  }

  private send(message: object, isolate?: string): void {
    const content = JSON.stringify(message);
    const options = {
      socketPath: this.socket,
      agent: this.agent,
      method: 'POST',
      headers: { 'content-length': Buffer.byteLength(content), ...(isolate && { isolate }) },
    };
    // A process that breaks the connection has ended or is about to: `close` gives the reason.
    const onBroken = () => this.kill();
    const sent = request(options, (response) => this.receive(response, onBroken));
    sent.on('error', onBroken);
    sent.end(content);
  }

  private receive(response: IncomingMessage, onBroken: () => void): void {
    const chunks: Buffer[] = [];
    let length = 0;
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > this.limits.outputBytes) this.stop(`sent more than ${this.limits.outputBytes} bytes`);
    });
    response.on('error', onBroken);
    response.on('end', () => {
      // The runtime itself responds with an error, for example for a promise that never settles.
      if (response.statusCode !== 200) return this.stop('it sent no answer', 'crash');
      const answer = parseJson(Buffer.concat(chunks).toString());
      if (isRecord(answer)) this.settle({ answer });
      else this.stop('the answer is not JSON');
    });
  }

  private readLog(chunk: Buffer): void {
    this.log = (this.log + chunk.toString('latin1')).slice(-LOG_BYTES);
    this.logged += chunk.length;
    if (this.logged > this.limits.outputBytes) this.stop(`logged more than ${this.limits.outputBytes} bytes`);
  }

  private stop(detail: string, failure: Failed['failure'] = 'output'): void {
    if (!this.waiting) this.hasOverrun = true;
    this.agent.destroy();
    this.child.stderr?.destroy();
    this.kill();
    this.settle({ failure, detail });
  }

  private settle(reply: Reply): void {
    clearTimeout(this.timer);
    clearInterval(this.memoryTimer);
    const { waiting } = this;
    this.waiting = null;
    waiting?.(reply);
  }

  private reasonOfEnd(text: string): Failed {
    if (/out of memory|allocation failed/i.test(this.log)) return { failure: 'memory', detail: 'it is out of memory' };
    if (this.isListening) return { failure: 'crash', detail: text };
    // The runtime compiles modules before it listens.
    const [error] = /^.*Uncaught (?:.*\n) +at \S+@\S+\/server\/.*$/m.exec(this.log) ?? [];
    return error ? { failure: 'start', detail: error } : { failure: 'unavailable', detail: `${text}: ${this.log}` };
  }
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The process has ended meanwhile.
  }
}

function describe(error: unknown): string {
  const { message, stack }: Record<string, unknown> = isRecord(error) ? error : {};
  return [message || 'no reason given', stack].filter(Boolean).join('\n').slice(0, 8_000);
}
