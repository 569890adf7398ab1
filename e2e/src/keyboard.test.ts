import type { Locator, Page } from '@playwright/test';
import { desktop } from './browser';
import { register, textCopiedBy, topUp, words } from './steps';
import { expect, test } from './test';

const names = { pay: /^Pay /, finished: 'Finished', refund: 'Request a refund', copy: /^Copy code/ };
/** More than any page has tab stops. */
const maxPresses = 120;

/** The element that has the focus but cannot be seen. */
const hiddenFocus = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    // After a navigation the page itself has the focus; it is no tab stop.
    if (!element || element === document.body || element.tabIndex < 0) return undefined;
    const { labels } = element as HTMLInputElement;
    const shown = (labels?.[0] && getComputedStyle(element).opacity === '0' ? labels[0] : element) as HTMLElement;
    const box = shown.getBoundingClientRect();
    const middle = document.elementFromPoint(box.x + box.width / 2, box.y + Math.min(box.height / 2, 20));
    return middle && (shown.contains(middle) || middle.contains(shown)) ? undefined : element.outerHTML;
  });

async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let press = 0; press < maxPresses; press += 1) {
    const hidden = await hiddenFocus(page);
    if (hidden) throw new Error(`this has the focus and cannot be seen: ${hidden}`);
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    // An element that slides in on focus has been painted by then.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  }
  throw new Error(`Tab does not reach ${control}`);
}

test('a shopper searches, buys, pays and copies the code by keyboard', async ({ shop, openTab }) => {
  const token = await register(shop, '13922220004', 'e2e-password');
  await topUp(shop, token, 'en');
  const text = { ...words.en, ...names };
  // With motion, a sheet that is still sliding in would count as invisible.
  const { page } = await openTab({ language: 'en', viewport: desktop, token, reducedMotion: 'reduce' });
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  await page.goto('/home');
  await tabTo(page, page.getByRole('link', { name: text.searchLink }).first());
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/search');
  await tabTo(page, page.getByRole('combobox').first());
  await page.keyboard.type('ys');
  await expect(page.getByRole('option', { name: text.genshin, exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/goods\/\d+/);

  await tabTo(page, page.getByRole('radio', { name: text.faceValue }));
  await page.keyboard.press('Space');
  await tabTo(page, button(text.buy));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/order\/detail\//);

  await tabTo(page, button(text.pay));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: text.finished })).toBeFocused();

  await tabTo(page, button(text.copy));
  const copied = await textCopiedBy(page, () => page.keyboard.press('Enter'));
  await expect(page.getByText(copied, { exact: true }).first()).toBeVisible();

  await tabTo(page, button(text.refund));
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  await expect(button(text.refund)).toBeFocused();
});
