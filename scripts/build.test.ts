import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ReleaseManifest } from '@platform/releases';
import { configurationDocument } from './configuration';
import { project } from './project';

const root = path.resolve(__dirname, '..');
const run = promisify(execFile);

async function build(checkout: string, names: string[], { cwd = '.', env = {} } = {}): Promise<void> {
  const args = ['--import', 'tsx', path.join(checkout, 'scripts/release.ts'), 'build', ...names];
  await run(process.execPath, args, { cwd: path.join(checkout, cwd), env: { ...process.env, ...env } });
}

const releaseOf = (folder: string, checkout = root): ReleaseManifest =>
  JSON.parse(readFileSync(path.join(checkout, folder, 'dist/release.json'), 'utf8'));

const settings = [...configurationDocument().matchAll(/^\| `([A-Z][A-Z0-9_]+)` /gm)].map(([, name = '']) => name);

function link(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (ofOthers.includes(entry.name)) continue;
    if (entry.isDirectory()) link(source, target);
    else if (entry.isFile()) linkSync(source, target);
    else symlinkSync(readlinkSync(source), target);
  }
}

/** Packages that only other workspaces need, so a squad's sparse checkout lacks them. */
const ofOthers = ['.cache', '@axe-core', '@electric-sql', 'pg'];

/** The files that the build of these workspaces needs, at another path, which is deeper and contains a space. */
function otherCheckout(names: string[]): string {
  // Hard links need the same disk.
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const checkout = mkdtempSync(path.join(root, '.cache/other checkout '));
  const parts = [
    'package.json',
    'package-lock.json',
    'rspack.base.js',
    'scripts',
    'shared',
    'platform',
    'server/src/generated',
    'server/package.json',
    ...names,
  ];
  for (const part of parts) {
    const filter = (file: string) => !/^(node_modules|dist)$/.test(path.basename(file));
    cpSync(path.join(root, part), path.join(checkout, part), { recursive: true, filter });
  }
  link(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'));
  return checkout;
}

const all = Object.values(project.folders);
const twice = process.env.TEST_FULL ? all : ['shell', 'mfe-content'];
const canary = 'canary-8f2c61d0';
let other: string;

beforeAll(async () => {
  other = otherCheckout(twice);
  const secrets = Object.fromEntries(settings.map((name) => [name, `${canary}-${name}`]));
  const others = {
    NODE_ENV: 'development',
    MF_BUILD_VERSION: '9.9.9',
    TZ: 'Asia/Shanghai',
    LANG: 'C',
    HOME: tmpdir(),
  };
  await Promise.all([build(root, all), build(other, twice, { env: { ...secrets, ...others }, cwd: 'mfe-content' })]);
});
afterAll(() => rmSync(other, { recursive: true, force: true }));

it.each(twice)('a build of %s has the same version and the same bytes in another folder and environment', (folder) => {
  const [here = '', there = ''] = [root, other].map((checkout) => path.join(checkout, folder, 'dist'));
  const files = readdirSync(here, { recursive: true, encoding: 'utf8' }).sort();
  expect(readdirSync(there, { recursive: true, encoding: 'utf8' }).sort()).toEqual(files);
  expect(files).toEqual(expect.arrayContaining(['release.json', 'mf-manifest.json', 'server/main.js']));
  for (const file of files.filter((name) => path.extname(name))) {
    const isSame = readFileSync(path.join(there, file)).equals(readFileSync(path.join(here, file)));
    expect([file, isSame]).toEqual([file, true]);
  }
  expect(releaseOf(folder).version).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{8}$/);
});

// Without `splitChunks` of the recipe, modules that import a singleton get chunks without a file, in an order that changes from
// build to build.
it.each(all.filter((folder) => folder !== 'shell'))(
  'a build of %s has a file for each chunk that its pages load',
  (folder) => {
    const server = path.join(root, folder, 'dist/server');
    const entry = readFileSync(path.join(server, 'main.js'), 'utf8');
    const names = new Map([...entry.matchAll(/(\d+):"([\w-]+)"/g)].map(([, id, name]) => [id, name]));
    const loaded = [...entry.matchAll(/__webpack_require__\.e\((\d+)\)/g)].map(([, id]) => `${names.get(id) ?? id}.js`);
    expect(loaded.length).toBeGreaterThan(1);
    expect(loaded.filter((file) => !existsSync(path.join(server, file)))).toEqual([]);
  },
);

it.each(all)(
  'a build of %s has source maps of its scripts, with its own sources only, apart from the files for browsers',
  (folder) => {
    const dist = path.join(root, folder, 'dist');
    const { files } = releaseOf(folder);
    const scripts = Object.keys(files).filter((file) => file.endsWith('.js') && !file.startsWith('server/'));
    const maps = Object.keys(files).filter((file) => file.endsWith('.map') && !file.startsWith('server/'));
    expect([scripts.length > 0, maps]).toEqual([true, []]);
    const sources = new Set<string>();
    for (const script of scripts) {
      expect(readFileSync(path.join(dist, script), 'utf8')).not.toContain('sourceMappingURL');
      const json = readFileSync(path.join(dist, `server/browser/${script}.map`), 'utf8');
      const payload = JSON.parse(json) as SourceMapPayload;
      expect(payload.sourcesContent ?? []).toEqual([]);
      const map = new SourceMap(payload);
      for (const column of Array.from({ length: 200 }, (_, index) => index * 97)) {
        const entry = map.findEntry(0, column);
        if ('originalSource' in entry && entry.originalSource) sources.add(entry.originalSource);
      }
    }
    expect(sources.size).toBeGreaterThan(0);
    for (const source of sources) expect([source, existsSync(path.join(root, folder, source))]).toEqual([source, true]);
  },
);

it('the builds list the pages that they link to and the calls that they use', () => {
  const usesOf = (folder: string) => releaseOf(folder).uses;
  const links = { '/order/detail/:id': { remote: 'orders' }, '/goods': { remote: 'catalog' } };
  expect(usesOf('mfe-catalog')?.links).toMatchObject(links);
  expect(usesOf('mfe-orders')?.calls).toContain('GET /api/front/order/info');
  expect(usesOf('mfe-account')?.calls).toEqual(
    expect.arrayContaining(['GET /api/front/user/balanceLog', 'POST /api/front/recharge/create']),
  );
  expect(usesOf('shell')?.calls).toContain('GET /api/front/user/info');
  expect(all.filter((folder) => Object.keys(usesOf(folder)?.links ?? {}).length === 0)).toEqual([]);
});

it('a build contains nothing of the environment, including the server’s secrets', () => {
  expect(settings).toEqual(expect.arrayContaining(['APP_SECRET', 'CARD_KEYS', 'METRICS_TOKEN']));
  const folders = [...all.map((name) => path.join(root, name)), ...twice.map((name) => path.join(other, name))];
  for (const folder of folders) {
    const dist = path.join(folder, 'dist');
    const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
    const files = names.filter((file) => /\.(js|css|json|html|svg)$/.test(file));
    expect(files.length).toBeGreaterThan(2);
    const telling = files.filter((file) => {
      const text = readFileSync(path.join(dist, file), 'utf8');
      return [canary, root, other].some((one) => text.includes(one)) || /-----BEGIN [A-Z ]*PRIVATE KEY/.test(text);
    });
    expect(telling).toEqual([]);
  }
});

it('the version of a build changes with the version of an entry point that it uses, and of no other', async () => {
  const manifest = path.join(other, 'shared/package.json');
  const shared = JSON.parse(readFileSync(manifest, 'utf8')) as { entryPoints: Record<string, string> };
  const builtWith = async (versions: Record<string, string>) => {
    const entryPoints = { ...shared.entryPoints, ...versions };
    writeFileSync(manifest, JSON.stringify({ ...shared, entryPoints }));
    await build(other, ['mfe-content']);
    const { version, singletons } = releaseOf('mfe-content', other);
    return { version, needs: singletons.needs };
  };
  const before = await builtWith({});
  expect(before.needs).not.toHaveProperty('@shop/shared/money');
  expect(await builtWith({ money: '99.0.0' })).toEqual(before);
  const after = await builtWith({ forms: '99.0.0' });
  expect(after.needs).toEqual({ ...before.needs, '@shop/shared/forms': '^99.0.0' });
  expect(after.version).not.toBe(before.version);
});

it('build refuses packages other than the lockfile’s, which would give another release', async () => {
  const manifest = path.join(other, 'node_modules/css-loader/package.json');
  const content = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  rmSync(manifest);
  writeFileSync(manifest, JSON.stringify({ ...content, version: '7.0.0' }));
  await expect(build(other, ['mfe-content'])).rejects.toThrow(
    `node_modules differs from package-lock.json (node_modules/css-loader is 7.0.0, not ${content.version}). Run: npm ci`,
  );
});
