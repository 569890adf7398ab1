import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore, runAction, type Store } from '@platform/releases';
import { publishLive, scratch } from '@platform/releases/testing';
import { until } from '../../../../scripts/jest/until';
import { ReleaseSets } from './release-sets';

const built = (text: string) => ({
  more: { 'server/main.js': `// ${text}`, 'server/page.js': '', 'server/main.js.map': '{}' },
});
let place: string;
let store: Store;
let sets: ReleaseSets;

beforeEach(async () => {
  place = await scratch();
  store = openStore({ place });
  sets = new ReleaseSets(store);
  await publishLive(store, { name: 'shell', ...built('shell') });
});
afterEach(() => sets.close());

const live = () => store.readMap();

it('the server builds of a visitor’s releases are written to disk once, without their source maps', async () => {
  const version = await publishLive(store, { name: 'catalog', ...built('one') });
  const set = await sets.forVisitor(await live(), null);
  const directory = set?.remotes.catalog?.directory ?? '';
  expect(set?.remotes.catalog?.version).toBe(version);
  expect(await readFile(join(directory, 'server/main.js'), 'utf8')).toBe('// one');
  await expect(stat(join(directory, 'server/main.js.map'))).rejects.toThrow('ENOENT');
  expect((await sets.forVisitor(await live(), null))?.remotes.catalog?.directory).toBe(directory);
});

it('visitors of a canary get another set, whose map offers only that release', async () => {
  const first = await publishLive(store, { name: 'catalog', ...built('one') });
  const second = await publishLive(store, { name: 'catalog', text: 'two', ...built('two') }, 10);
  const [canary, stable] = [await sets.forVisitor(await live(), 5), await sets.forVisitor(await live(), 50)];
  expect(canary?.id).not.toBe(stable?.id);
  const offered = (set: typeof canary) => set?.map.microFrontends.catalog?.map(({ metadata }) => metadata.version);
  expect([offered(canary), offered(stable)]).toEqual([[second], [first]]);
  expect(canary?.remotes.catalog?.version).toBe(second);
});

it('a set leaves out a remote without a server build or with its rendering off, and there is no set without the shell', async () => {
  const set = async () => sets.forVisitor(await live(), null);
  const server = { routes: [], calls: [] };
  const render = (state: 'off' | 'on', name: string) =>
    runAction(store, { action: `render-${state}`, name }, { by: 'ann', why: 'wrong prices', server });
  await publishLive(store, { name: 'catalog' });
  expect(await set()).toMatchObject({ remotes: {} });
  await publishLive(store, { name: 'catalog', text: 'built', ...built('one') });
  expect(await set()).toMatchObject({ remotes: { catalog: {} } });
  await render('off', 'catalog');
  expect(await set()).toMatchObject({ remotes: {} });
  await render('on', 'catalog');
  expect(await set()).toMatchObject({ remotes: { catalog: {} } });
  await render('off', 'shell');
  expect(await set()).toBeUndefined();
  await render('on', 'shell');
  await publishLive(store, { name: 'shell', text: 'browser only' });
  expect(await set()).toBeUndefined();
});

it('a file that differs from the published one is not used', async () => {
  const version = await publishLive(store, { name: 'catalog', ...built('one') });
  await writeFile(join(place, 'r/catalog', version, 'server/main.js'), '// another');
  await expect(sets.forVisitor(await live(), null)).rejects.toThrow(
    `server/main.js of catalog@${version} is missing in the store or damaged`,
  );
});

it('the least recently used server builds are removed from disk beyond the limit', async () => {
  const few = new ReleaseSets(store, undefined, 2);
  const directories: string[] = [];
  for (const text of ['one', 'two']) {
    await publishLive(store, { name: 'catalog', text, ...built(text) });
    directories.push((await few.forVisitor(await live(), null))?.remotes.catalog?.directory ?? '');
  }
  await until('the first build to be gone', async () => !existsSync(directories[0] ?? ''));
  expect(existsSync(directories[1] ?? '')).toBe(true);
  await few.close();
});

it('the folder of server builds is removed on close', async () => {
  const set = await sets.forVisitor(await live(), null);
  await sets.close();
  await expect(stat(set?.shell.directory ?? '')).rejects.toThrow('ENOENT');
});

it('the first set removes the folders of killed servers of this host, and no others', async () => {
  const parent = await scratch();
  const first = new ReleaseSets(store, parent);
  await first.forVisitor(await live(), null);
  const [ownFolder = ''] = await readdir(parent);
  const ended = spawn(process.execPath, ['--version']);
  await once(ended, 'close');
  const folderOf = (id: number | undefined) => ownFolder.replace(/-\d+-\w+$/, `-${id}-abcdef`);
  const dead = [folderOf(ended.pid), folderOf(process.pid)];
  const kept = [ownFolder, folderOf(process.ppid), 'renderer-00000000-1-abcdef', 'shop-store'];
  for (const name of [...dead, ...kept]) await mkdir(join(parent, name), { recursive: true });
  const second = new ReleaseSets(store, parent);
  await second.forVisitor(await live(), null);
  const names = await readdir(parent);
  expect(names).toEqual(expect.arrayContaining(kept));
  expect(names.filter((name) => dead.includes(name))).toEqual([]);
  await first.close();
  await second.close();
});
