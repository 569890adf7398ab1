/** A product that is no shop, of a shell, a remote's contract and its page: built, released, gated and rolled back. */

import { EventEmitter, once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { browserScript } from '@platform/build/browser-script';
import { buildRelease, Compiler } from '@platform/build/build-release';
import { composeDocument } from '@platform/pages';
import { documentPlugin } from '@platform/pages/serving';
import {
  GateError,
  type GateStep,
  liveVersion,
  mapSource,
  openStore,
  promote,
  publish,
  rollback,
  type Store,
} from '@platform/releases';
import { browserGate, launchBrowser, PAGE_PROBE } from '@platform/releases/browser-gate';
import { countReport, HealthCounts, memoryHealthStore, VisitTokens, Watcher } from '@platform/watch';
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
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
let site: FastifyInstance;
let address: string;
let compiler: Compiler;
let browser: Browser;
/** The release of the greeting with which each test begins. */
let first: string;
const health = memoryHealthStore();
const counts = new HealthCounts('a secret');
const tokens = new VisitTokens('a secret');
/** Emits what each network has reported, when it is counted. */
const reports = new EventEmitter();

/** What a proxy in front would say. */
const networkOf = ({ headers }: FastifyRequest) => String(headers['x-forwarded-for'] ?? '127.0.0.1');

/** Documents with a token, and what browsers report with it. */
async function serve(): Promise<void> {
  site = fastify({ forceCloseConnections: true });
  site.addHook('onRequest', async (request, reply) => {
    reply.header('set-cookie', `visit_token=${tokens.issue(networkOf(request))}; path=/`);
  });
  await site.register(documentPlugin({ store }));
  site.post<{ Body: { token: string; context: object; events: Array<{ kind: string }> } }>(
    '/api/health/report',
    async (request, reply) => {
      const network = networkOf(request);
      const { token, context, events } = request.body;
      if (tokens.remaining(token, network) > 0)
        countReport(counts, await store.readMap('production'), { context, events }, network);
      for (const { kind } of events) reports.emit(`${kind} ${network}`);
      return reply.code(204).send();
    },
  );
  address = await site.listen({ port: 0, host: '127.0.0.1' });
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
  await serve();
  browser = await launchBrowser(chromium);
  await promote(store, { name: 'shell', version: await release('shell'), by });
  first = await release('greeting');
  await promote(store, { name: 'greeting', version: first, by });
});
afterAll(async () => {
  compiler?.close();
  await browser?.close();
  await site?.close();
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

function changePage(heading: string): void {
  const page = 'greeting/src/page.tsx';
  const source = readFileSync(path.join(__dirname, 'product', page), 'utf8');
  writeFileSync(path.join(product, page), source.replace('<h1>Good morning</h1>', heading));
}

/** A browser whose page fails, and as many reports of the same as it takes, each of another network. */
async function visitFromLetter(version: string, others: number): Promise<void> {
  const reported = once(reports, 'render 192.0.2.1');
  const context = await browser.newContext({ extraHTTPHeaders: { 'x-forwarded-for': '192.0.2.1' } });
  await (await context.newPage()).goto(`${address}/hello?from=letter`);
  await reported;
  await context.close();
  const events = ['visit', 'render'].map((kind) => ({ name: 'greeting', version, visit: '30'.repeat(8), kind }));
  const answers = Array.from({ length: others }, async (_, index) => {
    const network = `198.51.100.${index}`;
    const body = JSON.stringify({ token: tokens.issue(network), events });
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': network };
    return (await fetch(`${address}/api/health/report`, { method: 'POST', headers, body })).status;
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set([204]));
}

it('is released, gated and rolled back by the packages that the shop uses', async () => {
  expect(await heading()).toBe('Good morning');

  changePage('<h1>Good evening</h1>');
  const second = await release('greeting');
  await promote(store, { name: 'greeting', version: second, by, why: 'evening', skip, steps: [inBrowser()] });
  expect(await heading()).toBe('Good evening');

  changePage("<h1>{document.querySelector('#nobody')!.textContent}</h1>");
  const broken = await release('greeting');
  const refused = promote(store, { name: 'greeting', version: broken, by, why: 'a try', skip, steps: [inBrowser()] });
  await expect(refused).rejects.toThrow(GateError);
  expect(liveVersion(await store.readMap('production'), 'greeting')).toBe(second);

  expect((await rollback(store, { name: 'greeting', by })).to).toBe(first);
  expect(await heading()).toBe('Good morning');
});

it('is taken back by its watcher when it fails for visitors who come from a letter', async () => {
  const watcher = new Watcher({ store, source: mapSource(store, 'production'), health });
  changePage(`<h1>Good night {location.search && new URL(location.search).host}</h1>`);
  const fresh = await release('greeting');
  await promote(store, { name: 'greeting', version: fresh, by, why: 'night' });
  expect(await watcher.look()).toEqual([]);
  await visitFromLetter(fresh, 230);
  await counts.flush(health);
  expect(await watcher.look()).toMatchObject([
    {
      kind: 'rollback',
      name: 'greeting',
      version: fresh,
      why: expect.stringContaining('100.0 % of 231 visits failed'),
    },
  ]);
  expect(await watcher.look()).toEqual([]);
  expect(liveVersion(await store.readMap('production'), 'greeting')).toBe(first);
});
