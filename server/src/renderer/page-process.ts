import { type ChildProcess, spawn } from 'node:child_process';
import { type ReleaseSet, type RenderedPage, type RenderRequest, SERVER_MAIN } from '@shop/release';
import { commandOf, type Launcher } from './launcher';
import { lowerPriority, type ProcessTime, processTime } from './process-time';
import { toRenderedPage } from './rendered-page';

/**
 * Why a page could not be rendered by its release: `start` its server build does not load, `threw`, `timeout`, `memory`,
 * `crash` the process ended, `output` what came is too long or not a page.
 */
export type RenderFailure = 'start' | 'threw' | 'timeout' | 'memory' | 'crash' | 'output';

export interface Failed {
  /** `unavailable`: the machine starts no process now or gives it no processor, which is no release's fault. */
  failure: RenderFailure | 'unavailable';
  /** For people: a message, and the stack where there is one. */
  detail: string;
}
export type Outcome = { page: RenderedPage } | Failed;

export interface ProcessLimits {
  /** For one page, of processor time where the machine tells it. A page takes 10 ms. */
  pageMs: number;
  /** From the start of the process until its releases are loaded. */
  startMs: number;
  /** Of V8's heap. */
  heapMegabytes: number;
  /** A process that has grown beyond it is replaced between two pages. */
  residentMegabytes: number;
  /** Of one answer. */
  outputBytes: number;
}

/** What the process has sent is anything; what became of it is not. */
type Reply = { answer: Record<string, unknown> } | Failed;

/** The end of what the process said before it died is what tells why. */
const STDERR_BYTES = 2_000;
/** The system counts processor time in ticks. */
const FULL_TIME = 0.9;
/** After this share of its limit a page is slow, and must not slow the others. */
const SLOW = 0.25;
/** A process that a busy machine holds up is waited for so many times its limit. */
const LONGEST_STARVED = 10;

/** One process with the server builds of a set. It renders one page at a time. */
export class PageProcess {
  /** Undefined once the releases are loaded, else why they are not. Never rejects. */
  readonly ready: Promise<Failed | undefined>;
  readonly ended: Promise<void>;
  /** What the process reported after its last page, in bytes. */
  memory = 0;
  private readonly child: ChildProcess;
  private received: Buffer[] = [];
  private length = 0;
  private stderr = '';
  private waiting: ((reply: Reply) => void) | null = null;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    set: ReleaseSet,
    private readonly launcher: Launcher,
    private readonly limits: ProcessLimits,
  ) {
    const directories = [set.shell, ...Object.values(set.remotes)].map(({ directory }) => directory);
    const [command = '', ...given] = commandOf(launcher, directories, limits.heapMegabytes);
    // An environment of its own: nothing of the server's, where secrets are.
    this.child = spawn(command, given, { stdio: 'pipe', env: {}, cwd: set.shell.directory, windowsHide: true });
    this.ended = new Promise((resolve) => {
      this.child.once('close', (code, signal) => {
        this.settle(this.reasonOfEnd(`the process ended (${signal ?? code})`));
        resolve();
      });
      this.child.once('error', (error) => {
        this.settle({ failure: 'unavailable', detail: error.message });
        resolve();
      });
    });
    this.child.stdout?.on('data', (chunk: Buffer) => this.receive(chunk));
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr = (this.stderr + chunk.toString('latin1')).slice(-STDERR_BYTES);
    });
    // Written to after its end; `close` tells it.
    this.child.stdin?.on('error', () => {});
    this.ready = this.ask({ set, main: SERVER_MAIN }, limits.startMs).then((reply) => {
      if ('answer' in reply && reply.answer.ready === true) return undefined;
      this.kill();
      if ('answer' in reply) return { failure: 'start', detail: describe(reply.answer.error) };
      return reply.failure === 'unavailable' ? reply : { failure: 'start', detail: reply.detail };
    });
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null && !this.child.killed;
  }

  /** To be called when the one before has come. Anything but a page or an error that the page threw ends the process. */
  async render(request: RenderRequest): Promise<Outcome> {
    const reply = await this.ask(request, this.limits.pageMs);
    if ('failure' in reply) return reply;
    const { answer } = reply;
    if (typeof answer.memory === 'number') this.memory = answer.memory;
    if ('error' in answer) return { failure: 'threw', detail: describe(answer.error) };
    const page = toRenderedPage(answer.page);
    if (page) return { page };
    this.kill();
    return { failure: 'output', detail: 'what it rendered is too long or not a page' };
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  private ask(message: object, milliseconds: number): Promise<Reply> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      const start = { at: performance.now(), time: this.time() };
      const look = (before: ProcessTime | undefined) => {
        // This server may have been busy itself: what has arrived meanwhile is read first.
        setImmediate(() => {
          if (this.waiting !== resolve) return;
          const time = this.time();
          const verdict = this.verdict(milliseconds, start, before, time);
          if (verdict) this.stop(verdict.detail, verdict.failure);
          else this.timer = setTimeout(() => look(time), milliseconds / 4);
        });
      };
      const lookEarly = () => {
        const used = (this.time()?.usedMs ?? 0) - (start.time?.usedMs ?? 0);
        if (this.child.pid !== undefined && used >= milliseconds * SLOW * FULL_TIME) lowerPriority(this.child.pid);
        this.timer = setTimeout(() => look(undefined), milliseconds * (1 - SLOW));
      };
      this.timer = setTimeout(lookEarly, milliseconds * SLOW);
      const content = Buffer.from(JSON.stringify(message));
      const length = Buffer.allocUnsafe(4);
      length.writeUInt32BE(content.length);
      this.child.stdin?.write(Buffer.concat([length, content]));
    });
  }

  /** Undefined: a busy machine has not given the process its time yet. */
  private verdict(
    milliseconds: number,
    start: { at: number; time: ProcessTime | undefined },
    before: ProcessTime | undefined,
    now: ProcessTime | undefined,
  ): Failed | undefined {
    const timeout: Failed = { failure: 'timeout', detail: `took more than ${milliseconds} ms` };
    if (!now || !start.time) return timeout;
    const used = now.usedMs - start.time.usedMs;
    const isStuck = before?.isWaiting && now.isWaiting && before.usedMs === now.usedMs;
    if (used >= milliseconds * FULL_TIME || isStuck) return timeout;
    const elapsed = performance.now() - start.at;
    if (elapsed < milliseconds * LONGEST_STARVED) return undefined;
    return {
      failure: 'unavailable',
      detail: `the machine gave it ${used} ms of processor time in ${Math.round(elapsed)} ms`,
    };
  }

  private time(): ProcessTime | undefined {
    return this.child.pid === undefined ? undefined : (this.launcher.timeOf ?? processTime)(this.child.pid);
  }

  private receive(chunk: Buffer): void {
    this.received = [...this.received, chunk];
    this.length += chunk.length;
    if (!this.waiting) this.stop('sent what nobody has asked for');
    else if (this.length > this.limits.outputBytes) this.stop(`sent more than ${this.limits.outputBytes} bytes`);
    else if (this.length >= 4) this.readFrame(Buffer.concat(this.received));
  }

  private readFrame(bytes: Buffer): void {
    this.received = [bytes];
    const expected = 4 + bytes.readUInt32BE(0);
    if (expected > this.limits.outputBytes) this.stop(`wants to send ${expected} bytes`);
    else if (bytes.length > expected) this.stop('sent more than it was asked for');
    else if (bytes.length === expected) {
      this.received = [];
      this.length = 0;
      const answer = parse(bytes.subarray(4));
      if (answer) this.settle({ answer });
      else this.stop('what it sent is not JSON');
    }
  }

  private stop(detail: string, failure: Failed['failure'] = 'output'): void {
    this.received = [];
    this.length = 0;
    this.child.stdout?.destroy();
    this.kill();
    this.settle({ failure, detail });
  }

  private settle(reply: Reply): void {
    clearTimeout(this.timer);
    const { waiting } = this;
    this.waiting = null;
    waiting?.(reply);
  }

  private reasonOfEnd(text: string): Failed {
    const isMemory = /out of memory|allocation failed/i.test(this.stderr);
    return { failure: isMemory ? 'memory' : 'crash', detail: isMemory ? 'its memory is used up' : text };
  }
}

function parse(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  const { message, stack } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
  return [message || 'no reason given', stack].filter(Boolean).join('\n').slice(0, 8_000);
}
