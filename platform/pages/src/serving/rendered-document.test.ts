import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Check, openStore, promote, recordVerdict, rollback, type Store } from '@platform/releases';
import { publishSample, type Sample } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { repetitions } from '../../../../scripts/jest/test-scale';
import { until } from '../../../../scripts/jest/until';
import { PageRendering, type PageRenderingOptions, type RenderFault } from '../rendering';
import { remoteBuild, renderingProcesses, SHELL_BUILD } from '../rendering/testing/server-builds';
import { guestAnswers } from '../testing/guest-answers';
import { documentPlugin } from './document.plugin';
import * as responses from './prepared-response';

jest.mock('./prepared-response', () => ({ __esModule: true, ...jest.requireActual('./prepared-response') }));

const by = { by: 'ann' };
type Options = Partial<PageRenderingOptions> & { preparedBytes?: number };
const documents = jest.spyOn(responses, 'preparedResponses');
let place: string;
let store: Store;
let rendering: PageRendering;
let app: FastifyInstance;
let faults: RenderFault[];
/** Release to what its server build writes into its pages. */
let texts: Record<string, string>;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'shop-rendered-'));
  store = openStore({ place });
  faults = [];
  texts = {};
  await start(place);
  await publishShell('one');
  await promote(store, { ...by, name: 'shell' });
});
afterEach(async () => {
  await stop();
  await rm(place, { recursive: true, force: true });
});

async function start(place: string, { preparedBytes, ...options }: Options = {}): Promise<void> {
  const limits = { pageMs: 1_000, waitMs: 10_000, processes: 1 };
  rendering = new PageRendering({ store: openStore({ place }), limits, ...options });
  app = fastify();
  await app.register(
    documentPlugin({
      store: openStore({ place }),
      rendering,
      preparedBytes,
      answers: guestAnswers(() => 'config'),
      onRenderFault: (_request, _map, fault) => faults.push(fault),
    }),
  );
}

async function stop(): Promise<void> {
  await app.close();
  await rendering.close();
}

async function publishShell(text: string): Promise<string> {
  const version = await publishSample(store, { name: 'shell', text, more: { 'server/main.js': SHELL_BUILD(text) } });
  texts[`shell@${version}`] = text;
  return version;
}

async function publishCatalog(text: string, pages: Record<string, string> = {}, more: Sample = {}): Promise<string> {
  const build = remoteBuild({ '/home': `return 'catalog ${text}';`, ...pages });
  const version = await publishSample(store, { text, more: { 'server/main.js': build }, ...more });
  texts[`catalog@${version}`] = text;
  return version;
}

/** The releases that the document's map offers, and what is drawn in it. */
async function open(url = '/home', cookie = '') {
  const { body, statusCode, headers } = await app.inject({ url, headers: { accept: 'text/html', cookie } });
  const [, json = '{}'] = /id="release-map">([\s\S]*?)<\/script>/.exec(body) ?? [];
  const { microFrontends } = JSON.parse(json) as {
    microFrontends: Record<string, Array<{ metadata: { version: string } }>>;
  };
  const textOf = (name: string) => texts[`${name}@${microFrontends[name]?.[0]?.metadata.version}`];
  const [, drawn] = /<div id="root"><p>shell (.*?)<\/script>/s.exec(body) ?? [];
  const html =
    drawn === undefined
      ? null
      : `shell ${drawn.replace(/<[\s\S]*/, (rest) => rest.replace(/^<\/p>(.*?)<\/div>[\s\S]*/, ' $1'))}`;
  return {
    statusCode,
    headers,
    html,
    expected: `shell ${textOf('shell')} catalog ${textOf('catalog')}`,
    isRendered: body.includes('id="page-data"'),
  };
}

const changes = repetitions(200);
it(`holds HTML and code of the same releases over ${changes} promotes and rollbacks under load, each in the next document`, async () => {
  const [one, two] = [await publishCatalog('one'), await publishCatalog('two')];
  await promote(store, { ...by, name: 'catalog', version: one });
  await promote(store, { ...by, name: 'catalog', version: two });
  await publishShell('two');
  const seen: Array<Awaited<ReturnType<typeof open>>> = [];
  for (let count = 0; count < changes; count += 1) {
    const meanwhile = Array.from({ length: 3 }, () => open());
    // Twice the shell changes as well.
    if (count === changes * 0.4) await promote(store, { ...by, name: 'shell' });
    if (count === changes * 0.7) await rollback(store, { ...by, name: 'shell' });
    const [to, text] = count % 2 ? [two, 'two'] : [one, 'one'];
    await rollback(store, { ...by, name: 'catalog', to });
    const next = await open();
    expect(next.html).toBe(`shell ${count >= changes * 0.4 && count < changes * 0.7 ? 'two' : 'one'} catalog ${text}`);
    seen.push(next, ...(await Promise.all(meanwhile)));
  }
  expect(seen).toHaveLength(4 * changes);
  expect(seen.filter(({ html, expected }) => html !== expected)).toEqual([]);
});

/** Where it puts server builds. */
async function foldersOfServer(): Promise<string[]> {
  const own = new RegExp(`^renderer-\\w+-${process.pid}-`);
  return (await readdir(tmpdir())).filter((name) => own.test(name)).map((name) => join(tmpdir(), name));
}

/** What the server holds for rendering. */
async function holdings() {
  const folders = await foldersOfServer();
  const places = await Promise.all(folders.map((folder) => readdir(folder)));
  const builds = places.flat().filter((name) => /^(shell|catalog)-/.test(name));
  return {
    processes: rendering.renderer.processes,
    running: renderingProcesses().length,
    builds: builds.length,
    documents: documents.mock.results.at(-1)?.value.count() as number,
  };
}

const promoted = repetitions(100);
it(`holds no more processes, server builds and documents after ${promoted} promotes than after five`, async () => {
  // Of a remote and of the shell alone, for two sets.
  const most = { processes: 4, builds: 4, documentBytes: 100_000 };
  const limits = { pageMs: 1_000, waitMs: 10_000, processes: 1 };
  await stop();
  await start(place, { pools: most.processes, releases: most.builds, limits, preparedBytes: most.documentBytes });
  const held: number[] = [];
  for (let count = 1; count <= promoted; count += 1) {
    const text = `release ${String(count).padStart(3, '0')}`;
    const version = await publishCatalog(text);
    await promote(store, { ...by, name: 'catalog', version });
    expect((await open()).html).toBe(`shell one catalog ${text}`);
    for (const preferences of ['language=en', 'theme=dark']) await open('/home', preferences);
    held.push((await holdings()).documents);
  }
  const { processes, builds } = most;
  expect(held[4]).toBeLessThan(3 * 5);
  expect(held.at(-1)).toBeLessThanOrEqual((held[4] ?? 0) + 1);
  // Some run in a wrapper. An ended one and a removed folder need a moment.
  const running = 2 * processes;
  const now = await until('what ended to be gone', async () => {
    const held = await holdings();
    return held.running <= running && held.builds <= builds ? held : undefined;
  });
  expect(now).toMatchObject({ processes, builds });
}, 300_000);

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MEGABYTE = 1024 * 1024;

/** Of this process without garbage, and of the largest one that renders, in MB. */
async function memory() {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const residents = renderingProcesses().map(async (id) => {
    const status = await readFile(`/proc/${id}/status`, 'utf8').catch(() => '');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
  });
  return { server: (heapUsed + arrayBuffers) / MEGABYTE, renderer: Math.max(0, ...(await Promise.all(residents))) };
}

/** One document takes 18 kB, and 500 come after the first measurement at least. */
const MOST_GROWTH_MB = 5;
const different = repetitions(10_000);
it(`needs no more memory after ${different} different documents than after half of them`, async () => {
  const limits = { pageMs: 1_000, waitMs: 10_000, processes: 1 };
  await stop();
  await start(place, { limits, preparedBytes: 2 * MEGABYTE });
  // Its text does not compress.
  const page = `
    let text = '', seed = Number(request.path.split('=')[1]);
    while (text.length < 10000) text += (seed = (seed * 48271) % 2147483647).toString(36);
    return text;`;
  const list = { path: '/goods', page: './goods', module: '', title: 'Goods', query: ['keyword'] };
  const home = { path: '/home', page: './home', module: '', title: 'Home' };
  await promote(store, {
    ...by,
    name: 'catalog',
    version: await publishCatalog('many', { '/goods': page }, { routes: [home, list] }),
  });
  let rendered = 0;
  const openUpTo = async (last: number) => {
    for (let at = rendered + 1; at <= last; at += 10) {
      const urls = Array.from({ length: 10 }, (_, index) => `/goods?keyword=${at + index}`);
      const documents = await Promise.all(urls.map((url) => open(url)));
      rendered += documents.filter(({ isRendered }) => isRendered).length;
    }
  };
  await openUpTo(different / 2);
  const half = await memory();
  await openUpTo(different);
  // What belongs to the last documents may go a moment later.
  const whole = await until(`less than ${MOST_GROWTH_MB} MB more`, async () => {
    const now = await memory();
    return now.server - half.server < MOST_GROWTH_MB ? now : undefined;
  });
  expect(rendered).toBe(different);
  expect(half.renderer).toBeGreaterThan(10);
  expect(whole.renderer - half.renderer).toBeLessThan(60);
}, 300_000);

it('sends the skeleton in time for a page that loops for ever, names the release, and renders the others', async () => {
  const version = await publishCatalog('bad', { '/goods': 'for (;;);' });
  await promote(store, { ...by, name: 'catalog', version });
  await open();
  const started = performance.now();
  expect(await open('/goods')).toMatchObject({ statusCode: 200, isRendered: false });
  expect(performance.now() - started).toBeLessThan(8_000);
  // Nobody is blamed while the machine is too busy to give the page its time.
  while (faults.length === 0) await open('/goods');
  expect(faults).toEqual([expect.objectContaining({ name: 'catalog', version, failure: 'timeout' })]);
  expect(await open()).toMatchObject({ isRendered: true, html: 'shell one catalog bad' });
});

it('renders for each visitor of a canary the release that their number gives, and gives a number to who has none', async () => {
  await publishCatalog('one');
  await promote(store, { ...by, name: 'catalog' });
  const version = await publishCatalog('two');
  await promote(store, { ...by, name: 'catalog', version, traffic: 20 });
  expect((await open('/home', 'visitor=5')).html).toBe('shell one catalog two');
  expect((await open('/home', 'visitor=50')).html).toBe('shell one catalog one');
  const { headers, html } = await open();
  const [, number] = /^visitor=([\d.]+); .*Path=\/;/.exec(String(headers['set-cookie'])) ?? [];
  expect(html).toBe(`shell one catalog ${Number(number) < 20 ? 'two' : 'one'}`);
  expect((await open('/home', `visitor=${number}`)).html).toBe(html);
});

it('renders no preview of a release that has not passed the gate, with every check, and keeps none', async () => {
  await publishCatalog('one');
  await promote(store, { ...by, name: 'catalog' });
  const version = await publishCatalog('two', {}, { gated: false });
  const preview = () => open(`/home?release=catalog@${version}`);
  expect(await preview()).toMatchObject({ statusCode: 200, isRendered: false });
  const judge = (passed: boolean, outcome: Check['outcome']) =>
    recordVerdict(store, { name: 'catalog', version, passed, checks: [{ check: 'render', outcome, detail: '' }] }, {});
  await judge(false, 'failed');
  expect((await preview()).isRendered).toBe(false);
  await judge(true, 'skipped');
  expect((await preview()).isRendered).toBe(false);
  await judge(true, 'passed');
  expect((await preview()).html).toBe('shell one catalog two');
  expect((await open()).html).toBe('shell one catalog one');
});

it('renders what is live though its gate was left out: somebody who may has promoted it', async () => {
  const version = await publishCatalog('one', {}, { gated: false });
  await promote(store, { ...by, name: 'catalog', version });
  expect((await open()).html).toBe('shell one catalog one');
});

it('tells a page nothing of the person who asks for the document', async () => {
  await publishCatalog('all', { '/home': 'return JSON.stringify(request).replace(/[^\\w:]/g, "_");' });
  await promote(store, { ...by, name: 'catalog' });
  const { html } = await open('/home', 'session=of-a-person; visitor=12.34; staff=of-staff; language=en');
  expect(html).toContain('language');
  expect(html).not.toMatch(/of.a.person|12.34|of.staff|cookie|authorization/);
});
