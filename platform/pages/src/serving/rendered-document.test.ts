import { type Check, openStore, promote, recordVerdict, rollback, type Store } from '@platform/releases';
import { publishSample, type Sample, scratch } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { repetitions } from '../../../../scripts/jest/test-scale';
import { PageRendering, type RenderFault } from '../rendering';
import { remoteBuild, SHELL_BUILD } from '../rendering/testing/server-builds';
import { guestAnswers, SITE } from '../testing/site';
import { documentPlugin } from './document.plugin';

const by = { by: 'ann' };
let place: string;
let store: Store;
let rendering: PageRendering;
let app: FastifyInstance;
let faults: RenderFault[];
let texts: Record<string, string>;

beforeEach(async () => {
  place = await scratch();
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
      guestIn: guestAnswers(() => 'config'),
      onRenderFault: (_request, _map, fault) => faults.push(fault),
    }),
  );
  await publishShell('one');
  await promote(store, { ...by, name: 'shell' });
});
afterEach(async () => {
  await app.close();
  await rendering.close();
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

async function open(url = '/home', cookie = '') {
  const { body, statusCode, headers } = await app.inject({ url, headers: { accept: 'text/html', cookie } });
  const [, json = '{}'] = /id="release-map">([\s\S]*?)<\/script>/.exec(body) ?? [];
  const { microFrontends } = JSON.parse(json) as {
    microFrontends: Record<string, Array<{ metadata: { version: string } }>>;
  };
  const textOf = (name: string) => texts[`${name}@${microFrontends[name]?.[0]?.metadata.version}`];
  const [, shell, page] = /<div id="root"><p>shell (\w+)<\/p>(.*?)<\/div>/s.exec(body) ?? [];
  return {
    statusCode,
    headers,
    html: shell === undefined ? null : `shell ${shell} ${page}`,
    expected: `shell ${textOf('shell')} catalog ${textOf('catalog')}`,
    isRendered: body.includes('id="page-data"'),
  };
}

const changes = repetitions(200);
it(`a document holds HTML and code of the same releases over ${changes} promotes and rollbacks under load, and shows each in the next document`, async () => {
  const [first, second] = [await publishCatalog('one'), await publishCatalog('two')];
  await promote(store, { ...by, name: 'catalog', version: first });
  await promote(store, { ...by, name: 'catalog', version: second });
  await publishShell('two');
  const documents: Array<Awaited<ReturnType<typeof open>>> = [];
  for (let count = 0; count < changes; count += 1) {
    const meanwhile = Array.from({ length: 3 }, () => open());
    if (count === changes * 0.4) await promote(store, { ...by, name: 'shell' });
    if (count === changes * 0.7) await rollback(store, { ...by, name: 'shell' });
    const [to, text] = count % 2 ? [second, 'two'] : [first, 'one'];
    await rollback(store, { ...by, name: 'catalog', to });
    const next = await open();
    expect(next.html).toBe(`shell ${count >= changes * 0.4 && count < changes * 0.7 ? 'two' : 'one'} catalog ${text}`);
    documents.push(next, ...(await Promise.all(meanwhile)));
  }
  expect(documents).toHaveLength(4 * changes);
  expect(documents.filter(({ html, expected }) => html !== expected)).toEqual([]);
});

it('a page that loops for ever gets a skeleton in time, its release is named, and other pages are rendered', async () => {
  const version = await publishCatalog('bad', { '/goods': 'for (;;);' });
  await promote(store, { ...by, name: 'catalog', version });
  await open();
  const started = performance.now();
  expect(await open('/goods')).toMatchObject({ statusCode: 200, isRendered: false });
  expect(performance.now() - started).toBeLessThan(8_000);
  // No release is blamed while the machine is too busy to give the page its time.
  while (faults.length === 0) await open('/goods');
  expect(faults).toEqual([expect.objectContaining({ name: 'catalog', version, failure: 'timeout' })]);
  expect(await open()).toMatchObject({ isRendered: true, html: 'shell one catalog bad' });
});

it('a visitor of a canary without a number gets one, and the page of the release for it', async () => {
  await publishCatalog('one');
  await promote(store, { ...by, name: 'catalog' });
  const version = await publishCatalog('two');
  await promote(store, { ...by, name: 'catalog', version, traffic: 20 });
  const { headers, html } = await open();
  const [, number] = /^visitor=([\d.]+); .*Path=\/;/.exec(String(headers['set-cookie'])) ?? [];
  expect(html).toBe(`shell one catalog ${Number(number) < 20 ? 'two' : 'one'}`);
});

it('a preview of a release that has not passed the gate is not rendered, and no preview is cached', async () => {
  await publishCatalog('one');
  await promote(store, { ...by, name: 'catalog' });
  const version = await publishCatalog('two', {}, { gated: false });
  const preview = () => open(`/home?release=catalog@${version}`);
  expect(await preview()).toMatchObject({ statusCode: 200, isRendered: false });
  const checks: Check[] = [{ check: 'render', outcome: 'passed', detail: '' }];
  await recordVerdict(store, { name: 'catalog', version, passed: true, checks }, {});
  expect((await preview()).html).toBe('shell one catalog two');
  expect((await open()).html).toBe('shell one catalog one');
});

it('a live release whose gate was skipped is rendered, because an authorized user has promoted it', async () => {
  const version = await publishCatalog('one', {}, { gated: false });
  await promote(store, { ...by, name: 'catalog', version });
  expect((await open()).html).toBe('shell one catalog one');
});

it('a public page receives no data of the user who requests the document', async () => {
  await publishCatalog('all', { '/home': 'return JSON.stringify(request).replace(/[^\\w:]/g, "_");' });
  await promote(store, { ...by, name: 'catalog' });
  const { html } = await open('/home', 'session=of-a-person; visitor=12.34; staff=of-staff; language=en');
  expect(html).toContain('language');
  expect(html).not.toMatch(/of.a.person|12.34|of.staff|cookie|authorization/);
});
