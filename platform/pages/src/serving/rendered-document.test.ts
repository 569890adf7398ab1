import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Check, openStore, promote, recordVerdict, rollback, type Store } from '@platform/releases';
import { publishSample, type Sample } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { repetitions } from '../../../../scripts/jest/test-scale';
import { PageRendering, type RenderFault } from '../rendering';
import { remoteBuild, SHELL_BUILD } from '../rendering/testing/server-builds';
import { guestAnswers } from '../testing/guest-answers';
import { SITE } from '../testing/site';
import { documentPlugin } from './document.plugin';

const by = { by: 'ann' };
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
  const limits = { pageMs: 1_000, waitMs: 10_000, processes: 1 };
  rendering = new PageRendering({ store: openStore({ place }), limits });
  app = fastify();
  await app.register(
    documentPlugin({
      site: SITE,
      store: openStore({ place }),
      rendering,
      answers: guestAnswers(() => 'config'),
      onRenderFault: (_request, _map, fault) => faults.push(fault),
    }),
  );
  await publishShell('one');
  await promote(store, { ...by, name: 'shell' });
});
afterEach(async () => {
  await app.close();
  await rendering.close();
  await rm(place, { recursive: true, force: true });
});

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

it('tells a page nothing of the user who asks for the document', async () => {
  await publishCatalog('all', { '/home': 'return JSON.stringify(request).replace(/[^\\w:]/g, "_");' });
  await promote(store, { ...by, name: 'catalog' });
  const { html } = await open('/home', 'session=of-a-person; visitor=12.34; staff=of-staff; language=en');
  expect(html).toContain('language');
  expect(html).not.toMatch(/of.a.person|12.34|of.staff|cookie|authorization/);
});
