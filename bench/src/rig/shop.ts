import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { type LaunchOptions, launchBrowser } from '../../../e2e/src/browser';
import { type Shop, startShop } from '../../../e2e/src/shop';
import { orderAllowing } from '../../../e2e/src/steps';
import { type StaticBuild, type StaticFile, staticFile } from './front';

interface Rig {
  shop: Shop;
  browser: Browser;
  /** Builds the single-page application of the same source. */
  buildSpa(): Promise<StaticBuild>;
}

/** Runs a measurement with a shop and a browser, and ends them. */
export async function withShop(options: LaunchOptions, measure: (rig: Rig) => Promise<void>): Promise<void> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  const shop = await startShop();
  const browser = await launchBrowser({ ...options, flags: ['--ignore-certificate-errors'] });
  try {
    await measure({ shop, browser, buildSpa: () => buildSpa(scratch) });
  } finally {
    await browser.close().catch(() => {});
    await shop.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function buildSpa(folder: string): Promise<StaticBuild> {
  const rspack = path.resolve(__dirname, '../../../node_modules/@rspack/cli/bin/rspack.js');
  const config = path.resolve(__dirname, '../spa/rspack.config.cjs');
  execFileSync(process.execPath, [rspack, 'build', '--config', config, '--output-path', folder], { stdio: 'inherit' });
  const files = new Map<string, StaticFile>();
  for (const name of readdirSync(folder))
    files.set(`/bench/spa/${name}`, await staticFile(name, readFileSync(path.join(folder, name))));
  return files;
}

export interface SignedIn {
  token: string;
  /** Name and value of the session cookie for documents (docs/adr/0007-server-side-rendering.md). */
  cookie: { name: string; value: string };
  /** Number of a delivered order. */
  order: string;
}

export async function signIn(shop: Pick<Shop, 'url'>): Promise<SignedIn> {
  const answer = await fetch(`${shop.url}/api/front/app/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ phone: '13800000000', login_type: 'password', password: 'demo1234' }),
  });
  const { data } = (await answer.json()) as { data: { token_type: string; access_token: string } };
  const token = `${data.token_type} ${data.access_token}`;
  const [, value = ''] = /document-session=([^;]+)/.exec(answer.headers.getSetCookie().join()) ?? [];
  return { token, cookie: { name: 'document-session', value }, order: await orderAllowing('reveal', shop, token) };
}
