import { gate, promoteTogether, rollback } from '..';
import type { GateFlow, RouteContract } from '../contract';
import { manifestFaults, type ReleaseManifest } from '../manifest';
import { openStore, type Store } from '../store/store';
import { manifestOf, publishLive, publishSample, type Sample, sample, scratch } from '../testing/fixture';

const by = { by: 'tester' };
const server = { routes: ['/api/*', '/admin/*'], calls: [] };
let store: Store;
beforeEach(async () => {
  store = openStore({ place: await scratch() });
});

type Change = (manifest: ReleaseManifest) => void;

async function putInStore(given: Sample, change: Change = () => {}): Promise<ReleaseManifest> {
  const { manifest, files } = sample(given);
  change(manifest);
  const all = [...files, ['release.json', JSON.stringify(manifest)] as const].map(
    ([file, content]) => [file, Buffer.from(content)] as const,
  );
  await store.blobs.putAll(`r/${manifest.name}/${manifest.version}`, new Map(all), 'release.json');
  return manifest;
}

async function failedChecks(given: Sample, change?: Change): Promise<Record<string, string>> {
  const { name, version } = await putInStore(given, change);
  const { checks } = await gate(store, { name, version, server });
  return Object.fromEntries(
    checks.filter(({ outcome }) => outcome === 'failed').map(({ check, detail }) => [check, detail]),
  );
}

it('the gate runs every check on a release, and skips those that need a shell while there is none', async () => {
  const { name, version } = await putInStore({});
  const { passed, checks } = await gate(store, { name, version });
  expect([passed, ...checks.map(({ check, outcome }) => `${check} ${outcome}`)]).toEqual([
    true,
    ...['manifest', 'files', 'size', 'contract'].map((check) => `${check} passed`),
    'singletons skipped',
    'runtime skipped',
    'routes passed',
    'links passed',
    'calls skipped',
  ]);
});

it('the gate compares each file of a release byte by byte with its hash', async () => {
  const size: Change = ({ files }) => Object.assign(files['home.dd.js'] ?? {}, { size: 7 });
  expect(await failedChecks({}, size)).toEqual({ files: 'home.dd.js has another hash; publish a new version' });
  const { name, version, files } = await putInStore({ text: 'two' });
  await store.blobs.put(`r/${name}/${version}/home.dd.js`, Buffer.alloc(files['home.dd.js']?.size ?? 0, 'x'));
  const { checks } = await gate(store, { name, version });
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'files', detail: 'home.dd.js has another hash; publish a new version' }),
  );
  const lost: Change = ({ exposes }) => Object.assign(exposes, { './home': { js: ['lost.js'], css: [] } });
  expect(await failedChecks({ text: 'three' }, lost)).toHaveProperty('manifest', expect.stringContaining('lost.js'));
});

it('the size of a remote is its largest page with the entry, compressed as for browsers', async () => {
  const detailOf = async (name: string, version: string) =>
    (await gate(store, { name, version })).checks.find(({ check }) => check === 'size')?.detail;
  const compressed = async (name: string, version: string, files: string[]) => {
    const read = (file: string) => store.readFile(name, version, file);
    const contents = await Promise.all(files.map(async (file) => (await read(`${file}.br`)) ?? read(file)));
    return contents.reduce((sum, content) => sum + (content?.length ?? Number.NaN), 0);
  };
  const noise = Array.from({ length: 99 }, (_, index) => Math.sin(index).toString(36)).join('');
  const remote = await publishSample(store, { more: { 'goods.dd.js': `"${noise}"` } });
  const bytes = await compressed('catalog', remote, ['remoteEntry.js', 'goods.dd.js', 'goods.dd.css']);
  expect(await detailOf('catalog', remote)).toBe(`${bytes} of 150000 bytes (brotli) for ./goods`);
  const shell = await publishSample(store, { name: 'shell' });
  const all = await compressed('shell', shell, ['main.aa.js', 'vendor.bb.js', 'main.cc.css']);
  expect(await detailOf('shell', shell)).toBe(`${all} of 260000 bytes (brotli) for every page`);
});

it('the gate accepts a page that fills its budget, and refuses it with one byte more', async () => {
  const { files } = manifestOf();
  const others = ['remoteEntry.js', 'home.dd.css'].reduce((sum, file) => sum + (files[file]?.size ?? Number.NaN), 0);
  const filled = (bytes: number) => failedChecks({ more: { 'home.dd.js': '\n'.repeat(bytes - others) } });
  expect(await filled(150_000)).toEqual({});
  expect((await filled(150_001)).size).toBe('150001 of 150000 bytes (brotli) for ./home: too big; split it');
});

it('the gate requires the same minor version of the runtime of shell and remote, whichever is newer', async () => {
  const shell = await publishLive(store, { name: 'shell', runtime: '2.9.2' });
  expect(await failedChecks({ runtime: '2.9.9' })).toEqual({});
  expect(await failedChecks({ runtime: '2.10.2' })).toEqual({
    runtime: `shell@${shell} provides 2.9.2, this was built for 2.10.2`,
  });
  expect(await failedChecks({ name: 'shell', runtime: '2.10.2' })).toEqual({});
  const version = await publishLive(store, { runtime: '2.9.9' });
  expect(await failedChecks({ name: 'shell', runtime: '2.9.3' })).toEqual({});
  expect(await failedChecks({ name: 'shell', runtime: '2.10.2' })).toEqual({
    runtime: `catalog@${version} runs on 2.9.9, this shell provides 2.10.2`,
  });
});

it('the gate accepts a share in the range of the shell’s version, also of a prerelease, or with the same tag', async () => {
  const shell = await publishLive(store, { name: 'shell', provides: { react: '19.4.0-rc.1', kit: 'of this week' } });
  expect(await failedChecks({ needs: { react: '^19.3.0', kit: 'of this week' } })).toEqual({});
  expect(await failedChecks({ needs: { kit: 'of last week' } })).toEqual({
    singletons: `shell@${shell}: kit: of last week against of this week`,
  });
  expect(await failedChecks({ needs: { vue: '^3.0.0' } })).toEqual({
    singletons: `shell@${shell}: vue ^3.0.0 is not offered`,
  });
});

it('the gate refuses a shell with a new major of a share only because of remotes that need the share', async () => {
  await publishLive(store, { name: 'shell', provides: { ui: '1.0.0', forms: '1.0.0' } });
  await publishLive(store, { needs: { ui: '^1.0.0' } });
  const orders = await publishLive(store, { name: 'orders', needs: { ui: '^1.0.0', forms: '^1.0.0' } });
  expect(await failedChecks({ name: 'shell', provides: { ui: '1.1.0', forms: '2.0.0' } })).toEqual({
    singletons: `orders@${orders}: forms ^1.0.0 is needed, 2.0.0 is offered`,
  });
});

it('the gate refuses a manifest with another name than its folder in the store', async () => {
  const { name, version } = await putInStore({});
  const raw = (await store.readFile(name, version, 'release.json')) as Buffer;
  const files = new Map([['release.json', raw]]);
  await store.blobs.putAll(`r/orders/${version}`, files, 'release.json');
  await expect(gate(store, { name: 'orders', version })).rejects.toThrow(/says that it is catalog@/);
});

describe('faults of a manifest', () => {
  const has = (more: object) => (manifest: ReleaseManifest) => Object.assign(manifest, more);
  const remote = (more: object) => (manifest: ReleaseManifest) => Object.assign(manifest.remote ?? {}, more);
  const home = manifestOf().remote;
  const route = (more: object) => remote({ routes: [{ ...home?.routes[0], ...more }] });
  const tab = (more: object) => remote({ tabBar: [{ ...home?.tabBar?.[0], ...more }] });
  const steps = (more: object) => remote({ steps: [{ from: 'price', to: 'order', ...more }] });
  const text = { 'zh-CN': '页', en: 'Page' };
  const entry = { path: '/goods', label: text, icon: 'box', order: 1 };
  const flow: GateFlow = {
    name: 'buys',
    route: '/home',
    visitor: 'guest',
    steps: [{ read: 'x' }, { agrees: '/api/goods', value: 'data.price', as: 'money' }],
  };
  const flows = (...list: object[]) => has({ flows: list });

  it('manifestFaults accepts all parts of a contract', () => {
    const manifest = manifestOf({ flows: [{ ...flow, route: '/goods/:id' }] });
    steps({ bound: 0.3, dryRun: true })(manifest);
    remote({ drawer: [entry, { ...entry, label: 'Page' }] })(manifest);
    remote({ links: { home: '/home', product: '/goods/:id' } })(manifest);
    route({
      path: '/goods/:id',
      description: text,
      kind: 'product-page',
      parameters: { id: 'of the goods', size: 'of the picture' },
      firstCalls: [{ url: '/api/front/goods/:id' }, { url: '/api/front/app/config' }],
    })(manifest);
    expect(manifestFaults(manifest)).toEqual([]);
    route({ path: '/goods/:id', description: 'a text of its own' })(manifest);
    steps({})(manifest);
    expect(manifestFaults(manifest)).toEqual([]);
  });
  it.each<[string, Change, RegExp]>([
    ['an entry that is no script', (m) => rename(m, 'remoteEntry.js', 'remoteEntry.mjs'), /not a \.js file/],
    ['a page’s script of the server build', (m) => rename(m, 'home.dd.js', 'server/home.dd.js'), /not a \.js file/],
    ['a global of the browser as its container', has({ container: 'fetch' }), /begins with "catalog"/],
    ['a pattern as its container', has({ container: 'catalog|.*' }), /begins with "catalog"/],
    ['a file outside its folder', (m) => rename(m, 'home.dd.js', '../../shell/home.dd.js'), /not allowed/],
    ['no contract', has({ remote: undefined }), /must carry its remote\.json/],
    ['a contract without routes', remote({ routes: {} }), /must carry its remote\.json/],
    ['the contract of another remote', remote({ name: 'orders' }), /remote\.json names "orders"/],
    ['a route that is no object', remote({ routes: ['/home'] }), /a route must be an object/],
    ['a route with no path', route({ path: 7 }), /plain segments/],
    ['a route that is dynamic in part', route({ path: '/goods-:id' }), /plain segments/],
    ['a page that it does not have', route({ page: './nothing' }), /names page ".\/nothing"/],
    ['a page with the name of an inherited member', route({ page: 'toString' }), /names page "toString"/],
    ['no pages at all', has({ exposes: null }), /which is not exposed/],
    ['a page that is no text', route({ page: ['./home'] }), /which is not exposed/],
    ['a route without a title', route({ title: 7 }), /needs a title/],
    ['a title in English only', route({ title: { en: 'Page' } }), /needs a title/],
    ['a title in Chinese only', route({ title: { 'zh-CN': '页' } }), /needs a title/],
    ['a description that is no text', route({ description: {} }), /not a text/],
    ['a kind that is no word', route({ kind: 'Product page' }), /has a kind/],
    ['a kind with too many characters', route({ kind: 'a'.repeat(41) }), /has a kind/],
    ['parameters that are no texts', route({ parameters: { size: 'of the picture', id: 7 } }), /has parameters/],
    ['parameters without names', route({ parameters: ['id'] }), /has parameters/],
    ['a call outside the API', route({ firstCalls: [{ url: 'https://evil.example/api/' }] }), /start with \/api\//],
    ['a call without an address', route({ firstCalls: [{}] }), /first call "" of/],
    ['a call that is no object', route({ firstCalls: [null] }), /first call "" of/],
    ['a call with a parameter of no path', route({ firstCalls: [{ url: '/api/:key' }] }), /only parameters of/],
    ['a call with two parameters', route({ path: '/:id', firstCalls: [{ url: '/api/:id/:key2' }] }), /only parameters/],
    ['a call with part of a parameter', route({ path: '/:id2', firstCalls: [{ url: '/api/:id' }] }), /only parameters/],
    ['first calls that are no list', route({ firstCalls: {} }), /must list its first calls/],
    ['tabs that are no list', remote({ tabBar: entry }), /tabBar must list/],
    ['a tab that is no object', remote({ tabBar: [entry, '/goods'] }), /tabBar must list/],
    ['an entry in English only', remote({ drawer: [{ ...entry, label: { en: 'Page' } }] }), /drawer must list/],
    ['an entry without a picture', remote({ drawer: [{ ...entry, icon: 7 }] }), /drawer must list/],
    ['an entry without an order', remote({ drawer: [entry, { ...entry, order: '1' }] }), /drawer must list/],
    ['an entry without a path', remote({ drawer: [{ ...entry, path: null }] }), /drawer must list/],
    ['an entry that leads out by a backslash', tab({ path: '/\\evil.example' }), /a path of the site/],
    ['an entry that leads out after a space', tab({ path: ' //evil.example' }), /a path of the site/],
    ['links that are no names', remote({ links: ['/home'] }), /links must name/],
    ['a link to a path that is no route', remote({ links: { home: '/home', all: '/goods-:id' } }), /links must name/],
    ['a link that is no text', remote({ links: { home: 7 } }), /links must name/],
    ['steps that are no list', remote({ steps: {} }), /steps must list/],
    ['a step that is no object', remote({ steps: [{ from: 'price', to: 'order' }, 'price'] }), /steps must list/],
    ['a step whose target is not a word', steps({ to: 'Order' }), /steps must list/],
    ['a step with an invalid last character', steps({ to: 'order!' }), /steps must list/],
    ['a bound of zero', steps({ bound: 0 }), /steps must list/],
    ['a bound that is no number', steps({ bound: '0.3' }), /steps must list/],
    ['a dry run that is not a boolean', steps({ dryRun: 'yes' }), /steps must list/],
    ['a tab that leads to another site', tab({ path: '//evil.example' }), /a path of the site/],
    ['a step to itself', steps({ to: 'price' }), /steps must list/],
    ['a step whose source is not a word', steps({ from: 'a>b' }), /steps must list/],
    ['a step with another property', steps({ direction: 'rises' }), /steps must list/],
    ['a bound of one', steps({ bound: 1 }), /steps must list/],
    ['a tab that leads to a script', tab({ path: 'javascript:alert(1)' }), /a path of the site/],
    ['flows that are no list', has({ flows: {} }), /must be a list/],
    ['a flow without a name', flows({ ...flow, name: '' }), /needs a name/],
    ['two flows of one name', flows(flow, flow), /"buys" is defined twice/],
    ['a flow of another visitor', flows({ ...flow, visitor: 'admin' }), /needs a visitor/],
    ['a flow on a route of another remote', flows({ ...flow, route: '/order' }), /"\/order", which is not a route/],
    ['a flow at an address of another site', flows({ ...flow, address: '//evil.example' }), /does not start with \//],
    ['a flow without steps', flows({ ...flow, steps: [] }), /needs steps/],
    ['a flow with an unknown step', flows({ ...flow, steps: [{ run: 'x' }] }), /needs steps/],
    ['a flow with two actions in a step', flows({ ...flow, steps: [{ read: 'x', press: 'button' }] }), /needs steps/],
  ])('manifestFaults refuses %s', (_, change, fault) => {
    const manifest = manifestOf();
    change(manifest);
    expect(manifestFaults(manifest).join('; ')).toMatch(fault);
  });

  function rename(manifest: ReleaseManifest, from: string, to: string): void {
    const renamed = JSON.parse(JSON.stringify(manifest).replaceAll(`"${from}"`, JSON.stringify(to)));
    Object.assign(manifest, renamed);
  }

  it('manifestFaults refuses a shell with the contract of a remote, but not with a flow on any route', () => {
    const flows = [{ ...flow, route: '/elsewhere' }];
    const shell = { ...manifestOf({ name: 'shell', flows }), remote: home };
    expect(manifestFaults(shell)).toEqual(['the shell has no contract of a remote']);
  });

  it('manifestFaults accepts a container that begins with the name', () => {
    for (const container of ['catalog', 'catalog_3f9c2ab1', 'mfe_catalog_1_0_0'])
      expect(manifestFaults({ ...manifestOf(), container })).toEqual([]);
  });
});

it('the gate does not stop a rollback to a release that was live before the rule existed', async () => {
  const earlier = await publishLive(store);
  await publishLive(store, { text: 'two' });
  const key = `r/catalog/${earlier}/release.json`;
  const manifest = JSON.parse(String(await store.blobs.get(key)));
  manifest.remote.routes[0].title = 7;
  await store.blobs.put(key, Buffer.from(JSON.stringify(manifest)));
  expect(await rollback(store, { ...by, name: 'catalog' })).toMatchObject({ outcome: 'rolled back', to: earlier });
});

describe('overlapping routes', () => {
  const routes = (...paths: string[]): RouteContract[] =>
    paths.map((path) => ({ path, page: './main', module: '', title: 'x' }));
  const orders = (...paths: string[]): Sample => ({ name: 'orders', routes: routes(...paths), text: paths.join() });

  beforeEach(async () => {
    await publishLive(store, { name: 'shell' });
    await publishLive(store);
  });

  it.each([
    ['/goods/1', '/goods/:id, which is claimed by catalog'],
    ['/', '/, which is claimed by shell'],
    ['/404', '/404, which is claimed by shell'],
    ['/admin/:page?', '/admin/*, which is claimed by the server'],
    ['/api/health', '/api/*, which is claimed by the server'],
  ])(
    'the gate refuses route %s, which could match an address of another release, and names both',
    async (path, other) => {
      const { routes } = await failedChecks(orders('/orders', path));
      expect(routes).toContain(`${path} of orders matches addresses of ${other}`);
      expect(routes).not.toContain('/orders of orders');
    },
  );

  it.each(['/goods/%31', '/goods/../home', '/goods-:id'])(
    'the gate refuses route %s, which is not a pattern',
    async (path) => {
      expect(await failedChecks(orders('/orders', path))).toHaveProperty('manifest', expect.stringContaining(path));
    },
  );

  it('routes of the same release may overlap, and their ranks decide', async () => {
    expect(await failedChecks(orders('/orders', '/orders/:id', '/orders/new', '/orders/*'))).toEqual({});
    expect(await failedChecks(orders('/orders/:id', '/orders/:key'))).toEqual({
      routes: '/orders/:key is defined twice',
    });
  });

  it('the gate compares routes with those of a canary too', async () => {
    await publishLive(store, orders('/bills', '/bills/:id'), 1);
    const checks = await failedChecks({ name: 'content', routes: routes('/bills/7') });
    expect(checks).toEqual({
      routes: '/bills/7 of content matches addresses of /bills/:id, which is claimed by orders',
    });
  });

  it('the gate compares routes of releases that are promoted together', async () => {
    const bills = await publishSample(store, orders('/bills/:id'));
    const content = await publishSample(store, { name: 'content', routes: routes('/bills/*') });
    const releases = [
      { name: 'orders', version: bills },
      { name: 'content', version: content },
    ];
    await expect(promoteTogether(store, { ...by, releases })).rejects.toThrow(
      '/bills/:id of orders matches addresses of /bills/*, which is claimed by content',
    );
  });
});
