/**
 * An external squad releases through the release API of a shop, with the packed packages as it installs them. Keys and the effects
 * of a release are tested in backoffice/api, platform/watch and scripts/release.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Outside, type OutsideRemote, packOutside } from '@platform/build/testing/outside-remote';
import type { ReleaseManifest } from '@platform/releases';
import { commandsIn } from '../../scripts/documented-commands';
import { pack } from '../../scripts/pack';
import { isMarkedDocument, markDocument } from './navigation';
import { root, type Shop } from './shop';
import { expect, startOwnShop, test } from './test';

test.describe.configure({ mode: 'serial' });

const documented = commandsIn(readFileSync(path.join(root, 'docs/guides/external-remotes.md'), 'utf8'));
let outside: Outside;
let shop: Shop;
let gifts: OutsideRemote;
/** The environment of the squad's shell. Its only access to the shop is the API. */
let env: NodeJS.ProcessEnv;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  const starting = startOwnShop();
  outside = await packOutside({ pack, creator: 'create-shop-remote' });
  env = {
    DATA_DIR: '',
    RELEASE_STORE: '',
    // Playwright sets it for a terminal.
    FORCE_COLOR: undefined,
  };
  gifts = await outside.make('gifts', typed('npm create'), env);
  shop = await starting;
});
test.afterAll(async () => {
  outside?.remove();
  await shop?.stop();
});

function typed(start: string): string {
  const line = documented.find((command) => command.startsWith(start));
  if (!line) throw new Error(`docs/guides/external-remotes.md has no ${start}`);
  return line.replaceAll('https://npm.example', outside.registry).replace(/(?<= )\/packages\b/g, outside.packages);
}

const built = (): ReleaseManifest => JSON.parse(readFileSync(path.join(gifts.folder, 'dist/release.json'), 'utf8'));

async function visitorsOf(page: string, base: string, visitors: readonly number[]): Promise<number[]> {
  const served = visitors.map(async (visitor) => {
    const document = await fetch(`${shop.url}${page}`, { headers: { cookie: `visitor=${visitor}` } });
    return new RegExp(`<link[^>]* href="${base}`).test(await document.text());
  });
  const isServed = await Promise.all(served);
  return visitors.filter((_, index) => isServed[index]);
}

test('packages contain declarations with maps to their sources, no test, and no path of this checkout', () => {
  const modules = path.join(gifts.folder, 'node_modules/@shop');
  const map = path.join(modules, 'shared/types/ui/button.d.ts.map');
  const [source = ''] = (JSON.parse(readFileSync(map, 'utf8')) as { sources: string[] }).sources;
  const original = path.resolve(path.dirname(map), source);
  expect(original).toBe(path.join(modules, 'shared/src/ui/button.tsx'));
  expect(readFileSync(original, 'utf8')).toContain('export');
  for (const scope of [modules, path.join(gifts.folder, 'node_modules/@platform')])
    for (const name of readdirSync(scope)) {
      const files = readdirSync(path.join(scope, name), { recursive: true, encoding: 'utf8' });
      expect(files.filter((file) => /\.test\.tsx?$/.test(file))).toEqual([]);
      const texts = files.filter((file) => /\.(map|json|d\.ts)$/.test(file));
      const leaking = texts.filter((file) => readFileSync(path.join(scope, name, file), 'utf8').includes(root));
      expect([name, leaking]).toEqual([name, []]);
      expect([name, files.includes('README.md')]).toEqual([name, true]);
    }
});

test('a remote with an invalid or taken name is refused with a clear message', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'squad-'));
  const messageOf = (...args: string[]) => {
    try {
      execFileSync(process.execPath, [outside.create, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
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

test('without a registry, a created remote names the packed file of each package that it and its dependencies need', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'squad-'));
  execFileSync('sh', ['-c', typed('node ')], { cwd: folder, stdio: 'pipe' });
  const manifestAt = (...parts: string[]) => JSON.parse(readFileSync(path.join(...parts, 'package.json'), 'utf8'));
  const workspacePackage = /^@(shop|platform)\//;
  const { dependencies, devDependencies } = manifestAt(folder, 'gifts');
  const named = { ...dependencies, ...devDependencies };
  const needed = Object.keys(named).filter((name) => workspacePackage.test(name));
  expect(needed).toContain('@shop/tools');
  for (const name of needed) {
    const needs = Object.keys(manifestAt(gifts.folder, 'node_modules', name).dependencies ?? {});
    for (const needed of [name, ...needs].filter((each) => workspacePackage.test(each))) {
      const [, file = ''] = /^file:(.+)$/.exec(named[needed]) ?? [];
      expect([needed, existsSync(path.join(folder, 'gifts', file))]).toEqual([needed, file !== '']);
      expect(file).toMatch(/\.tgz$/);
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

/** It is built without this project's build code. The other direction is scripts/release/stock-host.test.ts. */
test('a remote built by the official plugin with its defaults is published, gated and shown in the shop', async ({
  openTab,
}, info) => {
  const output = info.outputPath('build');
  const build = path.join(root, 'scripts/release/testing/stock-remote.cjs');
  execFileSync(process.execPath, [build, output, 'promo_first'], { stdio: 'pipe' });
  const [{ version }] = (await shop.release(['publish', 'promo', '--from', output])) as [{ version: string }];
  await shop.release(['promote', `promo@${version}`]);

  const { page } = await openTab({ url: shop.url, language: 'en' });
  await page.goto('/promo');
  await expect(page.getByText('Language: en')).toBeVisible();
  await page.getByRole('button', { name: 'Pressed 0' }).click();
  await expect(page.getByRole('button', { name: 'Pressed 1' })).toBeVisible();
  // A link of the remote uses the shell's router, so the document stays.
  await markDocument(page);
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await expect(page).toHaveURL(/\/home$/);
  expect(await isMarkedDocument(page)).toBe(true);
});

test('an external squad gets types of all its imports, and the documented commands test, build, gate and show its first release', async ({
  openTab,
}) => {
  let giftsOne: string;
  const args = ['keys', 'make', '--name', 'gifts CI', '--role', 'squad', '--remotes', 'gifts'];
  const { key } = (await shop.release(args)) as { key: string };

  await test.step('a made remote has types of all that it imports, and a wrong call is found', async () => {
    expect(realpathSync(path.join(gifts.folder, 'node_modules/react'))).toContain(gifts.folder);
    const wrong = path.join(gifts.folder, 'src/wrong.ts');
    writeFileSync(wrong, `import { get } from '@shop/shared/http';\nget('/api/none');\n`);
    const faults = gifts
      .node('typescript/bin/tsc', '--noEmit', '--pretty', 'false')
      .catch((error: Error) => error.message);
    const files = [...String(await faults).matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, file]) => file);
    expect([...new Set(files)]).toEqual(['src/wrong.ts']);
    rmSync(wrong);
  });

  await test.step('the commands of the document lead to a tenth of the visitors and back', async () => {
    const first = documented.indexOf('cd gifts') + 1;
    const day = documented.slice(first, documented.indexOf('npm run release -- rollback gifts', first));
    expect(day).toContain('npm run release -- promote gifts --traffic 10');
    // The remote is installed already; dev is tested by scripts/dev.test.ts and e2e/src/fast-refresh.test.ts.
    for (const line of day.filter((command) => !/^npm (install|run dev)\b/.test(command))) {
      const [, name = '', value = ''] = /^export (\w+)=(.+)$/.exec(line) ?? [];
      if (name) env[name] = { 'https://shop.example': shop.url, '<key>': key }[value];
      else await gifts.type(line);
    }
    giftsOne = built().version;
    expect(await visitorsOf('/gifts', `/r/gifts/${giftsOne}/`, [5, 15, 95])).toEqual([5]);
    await gifts.type(typed('npm run release -- rollback gifts'));
    expect(await visitorsOf('/gifts', `/r/gifts/${giftsOne}/`, [5, 15, 95])).toEqual([]);
  });

  await test.step('its release goes to everybody', async () => {
    const promoted = await gifts.node(
      '@shop/tools/scripts/bin/shop-release.mjs',
      'promote',
      `gifts@${giftsOne}`,
      '--json',
    );
    expect(JSON.parse(promoted)).toMatchObject([{ outcome: 'promoted' }]);
    const { remote, flows, singletons, files } = built();
    expect([remote?.routes[0]?.path, flows?.[0]?.route]).toEqual(['/gifts', '/gifts']);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['remoteEntry.js', 'server/main.js']));
    const { entryPoints } = JSON.parse(readFileSync(path.join(root, 'shared/package.json'), 'utf8'));
    expect(singletons.needs).toMatchObject({ '@shop/shared/ui': `^${entryPoints.ui}` });
    expect(singletons.needs).not.toHaveProperty('@shop/shared/money');
  });

  const { page } = await openTab({ url: shop.url, language: 'en' });
  await page.goto('/gifts');
  await expect(page.getByText('This is a new page.')).toBeVisible();
});
