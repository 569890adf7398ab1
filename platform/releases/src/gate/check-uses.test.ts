import { gate, promote, rollback } from '..';
import { openStore, type Store } from '../store/store';
import { publishLive, publishSample, type Sample, scratch } from '../testing/fixture';

const by = { by: 'ann' };
let store: Store;
beforeEach(async () => {
  store = openStore({ place: await scratch() });
  await live({ name: 'shell' });
});

const live = (given: Sample, traffic?: number) => publishLive(store, given, traffic);
const page = (path: string) => ({
  path,
  page: './main',
  module: './src/main.tsx',
  title: { 'zh-CN': '页', en: 'Page' },
});
const link = (path: string, remote?: string) => ({ links: { [path]: { remote } } });

it('the gate requires a live page for each link of a release, by the shape of the path', async () => {
  const shown = await live({ name: 'catalog', routes: [page('/things/:id')] });
  await live({ name: 'orders', uses: link('/things/:key', 'catalog') });
  await expect(live({ name: 'orders', text: 'two', uses: link('/things', 'catalog') })).rejects.toThrow(
    `links to /things, for which catalog@${shown} has no page`,
  );
});

it('the gate requires a page of a remote for each link of the shell, which has no pages of its own', async () => {
  const shown = await live({ name: 'catalog', routes: [page('/things')] });
  await live({ name: 'shell', text: 'two', uses: link('/things', 'catalog') });
  await expect(live({ name: 'shell', text: 'three', uses: link('/gone', 'catalog') })).rejects.toThrow(
    `links to /gone, for which catalog@${shown} has no page`,
  );
});

it('the gate requires a live release for a link to another repository; a link to a remote of the same sources waits for it', async () => {
  await expect(live({ name: 'orders', uses: link('/gifts') })).rejects.toThrow(
    'links to /gifts, for which no live release has a page',
  );
  const version = await publishSample(store, { name: 'orders', text: 'two', uses: link('/gifts', 'gifts') });
  const { checks } = await gate(store, { name: 'orders', version });
  expect(checks).toContainEqual({
    check: 'links',
    outcome: 'passed',
    detail: '2 pages linked to; no release is live yet of gifts',
  });
});

it('the gate refuses a release or canary without a page that another live release links to', async () => {
  await live({ name: 'catalog', routes: [page('/things'), page('/things/:id')] });
  const linking = await live({ name: 'orders', uses: link('/things/:id', 'catalog') });
  const without = await publishSample(store, { name: 'catalog', text: 'two', routes: [page('/things')] });
  for (const traffic of [10, undefined])
    await expect(promote(store, { ...by, name: 'catalog', version: without, traffic })).rejects.toThrow(
      `orders@${linking} links to /things/:id, ${traffic ? `which catalog@${without} has no page for` : 'for which'}`,
    );
  await live({ name: 'orders', text: 'two' });
  await promote(store, { ...by, name: 'catalog', version: without });
});

it('the gate accepts a canary’s link to its own new page; other releases must wait until all visitors have the page', async () => {
  await live({ name: 'catalog', routes: [page('/things')] });
  const next = await live(
    { name: 'catalog', text: 'two', routes: [page('/things'), page('/new')], uses: link('/new', 'catalog') },
    10,
  );
  await expect(live({ name: 'orders', uses: link('/new', 'catalog') })).rejects.toThrow('has no page for');
  await promote(store, { ...by, name: 'catalog', version: next });
  await live({ name: 'orders', uses: link('/new', 'catalog') });
});

it('the gate refuses a canary that links to a page which only its previous version has', async () => {
  await live({ name: 'catalog', routes: [page('/things'), page('/old')] });
  const next = { name: 'catalog', text: 'two', routes: [page('/things')], uses: link('/old', 'catalog') };
  const version = await publishSample(store, next);
  await expect(promote(store, { ...by, name: 'catalog', version, traffic: 10 })).rejects.toThrow(
    `catalog@${version} links to /old, for which catalog@${version} has no page`,
  );
});

it('the gate attributes links to a release by its name and version, not to another one with the same version', async () => {
  const version = '1.0.0-aaaaaaaa';
  await live({ name: 'catalog', routes: [page('/things')] });
  await live({ name: 'orders', version, uses: link('/things', 'catalog') });
  await expect(live({ name: 'catalog', version, routes: [page('/all')] })).rejects.toThrow(
    `orders@${version} links to /things`,
  );
});

it('a link that a rollback has broken blocks only the release that links', async () => {
  const earlier = await live({ name: 'catalog', routes: [page('/things')] });
  await live({ name: 'catalog', text: 'two', routes: [page('/things'), page('/new')] });
  await live({ name: 'orders', uses: link('/new', 'catalog') });
  await expect(rollback(store, { ...by, name: 'catalog', why: 'errors' })).rejects.toThrow('links to /new');
  await rollback(store, { ...by, name: 'catalog', why: 'errors', anyway: true });
  await live({ name: 'gifts' });
  await expect(live({ name: 'orders', text: 'two', uses: link('/new', 'catalog') })).rejects.toThrow(
    `links to /new, for which catalog@${earlier} has no page`,
  );
});

const judged = async (uses: Sample['uses'], calls: string[] | undefined) => {
  const version = await publishSample(store, { name: 'catalog', uses });
  const { checks } = await gate(store, { name: 'catalog', version, server: calls && { routes: [], calls } });
  const { outcome, detail } = checks.find(({ check }) => check === 'calls') ?? {};
  return [outcome, detail?.replace(version, '…')];
};

it('the gate requires each call of a release in the API of the server', async () => {
  const calls = ['GET /api/things', 'POST /api/things'];
  expect(await judged({ calls }, calls)).toEqual(['passed', '2 calls']);
  const fault = 'catalog@… uses POST /api/things, which this server does not have';
  expect(await judged({ calls }, ['GET /api/things'])).toEqual(['failed', fault]);
});

it('the gate skips the check of calls if it does not know those of the release or of the server', async () => {
  expect((await judged({ calls: [] }, undefined))[0]).toBe('skipped');
  expect(await judged(undefined, [])).toEqual(['skipped', expect.stringContaining('does not list its calls')]);
});
