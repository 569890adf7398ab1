/** A product that is no shop, of a shell, a remote's contract and its page: built, released, gated and rolled back. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { browserScript } from '@platform/build/browser-script';
import { buildRelease, Compiler } from '@platform/build/build-release';
import { composeDocument } from '@platform/pages';
import {
  GateError,
  type GateStep,
  isReleaseFile,
  liveVersion,
  openStore,
  promote,
  publish,
  rollback,
  type Store,
} from '@platform/releases';
import { browserGate, launchBrowser, PAGE_PROBE } from '@platform/releases/browser-gate';
import type { Browser } from 'playwright-core';
import { findChromium } from '../../scripts/setup/chromium.mjs';

const root = path.resolve(__dirname, '../..');
const chromium = findChromium() ?? '';
const by = 'demo';
/** The product's own repository: its root names the shared singletons, and packages are installed there. */
const RECIPE = `
const { recipe } = require('@platform/build');
const version = require('react/package.json').version;
const singletons = { react: { version }, 'react/jsx-runtime': { version } };
module.exports = recipe({ folder: __dirname, scopes: [], singletons });
`;

let product: string;
let store: Store;
let site: http.Server;
let address: string;
let compiler: Compiler;
let browser: Browser;

async function answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<unknown> {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const [, name = '', version = '', file = ''] = /^\/r\/([^/]+)\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
  if (file && isReleaseFile(file)) {
    const type = file.endsWith('.css') ? 'text/css' : 'text/javascript';
    return response.writeHead(200, { 'content-type': type }).end(await store.readFile(name, version, file));
  }
  if (pathname.startsWith('/api/')) return response.writeHead(204).end();
  const document = composeDocument(await store.readMap('production'), { path: pathname });
  return response.writeHead(document.status, document.headers).end(document.html);
}

beforeAll(async () => {
  product = mkdtempSync(path.join(tmpdir(), 'demo-product-'));
  cpSync(path.join(__dirname, 'product'), product, { recursive: true });
  symlinkSync(path.join(root, 'node_modules'), path.join(product, 'node_modules'), 'junction');
  writeFileSync(path.join(product, 'rspack.base.js'), RECIPE);
  for (const folder of ['shell', 'greeting'])
    writeFileSync(path.join(product, folder, 'package.json'), JSON.stringify({ name: folder, version: '1.0.0' }));
  compiler = new Compiler({ root: product, recipe: path.join(product, 'rspack.base.js'), inputs: [] });
  store = openStore({ place: path.join(product, 'store') });
  site = http.createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  browser = await launchBrowser(chromium);
});
afterAll(async () => {
  compiler?.close();
  await browser?.close();
  site?.closeAllConnections();
  site?.close();
  rmSync(product, { recursive: true, force: true });
});

/** Builds the workspace and publishes what came of it. */
async function release(name: string): Promise<string> {
  const { directory } = await buildRelease(compiler, { name, directory: path.join(product, name) });
  return (await publish(store, { dist: directory, by })).version;
}

const inBrowser = (): GateStep =>
  browserGate({ against: address, chromium, documentOf: composeDocument, probe: browserScript(PAGE_PROBE) });
/** The gate measures time, which says nothing on a busy machine, and nobody signs in here. */
const skip = ['blocking', 'ready', 'sign-in'];

async function heading(): Promise<string> {
  const page = await browser.newPage();
  try {
    await page.goto(`${address}/hello`);
    return await page.getByRole('heading').innerText();
  } finally {
    await page.close();
  }
}

function changePage(from: string, to: string): void {
  const file = path.join(product, 'greeting/src/page.tsx');
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to));
}

it('is released, gated and rolled back by the packages that the shop uses', async () => {
  const shell = await release('shell');
  const first = await release('greeting');
  await promote(store, { name: 'shell', version: shell, by });
  await promote(store, { name: 'greeting', version: first, by, why: 'the first one', skip, steps: [inBrowser()] });
  expect(await heading()).toBe('Good morning');

  changePage('Good morning', 'Good evening');
  const second = await release('greeting');
  await promote(store, { name: 'greeting', version: second, by, why: 'evening', skip, steps: [inBrowser()] });
  expect(await heading()).toBe('Good evening');

  changePage('<h1>Good evening</h1>', "<h1>{document.querySelector('#nobody')!.textContent}</h1>");
  const broken = await release('greeting');
  const refused = promote(store, { name: 'greeting', version: broken, by, why: 'a try', skip, steps: [inBrowser()] });
  await expect(refused).rejects.toThrow(GateError);
  expect(liveVersion(await store.readMap('production'), 'greeting')).toBe(second);

  expect((await rollback(store, { name: 'greeting', by })).to).toBe(first);
  expect(await heading()).toBe('Good morning');
});
