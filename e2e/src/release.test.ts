/** Squads release and ops roll back while tabs are open. */
import {
  history,
  liveVersion,
  openStore,
  promote,
  prune,
  type ReleaseManifest,
  rollback,
  type Store,
} from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { axeFaults } from './audit';
import { desktop, phone } from './browser';
import { isMarkedDocument, loadsFinished, markDocument } from './navigation';
import type { Shop } from './shop';
import { addStaff, signInAsStaff } from './staff-steps';
import { demoToken, words } from './steps';
import { expect, liveManifests, startOwnShop, test } from './test';

// In order and on a separate shop: the tests change the live releases.
test.describe.configure({ mode: 'default' });

const text = words['zh-CN'];
let shop: Shop;
let store: Store;
/** The catalogue as built, regardless of the live release. */
let built: ReleaseManifest;

test.beforeAll(async () => {
  shop = await startOwnShop();
  store = openStore({ dataDir: shop.dataDir });
  built = (await liveManifests(store)).catalog as ReleaseManifest;
});
test.afterAll(() => shop?.stop());

/** Skips the parts of the gate that would refuse the changes of the tests. */
const goLive = ({ version }: ReleaseManifest) =>
  promote(store, { name: 'catalog', version, by: 'a squad', skip: ['browser'], why: 'a test' });

const expectServedBy = (page: Page, { version }: ReleaseManifest) =>
  expect(page.locator('html')).toHaveAttribute('data-catalog', version);

test('a published release can be previewed in one tab, then promoted and rolled back while tabs are open', async ({
  openTab,
}) => {
  const before = await publishVariant(store, built, 'sound', 'before');
  const after = await publishVariant(store, built, 'sound', 'after');
  await goLive(before);

  await test.step('a preview is marked, survives a load, shows in that tab alone and can be left', async () => {
    const { page } = await openTab({ url: shop.url });
    const { page: otherTab } = await openTab({ url: shop.url });
    await page.goto(`/home?release=catalog@${after.version}`);
    await expectServedBy(page, after);
    await expect(page.getByText(`catalog@${after.version}`)).toBeVisible();
    await page.goto('/home');
    await expectServedBy(page, after);
    await otherTab.goto('/home');
    await expectServedBy(otherTab, before);
    await page.getByRole('link', { name: /退出预览/ }).click();
    await expectServedBy(page, before);
    await expect(page.getByText(`catalog@${after.version}`)).toHaveCount(0);
  });

  await test.step('one that fails is shown to fail, and can be left', async () => {
    const bad = await publishVariant(store, built, 'render throws');
    const { page } = await openTab({ url: shop.url, expectedErrors: /the page throws/ });
    await page.goto(`/home?release=catalog@${bad.version}`);
    const card = page.getByRole('alert').filter({ hasText: text.pageFailed });
    await expect(card).toBeVisible();
    await page.getByRole('link', { name: /退出预览/ }).click();
    await expectServedBy(page, before);
    await expect(card).toHaveCount(0);
  });

  // With the service worker, which must not delay a live release.
  const { page, context } = await openTab({ url: shop.url, token: await demoToken(shop), serviceWorker: true });
  const { page: fresh } = await openTab({ url: shop.url });
  await page.clock.install();
  await page.goto('/home');
  await expectServedBy(page, before);
  await loadsFinished(page);
  // It registers three seconds after the load.
  await page.clock.fastForward(3_000);
  await page.evaluate(async () => void (await navigator.serviceWorker.ready));
  const leaveAndReturn = async () => {
    await page.getByRole('link', { name: text.me, exact: true }).click();
    await expect(page).toHaveURL('/user');
    await page.getByRole('link', { name: text.games, exact: true }).click();
  };

  await goLive(after);
  const returning = await context.newPage();
  await test.step('new tabs have a promoted release at once, open tabs at their next navigation', async () => {
    await fresh.goto('/home');
    await expectServedBy(fresh, after);
    await returning.goto('/home');
    await expectServedBy(returning, after);
    expect(await returning.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(`${shop.url}/sw.js`);
    await leaveAndReturn();
    await expectServedBy(page, after);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeTruthy();
  });

  await rollback(store, { name: 'catalog', by: 'ops' });
  await test.step('a rollback takes it back in the same way, with the session kept', async () => {
    await returning.goto('/home');
    await expectServedBy(returning, before);
    await fresh.goto('/home');
    await expectServedBy(fresh, before);
    await leaveAndReturn();
    await expectServedBy(page, before);
    await expect(page).toHaveURL('/home');
    // The tab ran a withdrawn release, so it may reload the document, which ends an evaluation.
    await page.waitForFunction(() => localStorage.getItem('token'));
  });
});

for (const [viewport, theme] of [
  [phone, 'light'],
  [desktop, 'dark'],
] as const) {
  test(`ops roll back in the console by one click, ${theme} at ${viewport.width} pixels`, async ({ openTab }) => {
    const before = await publishVariant(store, built, 'sound', `before ${theme}`);
    const after = await publishVariant(store, built, 'sound', `after ${theme}`);
    await goLive(before);
    await goLive(after);
    const live = async () => liveVersion(await store.readMap('production'), 'catalog');
    // The page asks for the signed-in user.
    const options = { url: shop.staffUrl, viewport, theme, expectedErrors: /status of 400/ };
    const { page } = await openTab(options);
    const look = async (): Promise<string[]> => {
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      return [...(await axeFaults(page)), ...(wider > 0 ? [`${wider} px wider than the window`] : [])];
    };
    await page.addInitScript(() => localStorage.setItem('staff.language', 'en'));
    await page.goto('/ops');
    await expect(page.getByRole('heading', { name: 'Sign in to the staff console' })).toBeVisible();
    expect(await look()).toEqual([]);
    await signInAsStaff(page, await addStaff(shop, `Ann ${theme}`));
    const card = page.getByRole('article', { name: 'catalog' });
    await expect(card.getByRole('region', { name: `live: catalog@${after.version}` })).toBeVisible();
    await card.getByText('Another release, or a canary').click();
    await page.getByRole('button', { name: `Roll back to ${before.version}` }).click();
    const status = page.getByRole('status');
    await expect(status.filter({ hasText: `catalog is back to ${before.version}` })).toBeVisible();
    expect(await live()).toBe(before.version);
    expect(await look()).toEqual([]);
    expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: `Ann ${theme} (ops)` });
    // A change made elsewhere appears without a load.
    await markDocument(page);
    const next = await publishVariant(store, built, 'sound', `next ${theme}`);
    await goLive(next);
    await expect(card.getByRole('region', { name: `live: catalog@${next.version}` })).toBeVisible();
    expect(await isMarkedDocument(page)).toBe(true);
  });
}

// This test is last: a prune removes releases that the other test needs.
test('a tab that stays open through five promotes and a prune still works', async ({ openTab }) => {
  const releases: ReleaseManifest[] = [];
  for (let number = 1; number <= 6; number += 1)
    releases.push(await publishVariant(store, built, 'sound', `promote ${number}`));
  const [first, ...later] = releases as [ReleaseManifest, ...ReleaseManifest[]];
  await goLive(first);
  const { page } = await openTab({ url: shop.url, expectedErrors: /404|\/r\/catalog\// });
  await page.goto('/home');
  await expectServedBy(page, first);
  await markDocument(page);
  for (const next of later) await goLive(next);

  // By default, prune keeps releases that were live in the last days, because a tab may still use them.
  const label = `catalog@${first.version}`;
  expect((await prune(store, { keep: 1 })).removed).not.toContain(label);
  expect((await prune(store, { keep: 1, days: 0 })).removed).toContain(label);

  // A page that this tab has not loaded was removed with the release; the tab gets it from the live one.
  await page.getByRole('link', { name: text.searchLink }).first().click();
  await expect(page).toHaveURL('/search');
  await expectServedBy(page, later.at(-1) as ReleaseManifest);
  await expect(page.getByRole('combobox')).toBeVisible();
  expect(await isMarkedDocument(page)).toBe(true);
});
