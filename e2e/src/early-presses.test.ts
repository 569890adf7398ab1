/** What is pressed before the scripts have arrived is taken at once, and carried out once and in order when they have (docs/adr/0008-input-responsiveness.md). */
import type { Locator, Page } from '@playwright/test';
import { desktop, phone } from './browser';
import { holdRequests } from './navigation';
import type { Shop } from './shop';
import { demoToken } from './steps';
import { documentsRendered, expect, startOwnShop, test } from './test';

// One shop for the file.
test.describe.configure({ mode: 'default' });

let shop: Shop;
let token: string;
test.beforeAll(async () => {
  shop = await startOwnShop({ SHOP_RENDER: 'on' });
  token = await demoToken(shop);
  for (const language of ['zh-CN', 'en'])
    await documentsRendered(shop, ['/home', '/goods', '/goods/1'], `language=${language}`);
});
test.afterAll(() => shop?.stop());

/** Opens an address whose scripts do not come before the returned function is called. */
async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const arrive = await holdRequests(page, /\/r\/shell\/[^/]+\/main\.\w+\.js/);
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator('[data-early-presses]').waitFor();
  return arrive;
}

/** Presses, and expects each to look taken. */
async function press(...controls: Locator[]): Promise<void> {
  for (const control of controls) {
    await control.click({ noWaitAfter: true });
    await looksTaken(control);
  }
}

async function looksTaken(control: Locator): Promise<void> {
  await expect(control).toHaveAttribute('data-held', '');
  await expect(control).not.toHaveCSS('opacity', '1');
}

/** The paths of calls that change something, in order. */
function changes(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && /favou?rite|order\/create/.test(pathname)) paths.push(pathname);
  });
  return paths;
}

const held = (page: Page) => page.locator('[data-held]');
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true }).first();

test('heart, share and quantity of a product are carried out as often as they were pressed', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, language: 'en', viewport: phone, token });
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, { share: async (what: unknown) => void shared.push(what) });
  });
  const asked = changes(page);
  const arrive = await openWithoutScripts(page, '/goods/1');
  const plus = button(page, 'Increase Quantity');
  await press(plus, plus, button(page, /^Favourite: /), plus, button(page, /^Share /));
  await expect(held(page)).toHaveCount(3);
  await expect(page.getByRole('spinbutton')).toHaveValue('1');
  arrive();
  await expect(page.getByRole('spinbutton')).toHaveValue('4');
  await expect(button(page, /^Favourite: /)).toHaveAttribute('aria-pressed', 'true');
  await expect(held(page)).toHaveCount(0);
  expect(await page.evaluate(() => (window as { shared?: unknown[] }).shared)).toHaveLength(1);
  expect(asked).toHaveLength(1);
});

test('a value, a quantity and two presses on Buy are one order, of what was chosen', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, language: 'en', viewport: phone, token });
  const asked = changes(page);
  const arrive = await openWithoutScripts(page, '/goods/1');
  const order = page.waitForRequest(/\/order\/create$/);
  const value = page.getByRole('radio').nth(1);
  const specId = Number(await value.getAttribute('value'));
  const label = page
    .locator('label')
    .filter({ has: page.getByRole('radio') })
    .nth(1);
  const buy = button(page, 'Buy now');
  await press(label, button(page, 'Increase Quantity'), buy, buy);
  // The total beside Buy is of the value that is chosen.
  await expect(page.getByRole('radio').first()).toBeChecked();
  arrive();
  expect((await order).postDataJSON()).toMatchObject({ goods_id: 1, spec_id: specId, quantity: 2 });
  await expect(page).toHaveURL(/\/order\/detail\//);
  expect(asked).toHaveLength(1);
});

for (const [path, name, by, arrives] of [
  ['/home', 'Open menu', 'finger', (page: Page) => dialog(page, 'Menu')],
  ['/home', 'Open menu', 'key', (page: Page) => dialog(page, 'Menu')],
  ['/goods/1', /Coupon/, 'finger', (page: Page) => dialog(page, 'Sign in')],
  ['/goods/1', 'Buy now', 'finger', (page: Page) => dialog(page, 'Sign in')],
  ['/goods', /^Favourite: /, 'finger', (page: Page) => dialog(page, 'Sign in')],
  ['/goods', /^Filters/, 'finger', (page: Page) => dialog(page, 'Filters')],
  ['/goods/1', 'Back', 'finger', (page: Page) => page.locator('.catalog-module').first()],
] as const) {
  test(`a guest’s press on ${name} of ${path} by ${by} is taken at once and answered when the scripts are there`, async ({
    openTab,
  }) => {
    const { page } = await openTab({ url: shop.url, language: 'en', viewport: phone });
    const arrive = await openWithoutScripts(page, path);
    if (by === 'finger') await press(button(page, name));
    else await button(page, name).press('Enter', { noWaitAfter: true });
    await looksTaken(button(page, name));
    // Where the menu cannot be opened without scripts at all, its button offers theme and language.
    await expect(page.locator(':popover-open')).toHaveCount(0);
    arrive();
    await expect(arrives(page)).toBeVisible();
    await expect(held(page)).toHaveCount(0);
  });
}

test('filter, sort and sign-in of a desktop are answered', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, language: 'en', viewport: desktop });
  let arrive = await openWithoutScripts(page, '/goods');
  await press(page.getByRole('button', { name: 'Y', exact: true }));
  arrive();
  await expect(page).toHaveURL('/goods?letter=Y');
  arrive = await openWithoutScripts(page, '/goods');
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('name');
  arrive();
  await expect(page).toHaveURL('/goods?sort=name');
  arrive = await openWithoutScripts(page, '/home');
  await press(button(page, 'Sign in'));
  arrive();
  await expect(dialog(page, 'Sign in')).toBeVisible();
});

test('a press that cannot be carried out any more says so, and one on a page that was left does nothing', async ({
  openTab,
}) => {
  // Drawn for everybody: the shopper’s session is known when the scripts are there, and the way to sign in is gone.
  const { page } = await openTab({ url: shop.url, language: 'en', viewport: desktop, token });
  let arrive = await openWithoutScripts(page, '/home');
  await press(button(page, 'Sign in'));
  arrive();
  await expect(page.getByRole('alert')).toHaveText('Too early: please press again.');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  const asked = changes(page);
  arrive = await openWithoutScripts(page, '/goods/1');
  await press(button(page, 'Buy now'));
  await page.locator('a[href="/home"]').first().click();
  await expect(page).toHaveURL('/home');
  arrive();
  await expect(button(page, 'My account')).toBeVisible();
  expect(asked).toEqual([]);
});
