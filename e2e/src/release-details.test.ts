import { openStore, promote, prune, type ReleaseManifest, type Store } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { isMarkedDocument, markDocument } from './navigation';
import type { Shop } from './shop';
import { words } from './steps';
import { expect, liveManifests, startOwnShop, test } from './test';

// In order and on a separate shop, whose live releases the tests change.
test.describe.configure({ mode: 'default' });

const text = words['zh-CN'];
let shop: Shop;
let store: Store;
test.beforeAll(async () => {
  shop = await startOwnShop();
  store = openStore({ dataDir: shop.dataDir });
});
test.afterAll(() => shop?.stop());

const goLive = (name: string, version: string) =>
  promote(store, { name, version, by: 'a squad', skip: ['browser'], why: 'a test' });

const expectServedBy = (page: Page, { version }: ReleaseManifest) =>
  expect(page.locator('html')).toHaveAttribute('data-catalog', version);

test('a tab that stays open through five promotes and a prune still works', async ({ openTab }) => {
  const built = (await liveManifests(store)).catalog as ReleaseManifest;
  const releases: ReleaseManifest[] = [];
  for (let number = 1; number <= 6; number += 1)
    releases.push(await publishVariant(store, built, 'sound', `promote ${number}`));
  const [first, ...later] = releases as [ReleaseManifest, ...ReleaseManifest[]];
  await goLive('catalog', first.version);
  const { page } = await openTab({ url: shop.url, expectedErrors: /404|\/r\/catalog\// });
  await page.goto('/home');
  await expectServedBy(page, first);
  await markDocument(page);
  for (const next of later) await goLive('catalog', next.version);

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

test('a rendered page whose shell does not start is rendered and hydrated by the previous shell', async ({
  openTab,
}) => {
  const { shell } = (await liveManifests(store)) as { shell: ReleaseManifest };
  const { version } = await publishVariant(store, shell, 'sound');
  await goLive('shell', version);
  const { page } = await openTab({ url: shop.url, language: 'en', expectedErrors: /./ });
  await page.route(`**/r/shell/${version}/*.js`, (route) => route.abort());
  const root = page.locator('html');
  await expect(async () => {
    const response = await page.goto('/goods/1');
    expect(await response?.text()).toContain(`data-rendered="${version} `);
  }).toPass();
  await expect(root).toHaveAttribute('data-rescued', shell.version);
  await page.getByRole('button', { name: words.en.buy }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
});
