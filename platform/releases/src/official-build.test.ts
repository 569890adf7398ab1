import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeOfficialBuild } from './official-build';
import { publish } from './publish';
import { openStore } from './store/store';
import { scratch } from './testing/fixture';

let folder: string;
beforeEach(async () => {
  folder = await scratch();
});

const assets = (js: string[], css: string[]) => ({ js: { sync: js, async: [] }, css: { sync: css, async: [] } });

const manifest = (globalName: string, type = 'var') => ({
  id: globalName,
  metaData: { globalName, buildInfo: { buildVersion: '2.1.0' }, remoteEntry: { name: 'remoteEntry.js', type } },
  shared: [
    { name: 'react-dom', singleton: true, requiredVersion: '^19.0.0' },
    { name: 'i18next', singleton: true, requiredVersion: '^25.0.0' },
    { name: 'react', singleton: true, requiredVersion: '^19.0.0' },
    { name: 'lodash', singleton: false, requiredVersion: '^4.0.0' },
  ],
  exposes: [{ path: './promo', assets: assets(['promo.js', 'common.js'], ['promo.css', 'common.css']) }],
});

const contract = {
  name: 'promo',
  contract: 1,
  routes: [{ path: '/promo', page: './promo', module: './src/promo-page.tsx', title: 'Promotion' }],
};

async function build(container: string, text = 'one', type?: string): Promise<string> {
  const dist = join(folder, `${container}-${text}`);
  await mkdir(dist);
  const files = {
    'mf-manifest.json': JSON.stringify(manifest(container, type)),
    'remote.json': JSON.stringify(contract),
    'remoteEntry.js': `var ${container};`,
    'promo.js': text,
    'promo.css': '.promo{}',
    'common.js': '',
    'common.css': '',
    'assets/cover.broad.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'promo.js.br': '',
    'promo.js.gz': '',
  };
  await mkdir(join(dist, 'assets'));
  for (const [file, content] of Object.entries(files)) await writeFile(join(dist, file), content);
  return dist;
}

it('describeOfficialBuild returns version, pages, singletons and container of a build', async () => {
  const described = await describeOfficialBuild(await build('promo_a'));
  expect(described).toMatchObject({
    name: 'promo',
    version: expect.stringMatching(/^2\.1\.0-[0-9a-f]{8}$/),
    entry: 'remoteEntry.js',
    exposes: { './promo': { js: ['common.js', 'promo.js'], css: ['common.css', 'promo.css'] } },
    initial: { js: ['remoteEntry.js'], css: [] },
    singletons: { provides: {} },
    container: 'promo_a',
  });
  expect(Object.entries(described.singletons.needs)).toEqual([
    ['i18next', '^25.0.0'],
    ['react', '^19.0.0'],
    ['react-dom', '^19.0.0'],
  ]);
  expect(Object.keys(described.files)).toEqual([
    'assets/cover.broad.svg',
    'common.css',
    'common.js',
    'mf-manifest.json',
    'promo.css',
    'promo.js',
    'remote.json',
    'remoteEntry.js',
  ]);
});

it('describeOfficialBuild gives the same files the same version, and other files another version', async () => {
  const first = await describeOfficialBuild(await build('promo_a'));
  await rm(join(folder, 'promo_a-one'), { recursive: true });
  expect((await describeOfficialBuild(await build('promo_a'))).version).toBe(first.version);
  expect((await describeOfficialBuild(await build('promo_a', 'two'))).version).not.toBe(first.version);
});

it('publish accepts a build of the official plugin, and refuses it under a container name of an earlier release', async () => {
  const store = openStore({ place: join(folder, 'store') });
  const by = 'a squad';
  const first = await build('promo_a');
  expect(await publish(store, { dist: first, by })).toMatchObject({ name: 'promo', outcome: 'published' });
  expect(await publish(store, { dist: first, by })).toMatchObject({ outcome: 'already there' });
  await expect(publish(store, { dist: await build('promo_a', 'two'), by })).rejects.toThrow(
    /has the same container name "promo_a"/,
  );
  expect(await publish(store, { dist: await build('promo_b', 'two'), by })).toMatchObject({ outcome: 'published' });
});

it('describeOfficialBuild refuses a build whose container is not a script with a global', async () => {
  await expect(describeOfficialBuild(await build('promo_a', 'one', 'module'))).rejects.toThrow(/"module"/);
});

it('describeOfficialBuild refuses a build with missing or damaged descriptions', async () => {
  const dist = await build('promo_a');
  await writeFile(join(dist, 'mf-manifest.json'), '{');
  await expect(describeOfficialBuild(dist)).rejects.toThrow(/mf-manifest\.json is not JSON/);
  await rm(join(dist, 'mf-manifest.json'));
  await expect(describeOfficialBuild(dist)).rejects.toThrow(/mf-manifest\.json is missing/);
});
