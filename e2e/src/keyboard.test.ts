/** A purchase with the keyboard alone: what has the focus is always in sight, and dialogs give it back. */
import type { Browser, Page } from 'playwright-core';
import { desktop, launchBrowser, openTab, phone } from './browser';
import { type Shop, startShop } from './shop';
import { beSignedIn, demoToken, type Language, words } from './steps';

let shop: Shop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

const names = {
  'zh-CN': {
    pay: /^付款 /,
    finished: '已完成',
    reveal: '查看卡密',
    copy: '复制卡密',
    agree: /^(付款|确认|确定)/,
  },
  en: {
    pay: /^Pay /,
    finished: 'Finished',
    reveal: 'View codes',
    copy: 'Copy code',
    agree: /^(Pay|Confirm|OK)/,
  },
} as const;
/** More presses than any page has stops: then there is no way there. */
const mostPresses = 120;

/** The accessible name and role of what has the focus, as assistive technology is told it. */
async function focused(page: Page): Promise<{ name: string; inSight: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    // The page itself gets the focus after a navigation; it is no stop of the keyboard.
    if (!element || element === document.body || element.tabIndex < 0) return { name: '', inSight: true };
    const labels = (element as HTMLInputElement).labels;
    const name =
      element.getAttribute('aria-label') ??
      (labels?.length ? Array.from(labels, (label) => label.textContent).join(' ') : element.textContent) ??
      '';
    const shown = (labels?.[0] && getComputedStyle(element).opacity === '0' ? labels[0] : element) as HTMLElement;
    const box = shown.getBoundingClientRect();
    const middle = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
    const inSight = !!middle && (shown.contains(middle) || middle.contains(shown));
    return { name: name.trim(), inSight };
  });
}

/** Presses Tab until something of that name has the focus. Everything on the way must be in sight. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < mostPresses; press += 1) {
    const at = await focused(page);
    if (!at.inSight) throw new Error(`“${at.name}” has the focus and cannot be seen`);
    if (typeof name === 'string' ? at.name === name : name.test(at.name)) return;
    passed.push(at.name);
    await page.keyboard.press(key);
    // What slides in when it gets the focus is drawn by then.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  }
  throw new Error(`no way to ${name} by ${key}; passed ${passed.join(' | ')}`);
}

describe.each([
  { language: 'zh-CN', width: 390, viewport: phone },
  { language: 'en', width: 1280, viewport: desktop },
] as const)('with the keyboard alone, in $language at $width pixels', ({ language, viewport }) => {
  it('a shopper searches, buys, pays and copies the code', async () => {
    const text = { ...words[language as Language], ...names[language] };
    const { page, context, faults } = await openTab(browser, shop.url, { language, viewport });
    await beSignedIn(page, await demoToken(shop));
    // A sheet that is still sliding in has a focus that cannot be seen yet.
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/home');
    await page.getByRole('link', { name: text.searchLink }).first().waitFor();
    await tabTo(page, text.searchLink);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/search');
    const box = page.getByRole('combobox').or(page.getByRole('searchbox')).first();
    await box.waitFor();
    for (let press = 0; press < mostPresses; press += 1) {
      if (await box.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('ys');
    await page.getByRole('option', { name: text.genshin, exact: true }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/goods/*');

    await page.getByText(text.faceValue).first().waitFor();
    await tabTo(page, text.faceValue);
    await page.keyboard.press('Space');
    await tabTo(page, text.buy);
    await page.keyboard.press('Enter');
    await page.waitForURL('**/order/detail/*');

    await page.getByRole('button', { name: text.pay }).waitFor();
    await tabTo(page, text.pay);
    await page.keyboard.press('Enter');
    await page.getByText(text.finished).first().waitFor();

    await page.getByRole('button', { name: text.reveal }).first().waitFor();
    await tabTo(page, text.reveal);
    await page.keyboard.press('Enter');
    const check = page.getByRole('dialog');
    await check.waitFor();
    // Looked away from, and come back to: the focus is where it was.
    await page.keyboard.press('Escape');
    await check.waitFor({ state: 'detached' });
    expect((await focused(page)).name).toContain(text.reveal);
    await page.keyboard.press('Enter');
    await check.waitFor();
    const password = check.locator('input[type="password"]');
    for (let press = 0; press < mostPresses; press += 1) {
      if (await password.evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('demo1234');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: text.copy }).first().waitFor();
    await tabTo(page, new RegExp(`^${text.copy}`));
    await page.keyboard.press('Enter');
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    await page.getByText(copied, { exact: true }).first().waitFor();
    expect(faults).toEqual([]);
    await context.close();
  }, 120_000);
});
