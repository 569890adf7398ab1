import type { Page } from '@playwright/test';
import { desktop } from './browser';
import { register, textCopiedBy, topUp, words } from './steps';
import { expect, test } from './test';

const names = { pay: /^Pay /, finished: 'Finished', refund: 'Request a refund', copy: 'Copy code' };
/** More than any page has tab stops. */
const maxPresses = 120;

async function focused(page: Page): Promise<{ name: string; inSight: boolean }> {
  return page.evaluate(() => {
    const element = document.activeElement as HTMLElement | null;
    // After a navigation the page itself has the focus; it is no tab stop.
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

async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < maxPresses; press += 1) {
    const at = await focused(page);
    if (!at.inSight) throw new Error(`“${at.name}” has the focus and cannot be seen`);
    if (typeof name === 'string' ? at.name === name : name.test(at.name)) return;
    passed.push(at.name);
    await page.keyboard.press('Tab');
    // An element that slides in on focus has been painted by then.
    await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted))));
  }
  throw new Error(`Tab does not reach ${name}; passed ${passed.join(' | ')}`);
}

test('a shopper searches, buys, pays and copies the code by keyboard', async ({ shop, openTab }) => {
  const token = await register(shop, '13922220004', 'e2e-password');
  await topUp(shop, token, 'en');
  const text = { ...words.en, ...names };
  const { page } = await openTab({ language: 'en', viewport: desktop, token });
  await page.goto('/home');
  const search = page.getByRole('link', { name: text.searchLink }).or(page.getByRole('combobox'));
  await expect(search.first()).toBeVisible();
  await tabTo(page, text.searchLink);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/search');
  // The field of the header.
  await tabTo(page, text.searchLink);
  await page.keyboard.type('ys');
  await expect(page.getByRole('option', { name: text.genshin, exact: true })).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/goods\/\d+/);

  await expect(page.getByText(text.faceValue).first()).toBeVisible();
  await tabTo(page, text.faceValue);
  await page.keyboard.press('Space');
  await tabTo(page, text.buy);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/order\/detail\//);

  await expect(page.getByRole('button', { name: text.pay })).toBeVisible();
  await tabTo(page, text.pay);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: text.finished })).toBeFocused();

  await expect(page.getByRole('button', { name: text.copy }).first()).toBeVisible();
  await tabTo(page, new RegExp(`^${text.copy}`));
  const copied = await textCopiedBy(page, () => page.keyboard.press('Enter'));
  await expect(page.getByText(copied, { exact: true }).first()).toBeVisible();

  await tabTo(page, text.refund);
  await page.keyboard.press('Enter');
  const sheet = page.getByRole('dialog');
  await expect(sheet).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(sheet).toHaveCount(0);
  expect((await focused(page)).name).toBe(text.refund);
});
