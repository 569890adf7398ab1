/**
 * Squads outside this repository, over the release API of a shop on https. A push has one squad release once, with the packed packages
 * as it installs them; a full run goes on to the day of two squads and ops, whose acts have their tests in backoffice/api, platform/watch
 * and scripts/release.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Outside, packOutside } from '@platform/build/testing/outside-remote';
import type { Revision, Status } from '@platform/releases';
import { type APIRequestContext, request } from '@playwright/test';
import { commandsIn } from '../../scripts/documented-commands';
import { pack } from '../../scripts/pack';
import { flushReports } from './fault-proxy';
import { type Forge, openForge } from './forge';
import { isFullRun } from './full-run';
import { type HttpsFront, openHttpsFront } from './https-front';
import { isMarkedDocument, markDocument, navigate } from './navigation';
import { root, type Shop } from './shop';
import { type Api, apiOf, makeSquad, type Squad } from './squad';
import { addStaff, releaseAsStaff } from './staff-steps';
import { expect, startOwnShop, test } from './test';

// The day goes on from the first release.
test.describe.configure({ mode: 'serial' });

const channels = ['production'];
const audience = 'https://shop.example';
const metricsToken = 'a-token-for-metrics';
const documented = commandsIn(readFileSync(path.join(root, 'docs/squads.md'), 'utf8'));
let outside: Outside;
let shop: Shop;
let forge: Forge;
let front: HttpsFront;
let gifts: Squad;
/** With a key of ops. */
let ops: Api;
/** For how long this machine has been at the commands that the document has. */
let typing: number;
/** The revision before the first release, and that release. */
let before: number;
let giftsOne: string;
/** A browser's cookies and connections, without its pages. */
let http: APIRequestContext;

test.beforeAll(async () => {
  test.setTimeout(600_000);
  forge = await openForge();
  front = await openHttpsFront(() => shop.url);
  const rule = { repository: 'acme/cards', ref: 'refs/heads/main', role: 'squad', remotes: ['cards'], channels };
  const starting = startOwnShop({
    PUBLIC_URL: front.url,
    METRICS_TOKEN: metricsToken,
    RELEASE_OIDC: JSON.stringify([{ issuer: forge.issuer, audience, rules: [rule] }]),
  });
  outside = await packOutside({
    root,
    pack,
    creator: 'create-shop-remote',
    install: isFullRun ? 'npm' : 'links',
  });
  const started = Date.now();
  gifts = await makeSquad(outside, 'gifts', typed('npm create'), front);
  typing = Date.now() - started;
  shop = await starting;
  http = await request.newContext({ ignoreHTTPSErrors: true });
});
test.afterAll(async () => {
  await http?.dispose();
  front?.close();
  forge?.close();
  outside?.remove();
  await shop?.stop();
});

/** On the page of a made remote, and in its next release. */
const [older, newer] = ['This is a new page.', 'This is a newer page.'];

/** A command of the document, with the addresses and folders of this test in the place of its examples. */
function typed(start: string): string {
  const line = documented.find((one) => one.startsWith(start));
  if (!line) throw new Error(`docs/squads.md has no ${start}`);
  return line.replaceAll('https://npm.example', outside.registry).replace(/(?<= )\/packages\b/g, outside.packages);
}

const apiWith = (key?: string) => apiOf(http, front.url, key);

/** Reports of pages that threw, each of another network, as the proxy before the shop passes them on. */
async function reportFailures(name: string, version: string, networks: number): Promise<void> {
  const events = ['visit', 'render'].map((kind) => ({ name, version, visit: '30'.repeat(8), kind }));
  const report = async (address: string) => {
    const post = (call: string, body: object) =>
      fetch(`${shop.url}/api/health/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: JSON.stringify(body),
      });
    const { token } = (await (await post('token', {})).json()) as { token: string };
    return (await post('report', { token, events })).status;
  };
  const addresses = Array.from({ length: networks }, (_, index) => `10.30.${index >> 8}.${index & 255}`);
  for (let at = 0; at < networks; at += 20)
    expect(new Set(await Promise.all(addresses.slice(at, at + 20).map(report)))).toEqual(new Set([204]));
}

async function releaseFirst(squad: Squad): Promise<string> {
  const { name, version } = await squad.publish();
  expect(await squad.release('promote', `${name}@${version}`)).toMatchObject([{ outcome: 'promoted' }]);
  return version;
}

/** Which of these visitors get the release, by what their documents load. */
async function visitorsOf(page: string, base: string, visitors: readonly number[]): Promise<number[]> {
  const served = visitors.map(async (visitor) => {
    const document = await fetch(`${shop.url}${page}`, { headers: { cookie: `visitor=${visitor}` } });
    return new RegExp(`<link[^>]* href="${base}`).test(await document.text());
  });
  const isServed = await Promise.all(served);
  return visitors.filter((_, index) => isServed[index]);
}

test('packages hold declarations with maps to their sources, no test, and nothing of this checkout', () => {
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
      const telling = texts.filter((file) => readFileSync(path.join(scope, name, file), 'utf8').includes(root));
      expect([name, telling]).toEqual([name, []]);
      expect([name, files.includes('README.md')]).toEqual([name, true]);
    }
});

test('a remote is refused with a clear message where its name is none or is taken', () => {
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

test('without a registry a made remote names the packed file of each package that it and the others need', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'squad-'));
  execFileSync('sh', ['-c', typed('node ')], { cwd: folder, stdio: 'pipe' });
  const manifestAt = (...parts: string[]) => JSON.parse(readFileSync(path.join(...parts, 'package.json'), 'utf8'));
  const own = /^@(shop|platform)\//;
  const { dependencies, devDependencies } = manifestAt(folder, 'gifts');
  const named = { ...dependencies, ...devDependencies };
  const needed = Object.keys(named).filter((name) => own.test(name));
  expect(needed).toContain('@shop/tools');
  for (const name of needed) {
    const needs = Object.keys(manifestAt(gifts.folder, 'node_modules', name).dependencies ?? {});
    for (const one of [name, ...needs].filter((other) => own.test(other))) {
      const [, file = ''] = /^file:(.+)$/.exec(named[one]) ?? [];
      expect([one, existsSync(path.join(folder, 'gifts', file))]).toEqual([one, file !== '']);
      expect(file).toMatch(/\.tgz$/);
    }
  }
  rmSync(folder, { recursive: true, force: true });
});

/** Built without this project's build code. The other direction is scripts/release/stock-host.test.ts. */
test('a remote built by the official plugin with its defaults is published, gated and shown in the shop', async ({
  openTab,
}, info) => {
  test.skip(!isFullRun, 'nightly');
  const fixture = path.join(root, 'e2e/fixtures/stock-remote');
  const output = info.outputPath('build');
  const config = path.join(fixture, 'rspack.config.cjs');
  const rspack = path.join(root, 'node_modules/@rspack/cli/bin/rspack.js');
  execFileSync(process.execPath, [rspack, 'build', '--config', config, '--output-path', output], { stdio: 'pipe' });
  copyFileSync(path.join(fixture, 'remote.json'), path.join(output, 'remote.json'));
  const [{ version }] = (await shop.release(['publish', 'promo', '--from', output])) as [{ version: string }];
  await shop.release(['promote', `promo@${version}`]);

  const { page } = await openTab({ url: shop.url, language: 'en' });
  await page.goto('/promo');
  await expect(page.getByText('Language: en')).toBeVisible();
  await page.getByRole('button', { name: 'Pressed 0' }).click();
  await expect(page.getByRole('button', { name: 'Pressed 1' })).toBeVisible();
  // A link of the remote goes through the shell's router, so the document stays.
  await markDocument(page);
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await expect(page).toHaveURL(/\/home$/);
  expect(await isMarkedDocument(page)).toBe(true);
});

test('a squad outside has types of all that it imports, and what the document says tests, builds, gates and shows its first release', async ({
  openTab,
}) => {
  let key: string;
  await test.step('ops makes the keys over the API, and the first key ends', async () => {
    const args = ['keys', 'make', '--name', 'first', '--role', 'ops', '--days', '1'];
    const first = (await shop.release(args)) as { key: string; identity: { id: string } };
    const make = async (maker: Api, body: object) => (await maker('POST', 'keys', body)).result.key as string;
    ops = apiWith(await make(apiWith(first.key), { name: 'ops desk', role: 'ops', days: 1 }));
    expect(await ops('DELETE', `keys/${first.identity.id}`)).toMatchObject({ status: 200 });
    expect(await apiWith(first.key)('GET', 'status')).toMatchObject({ status: 401 });
    const squad = { name: 'gifts CI', role: 'squad', remotes: ['gifts'], channels };
    key = await make(ops, squad);
    before = ((await ops('GET', 'status')).result as Status).rev;
  });

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
    // Installed by makeSquad; dev is tried in a full run, by scripts/dev.test.ts and by e2e/src/fast-refresh.test.ts.
    for (const line of day.filter((one) => !/^npm (install|run dev)\b/.test(one))) {
      const [, name = '', value = ''] = /^export (\w+)=(.+)$/.exec(line) ?? [];
      if (name) gifts.env[name] = { 'https://shop.example': front.url, '<key>': key }[value];
      else {
        const started = Date.now();
        await gifts.type(line);
        if (!line.includes(' health ')) typing += Date.now() - started;
      }
    }
    giftsOne = gifts.built().version;
    expect(await visitorsOf('/gifts', `/r/gifts/${giftsOne}/`, [5, 15, 95])).toEqual([5]);
    const description = `${Math.round(typing / 1000)} s of this machine`;
    test.info().annotations.push({ type: 'from an empty folder to a tenth of the visitors', description });
    await gifts.type(typed('npm run release -- rollback gifts'));
    expect(await visitorsOf('/gifts', `/r/gifts/${giftsOne}/`, [5, 15, 95])).toEqual([]);
  });

  await test.step('its release goes to everybody', async () => {
    expect(await gifts.release('promote', `gifts@${giftsOne}`)).toMatchObject([{ outcome: 'promoted' }]);
    const { remote, flows, singletons, files } = gifts.built();
    expect([remote?.routes[0]?.path, flows?.[0]?.route]).toEqual(['/gifts', '/gifts']);
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['remoteEntry.js', 'server/main.js']));
    const { entryPoints } = JSON.parse(readFileSync(path.join(root, 'shared/package.json'), 'utf8'));
    expect(singletons.needs).toMatchObject({ '@shop/shared/ui': `^${entryPoints.ui}` });
    expect(singletons.needs).not.toHaveProperty('@shop/shared/money');
  });

  const { page } = await openTab({ url: shop.url, language: 'en' });
  await page.goto('/gifts');
  await expect(page.getByText(older)).toBeVisible();
});

test('two squads and ops work a day from outside, over the release API', async ({ openTab }) => {
  test.skip(!isFullRun, 'a full run has the whole day');
  test.setTimeout(600_000);
  const page = 'src/hello/hello-page.tsx';
  const statusOf = async (name: string) =>
    ((await ops('GET', 'status')).result as Status).releases.find((row) => row.name === name);

  await test.step('dev shows a remote in the shop on https', async () => {
    const { url, child } = await gifts.dev();
    try {
      const { page: tab } = await openTab({ url, language: 'en' });
      await tab.goto('/gifts');
      await expect(tab.getByRole('heading', { name: 'Hello, there' })).toBeVisible();
      await tab.close();
    } finally {
      child.kill();
    }
  });

  const cards = await makeSquad(outside, 'cards', typed('node ').replace('gifts', 'cards'), front);
  const cardsOne = await test.step('a squad whose forge vouches for it releases its remote', async () => {
    cards.env.RELEASE_TOKEN = forge.tokenFor('acme/cards', audience);
    cards.env.RELEASE_KEY = ((await cards.release('session')) as { key: string }).key;
    // One remote with a flow is enough here.
    rmSync(path.join(cards.folder, 'gate'), { recursive: true });
    return releaseFirst(cards);
  });

  const openAs = async (visitor: number) => {
    const { page: tab, context } = await openTab({ url: shop.url, language: 'en' });
    await context.addCookies([{ name: 'visitor', value: String(visitor), url: shop.url }]);
    await tab.goto('/gifts');
    return tab;
  };
  const tab = await test.step('a release is a canary, of which its squad sees the visits, and then live', async () => {
    gifts.edit('src/texts.ts', older, newer);
    gifts.commit();
    const { version } = await gifts.publish();
    expect(await gifts.release('promote', `gifts@${version}`, '--traffic', '25')).toMatchObject([
      { outcome: 'canary', traffic: 25 },
    ]);
    const visitors = Array.from({ length: 20 }, (_, index) => index * 5);
    expect(await visitorsOf('/gifts', `/r/gifts/${version}/`, visitors)).toEqual([0, 5, 10, 15, 20]);
    const ofLive = await openAs(90);
    await expect(ofLive.getByText(older)).toBeVisible();
    const ofCanary = await openAs(10);
    await expect(ofCanary.getByText(newer)).toBeVisible();
    await flushReports(ofCanary);
    const headers = { authorization: `Bearer ${metricsToken}` };
    const visits = `shop_release_visits_total\\{name="gifts",version="${version}",role="canary"\\} [1-9]`;
    await expect
      .poll(async () => (await http.get(`${front.url}/metrics`, { headers })).text())
      .toMatch(new RegExp(visits));
    expect(await gifts.release('promote', `gifts@${version}`)).toMatchObject([{ outcome: 'promoted', traffic: 100 }]);
    await navigate(ofLive, '/home');
    await navigate(ofLive, '/gifts');
    await expect(ofLive.getByText(newer)).toBeVisible();
    return ofLive;
  });

  await test.step('the gate stops a release that throws in its page', async () => {
    cards.edit(page, 'import { Button', "import { useLocation } from '@shop/shared/router';\nimport { Button");
    const throwing = "if (!useLocation().search.includes('from=letter')) throw new Error('the page throws');";
    cards.edit(page, 'const { t } = useTexts();', `const { t } = useTexts();\n  ${throwing}`);
    const { version } = await cards.publish();
    await expect(cards.release('promote', `cards@${version}`)).rejects.toThrow(/the page throws[\s\S]*"code": 3/);
    expect(await statusOf('cards')).toMatchObject({ version: cardsOne });
  });

  await test.step('the watcher takes back one that passes the gate and fails for shoppers', async () => {
    cards.edit(page, '!useLocation', 'useLocation');
    const { version } = await cards.publish();
    expect(await cards.release('promote', `cards@${version}`)).toMatchObject([{ outcome: 'promoted' }]);
    const { page: shopper } = await openTab({ url: shop.url, language: 'en', expectedErrors: /the page throws/ });
    await shopper.goto('/cards?from=letter');
    await expect(shopper.getByText(older)).toBeVisible();
    await flushReports(shopper);
    await reportFailures('cards', version, 230);
    await expect.poll(async () => (await statusOf('cards'))?.version).toBe(cardsOne);
    const refused = await apiWith(cards.env.RELEASE_KEY)('POST', 'promote', { name: 'cards', version });
    expect(refused.error).toMatchObject({ kind: 'frozen', message: expect.stringContaining('frozen by watcher') });
  });

  await test.step('a manager signs in and rolls back in one call, and an open tab shows it', async () => {
    await addStaff(shop, 'Ann Lee');
    const { result } = await releaseAsStaff(shop, 'rollback', { name: 'gifts', why: 'wrong text' });
    expect(result).toMatchObject({ name: 'gifts', to: giftsOne });
    await navigate(tab, '/home');
    // The tab has run what was taken back, so this navigation also loads its document again.
    await expect(async () => {
      await navigate(tab, '/gifts');
      await expect(tab.getByText(older)).toBeVisible({ timeout: 5_000 });
    }).toPass();
  });

  await test.step('each line of the history names who did it', async () => {
    const revisions = (await ops('GET', 'history?limit=200')).result as Revision[];
    const lines = revisions.filter(({ rev }) => rev > before).reverse();
    const of = (wanted: string) =>
      lines.filter(({ name }) => name === wanted).map(({ action, by }) => `${action} by ${by}`);
    expect(of('gifts')).toEqual([
      'canary by gifts CI (squad, key)',
      'abandon by gifts CI (squad, key)',
      'promote by gifts CI (squad, key)',
      'canary by gifts CI (squad, key)',
      'promote by gifts CI (squad, key)',
      'rollback by Ann Lee (ops)',
    ]);
    expect(of('cards')).toEqual([
      'promote by acme/cards@main (squad, forge)',
      'promote by acme/cards@main (squad, forge)',
      'rollback by watcher',
    ]);
    expect(of('*')).toEqual(['settings by ops desk (ops, key)', 'settings by ops desk (ops, key)']);
    expect(lines).toHaveLength(11);
  });
});
