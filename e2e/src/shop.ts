/** A whole shop of its own for journeys: built, published and served in a data folder that is thrown away. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

export const root = path.resolve(__dirname, '..', '..');
const run = promisify(execFile);
/** Building, migrating and seeding on a slow machine. */
const startTimeoutMs = 120_000;

export interface Shop {
  url: string;
  dataDir: string;
  /** `npm run release -- …` against this shop's store; resolves to what `--json` prints. */
  release(args: string[], cwd?: string): Promise<unknown>;
  /** The newest verification code that the development outbox holds for a phone. */
  codeFor(phone: string): Promise<string>;
  stop(): Promise<void>;
}

/** Starts one; while a journey is being written, `E2E_DATA_DIR` names the data folder of a shop that runs already. */
export async function startShop(env: Record<string, string> = {}): Promise<Shop> {
  const running = process.env.E2E_DATA_DIR;
  if (running) return shopAt(readFileSync(path.join(running, 'shop-url'), 'utf8').trim(), running, async () => {});
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'shop-e2e-'));
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/serve.ts'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'development', PORT: '0', DATA_DIR: dataDir, DATABASE_URL: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return shopAt(await readyUrl(child), dataDir, async () => {
    await end(child);
    rmSync(dataDir, { recursive: true, force: true });
  });
}

function shopAt(url: string, dataDir: string, stop: () => Promise<void>): Shop {
  return {
    url,
    dataDir,
    async release(args, cwd = root) {
      const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/release.ts', ...args, '--json'], {
        cwd,
        env: { ...process.env, DATA_DIR: dataDir },
        maxBuffer: 16 * 1024 * 1024,
      });
      return stdout.trim() ? JSON.parse(stdout) : null;
    },
    async codeFor(phone) {
      const answer = await fetch(`${url}/dev/outbox.json?phone=${encodeURIComponent(phone)}`);
      const [newest] = (await answer.json()) as Array<{ code: string }>;
      if (!newest) throw new Error(`the outbox holds no code for ${phone}`);
      return newest.code;
    },
    stop,
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`the shop did not start:\n${output}`)), startTimeoutMs);
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /Shop ready: (http:\/\/\S+)/.exec(output);
      if (!found?.[1]) return;
      clearTimeout(timer);
      resolve(found[1]);
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`the shop ended with ${code}:\n${output}`));
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(timer);
}
