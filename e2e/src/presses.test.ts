/** The frame after a press shows it, and its work begins after that frame (docs/adr/0008-input-responsiveness.md). */
import type { Locator, Page } from '@playwright/test';
import { phone } from './browser';
import { demoToken, signInWithToken, words } from './steps';
import { expect, test } from './test';

interface Answer {
  /** In the frame after the press. */
  isMarked: boolean;
  /** What the control led to was not there yet. */
  isFirst: boolean;
  /** Clicks that reached the page, until the mark was taken away. */
  clicks: number;
}

/** Presses a control; `done` is there once the press has had its effect. */
async function answerOf(control: Locator, press: () => Promise<void>, done: string): Promise<Answer> {
  await control.evaluate((element, done) => {
    const isDone = () => [...document.querySelectorAll(done)].some((one) => one.checkVisibility());
    const answer = { isMarked: false, isFirst: false, clicks: 0 };
    Object.assign(window, { answer });
    const count = () => {
      answer.clicks += 1;
    };
    document.addEventListener('click', count, { capture: true });
    const look = () => {
      answer.isMarked = element.hasAttribute('data-pressed');
      answer.isFirst = !isDone();
    };
    window.addEventListener('click', () => requestAnimationFrame(look), { capture: true, once: true });
  }, done);
  await press();
  await expect(control.page().locator(done).filter({ visible: true }).first()).toBeVisible();
  await expect(control.page().locator('[data-pressed]')).toHaveCount(0);
  return control.page().evaluate(() => (window as unknown as { answer: Answer }).answer);
}

/** Opens an address and waits for the listener of presses, which comes when the scripts have run. */
async function openAnswering(page: Page, path: string): Promise<void> {
  await page.addInitScript(() => {
    const { addEventListener } = EventTarget.prototype;
    EventTarget.prototype.addEventListener = function (this: EventTarget, type: string, ...rest: [never]) {
      const isOfPresses = this === window && type === 'click' && String(rest[0]).includes('dataset.pressed');
      if (isOfPresses) Object.assign(window, { answersPresses: true });
      return addEventListener.call(this, type, ...rest);
    };
  });
  await page.goto(path);
  await page.waitForFunction(() => 'answersPresses' in window);
}

const answered: Answer = { isMarked: true, isFirst: true, clicks: 1 };

test('tabs, cards, hearts, filters, values, Buy and the menu are marked in the frame after a press, and work once after it', async ({
  openTab,
  shop,
}) => {
  const { page } = await openTab({ language: 'zh-CN', viewport: phone });
  await signInWithToken(page, shop, await demoToken(shop));
  const seen: Record<string, Answer> = {};
  const click = async (name: string, control: Locator, done: string) => {
    seen[name] = await answerOf(control, () => control.click(), done);
  };
  await openAnswering(page, '/home');
  await click(
    'tab',
    page.locator('.shell-tab-bar a[href="/order"]'),
    '.shell-tab-bar a[href="/order"][aria-current="page"]',
  );
  await click(
    'kept page',
    page.locator('.shell-tab-bar a[href="/home"]'),
    '.shell-tab-bar a[href="/home"][aria-current="page"]',
  );
  await click('menu', page.getByRole('button', { name: '打开菜单' }), '.shell-drawer__item');
  await openAnswering(page, '/goods');
  const heart = page.locator('.catalog-card__heart').first();
  const pressed = (await heart.getAttribute('aria-pressed')) === 'true';
  await click('heart', heart, `.catalog-cards > :first-child .catalog-card__heart[aria-pressed="${!pressed}"]`);
  await click('filter', page.locator('.catalog-filter-button'), '[role="dialog"] .catalog-filter');
  await openAnswering(page, '/goods');
  await click('card', page.locator('.catalog-card').first(), '.catalog-hero');
  await click('value', page.locator('.catalog-spec').nth(1), '.catalog-spec:nth-of-type(2):has(:checked)');
  expect(seen).toEqual(Object.fromEntries(Object.keys(seen).map((name) => [name, answered])));
});

test('a key presses as a finger does, two presses are two, and a new tab is the browser’s own', async ({ page }) => {
  await openAnswering(page, '/home');
  const tab = page.locator('.shell-tab-bar a[href="/goods"], a[href="/goods"]').filter({ visible: true }).first();
  const [other] = await Promise.all([page.context().waitForEvent('page'), tab.click({ modifiers: ['Control'] })]);
  await other.close();
  await expect(page).toHaveURL(/\/home$/);
  await tab.focus();
  expect(
    await answerOf(tab, () => page.keyboard.press('Enter'), 'main .catalog-filter-button, main .catalog-filter'),
  ).toEqual(answered);
  await openAnswering(page, '/goods/1');
  const buy = page.getByRole('button', { name: words['zh-CN'].buy });
  await page.locator('.ui-stepper button').last().dblclick();
  await expect(page.locator('.ui-stepper input')).toHaveValue('3');
  expect(await answerOf(buy, () => buy.click(), '[role="dialog"], [aria-invalid="true"]')).toEqual(answered);
});
