import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { ShopProcess } from '../../server/test/support/shop-process';

export const root = path.resolve(__dirname, '..', '..');
const run = promisify(execFile);

/** Seconds between two codes to one phone: short, so that no test waits long, but each can see the countdown. */
const resendSeconds = '5';
/** Includes the build. */
const startMs = 600_000;

export type Shop = ReturnType<typeof shopAt>;

interface ShopOptions {
  /** It stays when the shop stops; without it, a temporary folder is deleted with the shop. */
  dataDir?: string;
  /** The data folder of a stopped shop to start from, so that building, publishing and seeding are skipped. */
  template?: string;
  env?: Record<string, string>;
}

export async function startShop({ dataDir, template, env }: ShopOptions = {}): Promise<Shop> {
  const folder = dataDir ?? mkdtempSync(path.join(os.tmpdir(), 'shop-e2e-'));
  if (template) cpSync(template, folder, { recursive: true });
  const variables = {
    ...process.env,
    NODE_ENV: 'development',
    DATA_DIR: folder,
    DATABASE_URL: '',
    CODE_RESEND_SECONDS: resendSeconds,
    TRUST_PROXY: 'loopback',
    ...env,
  };
  const remove = () => {
    if (!dataDir) rmSync(folder, { recursive: true, force: true });
  };
  try {
    const shop = await ShopProcess.start(variables, ['--import', 'tsx', 'scripts/serve.ts'], startMs);
    const [setup] = /http\S+\/staff\/setup#\S+/.exec(shop.log) ?? [];
    if (setup) writeFileSync(setupFile(folder), setup);
    return shopAt(shop.url, shop.staffUrl, folder, async () => {
      await shop.stop();
      remove();
    });
  } catch (error) {
    remove();
    throw error;
  }
}

/** For tests in other processes than the one that has started the shop. */
const setupFile = (folder: string) => path.join(folder, 'e2e-setup-address');

export function runningShop(dataDir: string): Shop {
  const read = (file: string) => readFileSync(path.join(dataDir, file), 'utf8').trim();
  return shopAt(read('shop-url'), read('staff-url'), dataDir, async () => {});
}

function shopAt(url: string, staffUrl: string, dataDir: string, stop: () => Promise<void>) {
  const newest = async <Message>(outbox: string, to: string): Promise<Message> => {
    const answer = await fetch(`${url}/dev/${outbox}=${encodeURIComponent(to)}`);
    const [message] = (await answer.json()) as Message[];
    if (!message) throw new Error(`the outbox holds nothing for ${to}`);
    return message;
  };
  return {
    url,
    staffUrl,
    dataDir,
    /** Runs `npm run release -- …` against this shop's store; resolves to the output of `--json`. */
    async release(args: string[]): Promise<unknown> {
      const { stdout } = await run(process.execPath, ['--import', 'tsx', 'scripts/release.ts', ...args, '--json'], {
        cwd: root,
        env: { ...process.env, DATA_DIR: dataDir },
        maxBuffer: 16 * 1024 * 1024,
      }).catch((error) => Promise.reject(new Error(`${error.message}\n${error.stdout}`)));
      return stdout.trim() ? JSON.parse(stdout) : null;
    },
    setupAddress: () => readFileSync(setupFile(dataDir), 'utf8'),
    codeFor: async (phone: string) => (await newest<{ code: string }>('outbox.json?phone', phone)).code,
    async mailedCodeFor(email: string): Promise<string> {
      const { text } = await newest<{ text: string }>('mails.json?to', email);
      const [code] = /\d{6}/.exec(text) ?? [];
      if (!code) throw new Error(`the newest mail to ${email} holds no code: ${text}`);
      return code;
    },
    stop,
  };
}
