/** A remote outside this repository, with the platform's packages as they are packed. The whole way from there: e2e/src/outside.test.ts. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ReleaseManifest } from '@shop/release';
import { root } from './declarations';
import { makeOutsideRemote, type OutsideRemote } from './outside-remote';

let remote: OutsideRemote;
const inModules = (file: string) => path.join(remote.folder, 'node_modules', file);

beforeAll(async () => {
  remote = await makeOutsideRemote('gifts', { install: 'links' });
}, 120_000);
afterAll(() => remote?.remove());

it('has types of all that it imports, and its own tests pass', async () => {
  await remote.node('@typescript/native/bin/tsc', '--noEmit');
  writeFileSync(
    path.join(remote.folder, 'src/wrong.ts'),
    `import { get } from '@shop/shared/http';\nget('/api/none');\n`,
  );
  await expect(remote.node('@typescript/native/bin/tsc', '--noEmit')).rejects.toThrow(/src\/wrong\.ts\(2,5\)/);
  rmSync(path.join(remote.folder, 'src/wrong.ts'));
  await remote.node('jest/bin/jest.js');
});

it('is built into a release that names the entry points it takes and their versions', async () => {
  await remote.node('@shop/tools/scripts/bin/shop-release.mjs', 'build');
  const file = path.join(remote.folder, 'dist/release.json');
  const {
    name,
    remote: contract,
    flows,
    singletons,
    files,
  } = JSON.parse(readFileSync(file, 'utf8')) as ReleaseManifest;
  expect({ name, path: contract?.routes[0]?.path, flow: flows?.[0]?.route }).toEqual({
    name: 'gifts',
    path: '/gifts',
    flow: '/gifts',
  });
  const { entryPoints } = JSON.parse(readFileSync(path.join(root, 'shared/package.json'), 'utf8'));
  expect(singletons.needs).toMatchObject({ '@shop/shared/ui': `^${entryPoints.ui}` });
  expect(singletons.needs).not.toHaveProperty('@shop/shared/forms');
  expect(Object.keys(files)).toEqual(expect.arrayContaining(['remoteEntry.js', 'server/main.js']));
});

it('has declarations whose maps lead to the source in the package', () => {
  const map = inModules('@shop/shared/types/ui/button.d.ts.map');
  const [source = ''] = (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources;
  expect(path.resolve(path.dirname(map), source)).toBe(inModules('@shop/shared/src/ui/button.tsx'));
  expect(existsSync(inModules('@shop/shared/src/ui/button.tsx'))).toBe(true);
});

it('finds no test and nothing of this checkout in the packages', () => {
  for (const name of readdirSync(inModules('@shop'))) {
    const files = readdirSync(inModules(`@shop/${name}`), { recursive: true, encoding: 'utf8' });
    expect(files.filter((file) => /\.test\.tsx?$/.test(file))).toEqual([]);
    const texts = files.filter((file) => /\.(map|json|d\.ts)$/.test(file));
    const telling = texts.filter((file) => readFileSync(inModules(`@shop/${name}/${file}`), 'utf8').includes(root));
    expect([name, telling]).toEqual([name, []]);
  }
});

it('is refused with a clear message where its name is none or is taken', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'squad-'));
  const create = path.resolve(remote.folder, '../create/create.mjs');
  const messageOf = (...args: string[]) => {
    try {
      execFileSync(process.execPath, [create, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
      return '';
    } catch (error) {
      return (error as { stderr: string }).stderr;
    }
  };
  expect(messageOf('My Gifts')).toBe('"My Gifts" is not a short lower-case word such as gifts\n');
  expect(messageOf('gifts', '--packages', 'none')).toMatch(
    /none\/shop-shared-\S+\.tgz does not exist: run npm run pack/,
  );
  expect(readdirSync(folder)).toEqual([]);
  expect(messageOf('gifts')).toBe('');
  expect(messageOf('gifts')).toMatch(/gifts exists already\n$/);
  rmSync(folder, { recursive: true, force: true });
});
