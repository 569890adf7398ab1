/** Squads release and ops roll back while tabs are open. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {
  liveVersion,
  openStore,
  promote,
  prune,
  type ReleaseManifest,
  history as revisionsOf,
} from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { flushReports } from './fault-proxy';
import { isMarkedDocument, markDocument, navigate } from './navigation';
import { root, type Shop } from './shop';
import { demoToken, words } from './steps';
import { expect, liveManifests, startOwnShop, test } from './test';

// In order and on a shop of their own: the tests change what is live.
test.describe.configure({ mode: 'default' });

let shop: Shop;
/** The catalogue as built, whatever is live by now. */
let built: ReleaseManifest;
const store = () => openStore({ dataDir: shop.dataDir });

test.beforeAll(async () => {
  shop = await startOwnShop();
  built = (await liveManifests(store())).catalog as ReleaseManifest;
});
test.afterAll(() => shop.stop());

const text = words['zh-CN'];
const searchText = '搜游戏、点卡、拼音首字母';
const changedText = '新版搜索框';

/** A checkout with the files that a squad needs, and without the other squads' folders. */
function squadCheckout(folder: string): string {
  const checkout = mkdtempSync(path.join(os.tmpdir(), 'shop-squad-'));
  const files = ['package.json', 'package-lock.json', 'rspack.base.js', 'tsconfig.base.json'];
  for (const file of [...files, folder, 'shared', 'platform', 'scripts', 'server/package.json']) {
    cpSync(path.join(root, file), path.join(checkout, file), {
      recursive: true,
      filter: (source) => !/[\\/](node_modules|dist|\.data)([\\/]|$)/.test(source.slice(root.length)),
    });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'), 'junction');
  return checkout;
}

/** Builds and publishes the catalogue with a changed text from a squad's checkout. Returns the version, which is not live yet. */
async function publishChanged(before: string, after: string): Promise<string> {
  const checkout = squadCheckout('mfe-catalog');
  try {
    const texts = path.join(checkout, 'mfe-catalog/src/texts.ts');
    const source = readFileSync(texts, 'utf8');
    expect(source).toContain(before);
    writeFileSync(texts, source.replaceAll(before, after));
    await shop.release(['build', 'catalog'], checkout);
    await shop.release(['publish', 'catalog'], checkout);
    const manifest = readFileSync(path.join(checkout, 'mfe-catalog/dist/release.json'), 'utf8');
    return (JSON.parse(manifest) as { version: string }).version;
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}

test('a published release can be previewed in one tab, then promoted and rolled back while tabs are open', async ({
  openTab,
}) => {
  test.setTimeout(180_000);
  const version = await publishChanged(searchText, changedText);
  const unchanged = (page: Page) => page.getByText(searchText);
  const changed = (page: Page) => page.getByText(changedText);

  await test.step('a preview is marked, survives a load, shows in that tab alone and can be left', async () => {
    const { page } = await openTab({ url: shop.url });
    const { page: other } = await openTab({ url: shop.url });
    await page.goto(`/home?release=catalog@${version}`);
    await expect(changed(page)).toBeVisible();
    await expect(page.getByText(`catalog@${version}`)).toBeVisible();
    await page.goto('/home');
    await expect(changed(page)).toBeVisible();
    await other.goto('/home');
    await expect(unchanged(other)).toBeVisible();
    await page.getByRole('link', { name: /退出预览/ }).click();
    await expect(unchanged(page)).toBeVisible();
    await expect(page.getByText(`catalog@${version}`)).toHaveCount(0);
  });

  // With the service worker, which must not hold back what is live.
  const { page, context } = await openTab({ url: shop.url, token: await demoToken(shop), serviceWorker: true });
  const { page: fresh } = await openTab({ url: shop.url });
  await page.clock.install();
  await page.goto('/home');
  await expect(unchanged(page)).toBeVisible();
  // It is registered three seconds after the load.
  await page.clock.fastForward(3_000);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const leaveAndReturn = async () => {
    await page.getByRole('link', { name: text.me, exact: true }).click();
    await expect(page).toHaveURL('/user');
    await page.getByRole('link', { name: text.games, exact: true }).click();
  };

  await shop.release(['promote', `catalog@${version}`, '--skip', 'browser', '--why', 'a test']);
  const returning = await context.newPage();
  await test.step('new tabs have a promoted release at once, open tabs at their next navigation', async () => {
    await fresh.goto('/home');
    await expect(changed(fresh)).toBeVisible();
    await returning.goto('/home');
    await expect(changed(returning)).toBeVisible();
    expect(await returning.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(`${shop.url}/sw.js`);
    await leaveAndReturn();
    await expect(changed(page)).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeTruthy();
  });

  await shop.release(['rollback', 'catalog']);
  await test.step('a rollback takes it back in the same way, with the session kept', async () => {
    await returning.goto('/home');
    await expect(unchanged(returning)).toBeVisible();
    await fresh.goto('/home');
    await expect(unchanged(fresh)).toBeVisible();
    await leaveAndReturn();
    await expect(unchanged(page)).toBeVisible();
    await expect(page).toHaveURL('/home');
    // The tab ran a withdrawn release, so it may load the document again, which ends an evaluation.
    await page.waitForFunction(() => localStorage.getItem('token'));
  });
});

/** Past the parts of the gate that would refuse the faulty ones. */
const goLive = ({ version }: ReleaseManifest) =>
  promote(store(), { name: 'catalog', version, by: 'a squad', skip: ['own-pages', 'browser'], why: 'a test' });

const expectServedBy = (page: Page, { version }: ReleaseManifest) =>
  expect(page.locator('html')).toHaveAttribute('data-catalog', version, { timeout: 15_000 });

/** Playwright does not show the bodies of beacons; the page keeps copies. */
function recordBeacons(): void {
  const beacons: string[] = [];
  Object.assign(window, { beacons });
  const send = navigator.sendBeacon.bind(navigator);
  navigator.sendBeacon = (address, body) => {
    if (body instanceof Blob) void body.text().then((content) => beacons.push(content));
    return send(address, body);
  };
}

test('a release that throws when it renders is rolled back by the watcher, frozen, and an open tab recovers', async ({
  openTab,
}) => {
  test.setTimeout(120_000);
  const good = await publishVariant(store(), built, 'sound', 'before the watcher');
  const bad = await publishVariant(store(), built, 'render throws', 'for the watcher');
  await goLive(good);
  const { page, context } = await openTab({ url: shop.url, expectedErrors: /the page throws/ });
  await context.addInitScript(recordBeacons);
  await page.goto('/home');
  await expectServedBy(page, good);

  await goLive(bad);
  const visitsOfBad = async () => {
    await flushReports(page);
    return page.evaluate(
      (version) =>
        (window as unknown as { beacons: string[] }).beacons
          .flatMap((body) => (JSON.parse(body) as { events: Array<Record<string, unknown>> }).events)
          .filter((event) => event.version === version && event.kind === 'visit'),
      bad.version,
    );
  };
  // Each visit is counted, fails, and is served by the previous release.
  for (const [index, place] of ['/search', '/home', '/search'].entries()) {
    await navigate(page, place);
    await expect.poll(async () => (await visitsOfBad()).length, { timeout: 15_000 }).toBeGreaterThan(index);
  }
  await expectServedBy(page, good);
  // Shoppers of further networks, with reports in the form of this browser's.
  const [visit] = await visitsOfBad();
  const events = [{ ...visit, kind: 'render', recovered: true }];
  const post = (path: string, address: string, body?: object) =>
    fetch(`${shop.url}/api/health/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body ?? {}),
    });
  const answers = Array.from({ length: 25 }, async (_, index) => {
    const address = `10.20.0.${index}`;
    const { token } = (await (await post('token', address)).json()) as { token: string };
    return (await post('report', address, { token, events })).status;
  });
  expect(new Set(await Promise.all(answers))).toEqual(new Set([204]));

  await expect
    .poll(async () => liveVersion(await store().readMap('production'), 'catalog'), { timeout: 30_000 })
    .toBe(good.version);
  const [last] = await revisionsOf(store(), { name: 'catalog', limit: 1 });
  expect(last).toMatchObject({ action: 'rollback', by: 'watcher', from: bad.version, to: good.version });
  expect(last?.why).toMatch(/% of \d+ visits failed/);
  await expect(goLive(bad)).rejects.toThrow('frozen by watcher');

  await page.goBack();
  await expect(page).toHaveURL('/home');
  await expectServedBy(page, good);
  const { page: fresh } = await openTab({ url: shop.url });
  await fresh.goto('/home');
  await expectServedBy(fresh, good);
  await expectServedBy(page, good);
});

// Last: a prune removes what the other tests start from.
test('a tab that stays open through five promotes and a prune works on', async ({ openTab }) => {
  test.setTimeout(120_000);
  const releases: ReleaseManifest[] = [];
  for (let number = 1; number <= 6; number += 1)
    releases.push(await publishVariant(store(), built, 'sound', `promote ${number}`));
  const [first, ...later] = releases as [ReleaseManifest, ...ReleaseManifest[]];
  await goLive(first);
  const { page } = await openTab({ url: shop.url, expectedErrors: /404|\/r\/catalog\// });
  await page.goto('/home');
  await expectServedBy(page, first);
  await markDocument(page);
  for (const next of later) await goLive(next);

  // By default, prune keeps what was live in the last days: a tab may have it open.
  const label = `catalog@${first.version}`;
  expect((await prune(store(), { keep: 1 })).removed).not.toContain(label);
  expect((await prune(store(), { keep: 1, days: 0 })).removed).toContain(label);

  // A page that this tab has not loaded was removed with the release; the tab takes it from the live one.
  await page.getByRole('link', { name: text.searchLink }).first().click();
  await expect(page).toHaveURL('/search');
  await expectServedBy(page, later.at(-1) as ReleaseManifest);
  await expect(page.getByRole('combobox')).toBeVisible();
  expect(await isMarkedDocument(page)).toBe(true);
});
