/** Clicks before the scripts have arrived: none is lost, each is handled once (docs/adr/0008-input-responsiveness.md). */
import type { Locator, Page } from '@playwright/test';
import { phone } from './browser';
import { holdRequests } from './navigation';
import { tokenOfNewShopper } from './steps';
import { documentsRendered, expect, test } from './test';

let token: string;
test.beforeAll(async ({ shop }) => {
  token = await tokenOfNewShopper(shop, `136${String(Date.now()).slice(-8)}`);
  for (const language of ['zh-CN', 'en'])
    await documentsRendered(shop, ['/home', '/goods', '/goods/1'], `language=${language}`);
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name });
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name }).filter({ visible: true }).first();

test.describe('clicks before the scripts have arrived', () => {
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

  test('clicks on heart, share and quantity before the scripts arrive are handled as often as they happened', async ({
    openTab,
  }) => {
    const { page } = await openTab({ language: 'en', viewport: phone, token });
    await page.addInitScript(() => {
      const shared: unknown[] = [];
      Object.assign(window, { shared });
      Object.assign(navigator, { share: async (what: unknown) => void shared.push(what) });
    });
    const calls = changes(page);
    const sendScripts = await openWithoutScripts(page, '/goods/1');
    const plus = button(page, 'Increase Quantity');
    await click(plus, plus, button(page, /^Favourite: /), plus, button(page, /^Share /));
    await expect(marked(page)).toHaveCount(3);
    await expect(page.getByRole('spinbutton')).toHaveValue('1');
    sendScripts();
    await expect(page.getByRole('spinbutton')).toHaveValue('4');
    await expect(button(page, /^Favourite: /)).toHaveAttribute('aria-pressed', 'true');
    await expect(marked(page)).toHaveCount(0);
    expect(await page.evaluate(() => (window as { shared?: unknown[] }).shared)).toHaveLength(1);
    expect(calls).toHaveLength(1);
  });

  test('choices and two clicks on Buy before the scripts arrive make one order of the chosen specification and quantity', async ({
    openTab,
  }) => {
    const { page } = await openTab({ language: 'en', viewport: phone, token });
    const calls = changes(page);
    const sendScripts = await openWithoutScripts(page, '/goods/1');
    const order = page.waitForRequest(/\/order\/create$/);
    const value = page.getByRole('radio').nth(1);
    const specId = Number(await value.getAttribute('value'));
    const label = page
      .locator('label')
      .filter({ has: page.getByRole('radio') })
      .nth(1);
    const buy = button(page, 'Buy now');
    await click(label, button(page, 'Increase Quantity'), buy, buy);
    await expect(page.getByRole('radio').first()).toBeChecked();
    sendScripts();
    expect((await order).postDataJSON()).toMatchObject({ goods_id: 1, spec_id: specId, quantity: 2 });
    await expect(page).toHaveURL(/\/order\/detail\//);
    expect(calls).toHaveLength(1);
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
      const { page } = await openTab({ language: 'en', viewport: phone });
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
});
