/** Clicks and scrolling before the scripts have arrived: none is lost or handled twice (docs/adr/0008-input-responsiveness.md). */
import type { Locator, Page } from '@playwright/test';
import { holdRequests } from './navigation';
import { hydrated } from './rendered-steps';
import { visibleButton as button, tokenOfNewShopper } from './steps';
import { documentsRendered, expect, test } from './test';

let token: string;
test.beforeAll(async ({ shop }) => {
  token = await tokenOfNewShopper(shop, `136${String(Date.now()).slice(-8)}`);
  await documentsRendered(shop, ['/home', '/goods', '/goods/1'], 'language=en');
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });

async function openWithoutScripts(page: Page, path: string): Promise<() => void> {
  const sendScripts = await holdRequests(page, /\/r\/shell\/[^/]+\/main\.\w+\.js/);
  await page.goto(path, { waitUntil: 'commit' });
  await page.locator('[data-early-presses]').waitFor();
  return sendScripts;
}

async function expectHeld(control: Locator): Promise<void> {
  await expect(control).toHaveAttribute('data-held', '');
  await expect(control).not.toHaveCSS('opacity', '1');
}

async function click(...controls: Locator[]): Promise<void> {
  for (const control of controls) {
    await control.click({ noWaitAfter: true });
    await expectHeld(control);
  }
}

function changes(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && /favou?rite|order\/create/.test(pathname)) paths.push(pathname);
  });
  return paths;
}

const marked = (page: Page) => page.locator('[data-held]');

test('clicks before the scripts arrive are handled as often as they happened, and two on Buy make one order of the choices', async ({
  openTab,
}) => {
  const { page } = await openTab({ language: 'en', token });
  await page.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.assign(navigator, { share: async (what: unknown) => void shared.push(what) });
  });
  const calls = changes(page);
  const sendScripts = await openWithoutScripts(page, '/goods/1');
  const order = page.waitForRequest(/\/order\/create$/);
  const values = page.locator('label').filter({ has: page.getByRole('radio') });
  const specId = Number(await page.getByRole('radio').nth(1).getAttribute('value'));
  const plus = button(page, 'Increase Quantity');
  const buy = button(page, 'Buy now');
  await click(plus, plus, button(page, /^Favourite: /), button(page, /^Share /), values.nth(1), plus, buy, buy);
  await expect(marked(page)).toHaveCount(5);
  await expect(page.getByRole('spinbutton')).toHaveValue('1');
  await expect(page.getByRole('radio').first()).toBeChecked();
  sendScripts();
  expect((await order).postDataJSON()).toMatchObject({ goods_id: 1, spec_id: specId, quantity: 4 });
  await expect(page).toHaveURL(/\/order\/detail\//);
  await expect(marked(page)).toHaveCount(0);
  expect(await page.evaluate(() => (window as { shared?: unknown[] }).shared)).toHaveLength(1);
  expect(calls.map((path) => path.split('/').at(-1)).sort()).toEqual(['create', 'favourite']);
});

for (const [path, name, by, leadsTo] of [
  ['/home', 'Open menu', 'click', 'Menu'],
  ['/home', 'Open menu', 'key', 'Menu'],
  ['/goods/1', 'Buy now', 'click', 'Sign in'],
  ['/goods', /^Filters/, 'click', 'Filters'],
] as const) {
  test(`before the scripts arrive, a guest’s ${by} on ${name} of ${path} is kept and opens “${leadsTo}” afterwards`, async ({
    openTab,
  }) => {
    const { page } = await openTab({ language: 'en' });
    const sendScripts = await openWithoutScripts(page, path);
    if (by === 'click') await button(page, name).click({ noWaitAfter: true });
    else await button(page, name).press('Enter', { noWaitAfter: true });
    await expectHeld(button(page, name));
    // If the menu cannot open without scripts, its button offers theme and language.
    await expect(page.locator(':popover-open')).toHaveCount(0);
    sendScripts();
    await expect(dialog(page, leadsTo)).toBeVisible();
    await expect(marked(page)).toHaveCount(0);
  });
}

test('scrolling before the scripts arrive is not lost', async ({ openTab }) => {
  const { page } = await openTab({ language: 'en' });
  const sendScripts = await openWithoutScripts(page, '/goods');
  await page.locator('main a[href^="/goods/"]').nth(6).scrollIntoViewIfNeeded();
  const scrollY = () => page.evaluate(() => window.scrollY);
  const scrolled = await scrollY();
  expect(scrolled).toBeGreaterThan(200);
  sendScripts();
  await hydrated(page);
  expect(await scrollY()).toBe(scrolled);
});
