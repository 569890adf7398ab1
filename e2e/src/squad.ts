/** A squad in a repository of its own: the API of a shop is all that it has. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Outside, OutsideRemote } from '@platform/build/testing/outside-remote';
import type { PublishResult, ReleaseManifest } from '@platform/releases';
import type { APIRequestContext } from '@playwright/test';
import type { HttpsFront } from './https-front';

export interface Served {
  url: string;
  child: ChildProcess;
}

export interface Squad extends OutsideRemote {
  env: NodeJS.ProcessEnv;
  /** `npm run release -- …` in the squad's folder; resolves to what `--json` prints. */
  release(...args: string[]): Promise<unknown>;
  /** Changes a text in a source file. */
  edit(file: string, before: string, after: string): void;
  /** Commits what is in the folder; returns the hash. */
  commit(): string;
  /** Builds and publishes what is in the folder. */
  publish(): Promise<PublishResult>;
  built(): ReleaseManifest;
  /** `npm run dev` against the shop. */
  dev(): Promise<Served>;
}

/** `command` makes the remote. */
export async function makeSquad(outside: Outside, name: string, command: string, front: HttpsFront): Promise<Squad> {
  const env: NodeJS.ProcessEnv = {
    RELEASE_SHOP: front.url,
    NODE_EXTRA_CA_CERTS: front.certificate,
    DATA_DIR: '',
    RELEASE_STORE: '',
    // Set by Playwright, for a terminal.
    FORCE_COLOR: undefined,
  };
  const remote = await outside.make(name, command, env);
  const inFolder = (file: string) => path.join(remote.folder, file);
  const readJson = (file: string) => JSON.parse(readFileSync(inFolder(file), 'utf8'));
  const release = async (...args: string[]) =>
    JSON.parse(await remote.node('@shop/tools/scripts/bin/shop-release.mjs', ...args, '--json'));
  /** Resolves when what it serves is built. */
  const serve = (options: string[], ready: RegExp, built: string): Promise<Served> => {
    const program = inFolder('node_modules/@shop/tools/scripts/bin/shop-dev.mjs');
    const child = spawn(process.execPath, [program, ...options, '--port', '0'], {
      cwd: remote.folder,
      env: { ...process.env, ...env },
    });
    return new Promise((resolve, reject) => {
      let seen = '';
      const read = (chunk: Buffer) => {
        seen += chunk;
        const [, url] = ready.exec(seen) ?? [];
        if (url && seen.includes(built)) resolve({ url, child: child.removeAllListeners('exit') });
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', () => reject(new Error(seen)));
    });
  };
  return {
    ...remote,
    env,
    release,
    edit(file, before, after) {
      const text = readFileSync(inFolder(file), 'utf8');
      if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
      writeFileSync(inFolder(file), text.replaceAll(before, after));
    },
    commit() {
      const git = (...args: string[]) => execFileSync('git', args, { cwd: remote.folder, encoding: 'utf8' }).trim();
      git('init', '--quiet');
      git('add', '--all');
      git(
        '-c',
        'user.name=Squad',
        '-c',
        'user.email=squad@shop.example',
        'commit',
        '--quiet',
        '--message',
        'feat: a page',
      );
      return git('rev-parse', 'HEAD');
    },
    async publish() {
      await release('build');
      const [published] = await release('publish', name);
      return published;
    },
    built: () => readJson('dist/release.json'),
    dev: () => serve(['--against', front.url], /Dev ready: (\S+)/, `built ${name} in`),
  };
}

/** Calls of the release API with a key; what streams answers with its last line. */
export const apiOf =
  (context: APIRequestContext, shopUrl: string, key: string | undefined) =>
  async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', call: string, data?: object | Buffer) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await context.fetch(`${shopUrl}/ops/api/${call}`, { method, headers, data });
    const lines = (await answer.text()).split('\n').filter(Boolean);
    return { status: answer.status(), ...JSON.parse(lines.at(-1) ?? '{}') };
  };
export type Api = ReturnType<typeof apiOf>;
