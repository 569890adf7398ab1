import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '@platform/pages/testing/nginx';
import { until } from '../../../scripts/jest/until';

const root = path.join(__dirname, '../../..');
const START_MS = 180_000;
const compiled = process.env.SHOP_TEST_PROGRAM;
export const program = compiled ? [compiled] : ['--import', 'tsx', 'scripts/image/server.ts'];

/** The variables that a program needs from the test's environment: its temporary files belong to those of the test. */
const surroundings = () => ({ PATH: process.env.PATH ?? '', TMPDIR: os.tmpdir() });

export class ShopProcess {
  private child: ChildProcess | undefined;
  log = '';
  private constructor(
    readonly port: number,
    private readonly env: NodeJS.ProcessEnv,
    private readonly args: string[],
    private readonly startMs: number,
  ) {}

  /** `env` has the names that the program reads: DATA_DIR, DATABASE_URL, SANDBOX_PAY_KEY, … */
  static async start(env: NodeJS.ProcessEnv, args = program, startMs = START_MS): Promise<ShopProcess> {
    const shop = new ShopProcess(await freePort(), env, args, startMs);
    process.once('exit', () => shop.child?.kill('SIGKILL'));
    await shop.start();
    return shop;
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, this.args, {
      cwd: root,
      env: { ...surroundings(), LOG: 'off', ...this.env, PORT: String(this.port), STAFF_PORT: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.child = child;
    this.log = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (this.log += chunk));
    try {
      const isStarted = async () => / {2}Payments: .*\n/.test(this.log) && this.isReady();
      await until('the server', async () => child.exitCode !== null || isStarted(), this.startMs);
      if (child.exitCode !== null) throw new Error('it ended');
    } catch (cause) {
      // Otherwise it would keep the data locked for the next one.
      await this.kill();
      throw new Error(`The server did not start: ${this.log}`, { cause });
    }
  }

  get url(): string {
    return /Shop ready: (\S+)/.exec(this.log)?.[1] ?? '';
  }
  get staffUrl(): string {
    return /Staff console: (\S+)\/staff\b/.exec(this.log)?.[1] ?? '';
  }
  kill = () => this.end('SIGKILL');
  stop = () => this.end('SIGTERM');

  private async end(signal: NodeJS.Signals): Promise<number | null> {
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }

  private async isReady(): Promise<boolean> {
    try {
      const answer = await fetch(`http://127.0.0.1:${this.port}/healthz`, { signal: AbortSignal.timeout(2000) });
      await answer.text();
      return answer.status === 200;
    } catch {
      return false;
    }
  }
}

/** Returns whether a port of this machine accepts a connection. */
export const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
