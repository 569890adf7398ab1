/** Pictures of the staff console for docs/screens.md. */
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { desktop, openTab, phone } from './browser';
import { root, type Shop } from './shop';
import { addStaff, buyManual, signInAsStaff } from './staff-steps';
import { call, tokenOfNewShopper, topUp } from './steps';

const folder = path.join(root, 'docs', 'images', 'staff');

const pictures = [
  { name: 'queue', place: 'queue', shows: 'Internal note' },
  { name: 'product', place: 'goods/edit/roblox-card', shows: 'Category' },
  { name: 'home', place: 'home', shows: 'Add a banner' },
  { name: 'reports', place: 'reports', shows: 'Paid orders' },
] as const;

/** Of a shop with orders that wait, one of them taken and its buyer asked. */
export async function drawStaff(browser: Browser, shop: Shop): Promise<void> {
  const manager = await addStaff(shop, 'Ann');
  const shopper = await tokenOfNewShopper(shop, '13700000052');
  await topUp(shop, shopper);
  const orders: string[] = [];
  for (const name of ['fang', 'li', 'wei']) orders.push(await buyManual(shop, shopper, `${name}@example.com`));
  const [order = ''] = orders;
  const { page, context } = await openTab(browser, shop.url, { viewport: desktop, theme: 'light' });
  await page.addInitScript(() => localStorage.setItem('staff.language', 'en'));
  await page.goto(`${shop.staffUrl}/staff`);
  await signInAsStaff(page, manager);
  await open(page, `queue/${order}`, order);
  await page.getByRole('button', { name: /^Take/ }).click();
  await page.getByRole('button', { name: /^Ask the buyer/ }).click();
  await page.getByLabel('Question').fill('Is this the e-mail address of your account?');
  await page.getByRole('button', { name: 'Send' }).click();
  await page.getByText('No reply yet.', { exact: false }).waitFor();
  await call(shop, '/api/front/order/answer', shopper, { order_no: order, answer: 'Yes, it is.' });
  await page.getByText('The buyer replied', { exact: false }).waitFor();
  for (const { name, place, shows } of pictures) {
    await open(page, name === 'queue' ? `queue/${order}` : place, shows);
    await shoot(page, name);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(phone);
  await open(page, 'queue', 'waiting');
  await shoot(page, 'queue-390');
  await context.close();
}

async function open(page: Page, place: string, shows: string): Promise<void> {
  await page.evaluate((to) => location.assign(`#/${to}`), place);
  await page.getByText(shows).first().waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

const shoot = async (page: Page, name: string) =>
  sharp(await page.screenshot())
    .webp({ quality: 80 })
    .toFile(path.join(folder, `${name}.webp`));
