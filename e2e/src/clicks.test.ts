/**
 * Clicks before and after the scripts have arrived: none is lost, each is handled once (docs/adr/0008-input-responsiveness.md).
 */
import type { Locator, Page } from '@playwright/test';
import { contentShown } from './audit';
import { desktop, phone } from './browser';
import { holdRequests } from './navigation';
import { tokenOfNewShopper, words } from './steps';
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
  /** Opens an address whose scripts are delayed until the returned function is called. */
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

  /** Clicks, and expects each control to show that it was clicked. */
  async function click(...controls: Locator[]): Promise<void> {
    for (const control of controls) {
      await control.click({ noWaitAfter: true });
      await expectHeld(control);
    }
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
    // The total beside Buy is that of the chosen specification.
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

  test('clicks on filter, sort and sign-in of a desktop before the scripts arrive are handled', async ({ openTab }) => {
    const { page } = await openTab({ language: 'en', viewport: desktop });
    let sendScripts = await openWithoutScripts(page, '/goods');
    await click(page.getByRole('button', { name: 'Y', exact: true }));
    sendScripts();
    await expect(page).toHaveURL('/goods?letter=Y');
    sendScripts = await openWithoutScripts(page, '/goods');
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('name');
    sendScripts();
    await expect(page).toHaveURL('/goods?sort=name');
    sendScripts = await openWithoutScripts(page, '/home');
    await click(button(page, 'Sign in'));
    sendScripts();
    await expect(dialog(page, 'Sign in')).toBeVisible();
  });
});

test.describe('clicks after the scripts have arrived', () => {
  interface Response {
    /** Measured in the frame after the click. */
    isMarked: boolean;
    /** The result of the control did not exist yet. */
    isFirst: boolean;
    /** Clicks that reached the page, until the marker was removed. */
    clicks: number;
  }
  const expected: Response = { isMarked: true, isFirst: true, clicks: 1 };

  /** Activates a control and waits for `done`, the result of the click. */
  async function responseOf(control: Locator, activate: () => Promise<void>, done: string): Promise<Response> {
    await control.evaluate((element, done) => {
      const isDone = () => [...document.querySelectorAll(done)].some((match) => match.checkVisibility());
      const response = { isMarked: false, isFirst: false, clicks: 0 };
      Object.assign(window, { response });
      const count = () => {
        response.clicks += 1;
      };
      document.addEventListener('click', count, { capture: true });
      const look = () => {
        response.isMarked = element.hasAttribute('data-pressed');
        response.isFirst = !isDone();
      };
      window.addEventListener('click', () => requestAnimationFrame(look), { capture: true, once: true });
    }, done);
    await activate();
    await expect(control.page().locator(done).filter({ visible: true }).first()).toBeVisible();
    await expect(control.page().locator('[data-pressed]')).toHaveCount(0);
    return control.page().evaluate(() => (window as unknown as { response: Response }).response);
  }

  /** Opens an address and waits for the click listener, which is added when the scripts have run. */
  async function openReady(page: Page, path: string): Promise<void> {
    await page.addInitScript(() => {
      const { addEventListener } = EventTarget.prototype;
      EventTarget.prototype.addEventListener = function (this: EventTarget, type: string, ...rest: [never]) {
        const isOfClicks = this === window && type === 'click' && String(rest[0]).includes('dataset.pressed');
        if (isOfClicks) Object.assign(window, { marksClicks: true });
        return addEventListener.call(this, type, ...rest);
      };
    });
    await page.goto(path);
    await page.waitForFunction(() => 'marksClicks' in window);
  }

  test('tabs, cards, hearts, filters, specifications, Buy and the menu are marked in the frame after a click, and work once', async ({
    openTab,
  }) => {
    const { page } = await openTab({ language: 'zh-CN', viewport: phone, token });
    const seen: Record<string, Response> = {};
    const click = async (name: string, control: Locator, done: string) => {
      seen[name] = await responseOf(control, () => control.click(), done);
    };
    const tab = (path: string) => `.shell-tab-bar a[href="${path}"]`;
    await openReady(page, '/home');
    await click('tab', page.locator(tab('/order')), `${tab('/order')}[aria-current="page"]`);
    await click('kept-alive page', page.locator(tab('/home')), `${tab('/home')}[aria-current="page"]`);
    await click('menu', page.getByRole('button', { name: '打开菜单' }), '.shell-drawer__item');
    await openReady(page, '/goods');
    // The shopper's favourites have arrived.
    await contentShown(page);
    const heart = page.locator('.catalog-card__heart').first();
    const isFavourite = (await heart.getAttribute('aria-pressed')) === 'true';
    await click('heart', heart, `.catalog-cards > :first-child .catalog-card__heart[aria-pressed="${!isFavourite}"]`);
    await click('filter', page.locator('.catalog-filter-button'), '[role="dialog"] .catalog-filter');
    await openReady(page, '/goods');
    await click('card', page.locator('.catalog-card').first(), '.catalog-hero');
    await click('value', page.locator('.catalog-spec').nth(1), '.catalog-spec:nth-of-type(2):has(:checked)');
    expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, expected])));
  });

  test('a key works like a click, two clicks count as two, and a new tab is left to the browser', async ({
    openTab,
  }) => {
    const { page } = await openTab({ language: 'zh-CN' });
    await openReady(page, '/home');
    const tab = page.locator('.shell-tab-bar a[href="/goods"], a[href="/goods"]').filter({ visible: true }).first();
    const [newTab] = await Promise.all([page.context().waitForEvent('page'), tab.click({ modifiers: ['Control'] })]);
    await newTab.close();
    await expect(page).toHaveURL(/\/home$/);
    await tab.focus();
    const goods = 'main .catalog-filter-button, main .catalog-filter';
    expect(await responseOf(tab, () => page.keyboard.press('Enter'), goods)).toEqual(expected);
    await openReady(page, '/goods/1');
    const buy = page.getByRole('button', { name: words['zh-CN'].buy });
    await page.locator('.ui-stepper button').last().dblclick();
    await expect(page.locator('.ui-stepper input')).toHaveValue('3');
    expect(await responseOf(buy, () => buy.click(), '[role="dialog"], [aria-invalid="true"]')).toEqual(expected);
  });
});
