import type { Page } from '@playwright/test';
import { codeNow } from '@shop/backoffice/testing';
import { expectNoFaults } from './audit';
import { desktop, phone } from './browser';
import { addStaff, buyManual, signInAsStaff } from './staff-steps';
import { call, tokenOfNewShopper, topUp } from './steps';
import { expect, test } from './test';

async function setUpAccount(page: Page, address: string): Promise<void> {
  const token = new URL(address).hash.slice(1);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
  await page.addInitScript(() => localStorage.setItem('staff.language', 'zh-CN'));
  await page.goto(address);
  for (const label of ['密码', '再次输入密码'])
    await page.getByLabel(label, { exact: true }).fill('kelp-orbit-94-wagon');
  await expectNoFaults(page);
  await page.getByRole('button', { name: '下一步' }).click();
  const code = page.getByLabel('动态码', { exact: true });
  await expect(code).toBeVisible();
  await expectNoFaults(page);
  await code.fill(codeNow((await page.locator('a[href^="otpauth:"]').getAttribute('href')) ?? ''));
  await page.getByRole('button', { name: '完成并登录' }).click();
  await expect(page).toHaveURL(/\/staff$/);
  await expect(page.getByRole('button', { name: '菜单' })).toBeVisible();
  // The token is in bodies only, not in an address or a Referer.
  expect(sent.filter((request) => request.includes('/staff/api/setup'))).not.toEqual([]);
  expect(sent.filter((request) => request.includes(token) && !request.startsWith(`${address} `))).toEqual([]);
  await page.goto(address);
  await expect(page.getByRole('alert')).toBeVisible();
}

test('a manager signs in, delivers a newly arrived order by keyboard alone, restocks codes and invites a colleague', async ({
  shop,
  openTab,
}) => {
  const manager = await addStaff(shop, `Ann ${Date.now()}`);
  const shopper = await tokenOfNewShopper(shop, `137${String(Date.now()).slice(-8)}`);
  await topUp(shop, shopper);
  const { page } = await openTab({ viewport: desktop, theme: 'dark', expectedErrors: /status of 400/ });
  await page.addInitScript(() => localStorage.setItem('staff.language', 'en'));
  await page.goto(`${shop.staffUrl}/staff`);
  await expect(page.getByRole('heading', { name: 'Sign in to the staff console' })).toBeVisible();
  await expectNoFaults(page);
  await signInAsStaff(page, { ...manager, password: 'wrong' });
  await expect(page.getByRole('alert')).toHaveText('Wrong name, password or code');
  await signInAsStaff(page, manager);
  await expect(page.getByRole('heading', { name: /^Queue/ })).toBeVisible();

  const cut = await page
    .getByRole('banner')
    .evaluate((side) => [side.scrollWidth - side.clientWidth, side.scrollHeight - side.clientHeight]);
  expect(cut).toEqual([0, 0]);

  const email = 'somebody@example.com';
  const order = await buyManual(shop, shopper, email);
  const item = page.getByRole('row').filter({ has: page.locator(`a[href$="${order}"]`) });
  await expect(item).toContainText('left');
  // Orders of concurrent tests may be in front of it.
  const place = () => page.evaluate(() => location.hash);
  for (let step = 0; step < 50 && !(await place()).endsWith(order); step++) await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await expect(item).toContainText('Mine');
  await expect(page.getByText(email)).toBeHidden();
  // The note has the focus, so it receives the characters.
  await expect(page.getByLabel('Note')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.keyboard.press('o');
  await expect(page.getByText(email)).toBeVisible();
  await expectNoFaults(page, [phone, desktop]);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await page.keyboard.type('topped up by hand');
  await page.keyboard.press('Control+Enter');
  await expect(item).toBeHidden();
  expect(await call(shop, `/api/front/order/info?order_no=${order}`, shopper)).toMatchObject({ status: 30 });

  await page.evaluate((to) => location.assign(`#/order/${to}`), order);
  await page.locator('a[href^="#/shopper/"]').click();
  const wallet = page.getByRole('form', { name: 'Adjust the wallet' });
  await wallet.getByLabel('Amount').fill('1.50');
  await wallet.getByLabel('Reason').fill('delivered late');
  await expectNoFaults(page, [phone, desktop]);
  await wallet.getByRole('button', { name: 'Submit' }).click();
  await expect(page.getByText('Done: ¥1.50')).toBeVisible();
  await expect(page.getByText('delivered late')).toBeVisible();
  const account = page.getByRole('form', { name: 'Account' });
  await account.getByLabel('Account').selectOption('Download their data');
  const download = page.waitForEvent('download');
  await account.getByRole('button', { name: 'Submit' }).click();
  expect((await download).suggestedFilename()).toMatch(/^person-\d+\.json$/);

  await page.getByRole('link', { name: /^Stock/ }).click();
  await page.getByLabel('Search products').fill('roblox');
  await page.keyboard.press('Enter');
  const values = page.getByRole('row', { name: /roblox-card/ });
  await expectNoFaults(page, [phone, desktop]);
  await values.getByRole('link').first().click();
  const code = `E2E-${Date.now()}`;
  await page.getByLabel('Codes', { exact: true }).fill(`${code} pw\n${code} pw\nnot a code at all`);
  await page.getByRole('button', { name: 'Check' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Duplicate of line 1' })).toContainText(
    '2 lines have errors',
  );
  await expectNoFaults(page);
  await page.getByRole('button', { name: 'Import only the valid one' }).click();
  await expect(page.getByRole('checkbox', { name: code.slice(-4) })).toBeVisible();

  await page.getByRole('link', { name: 'Reports' }).click();
  await expect(page.getByRole('img').first()).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole('link', { name: 'Audit log' }).click();
  await expect(page.getByRole('article').filter({ hasText: manager.name }).first()).toBeVisible();
  await expectNoFaults(page);

  await page.getByRole('link', { name: 'People' }).click();
  await page.getByLabel('Name').fill(`Zoe ${Date.now()}`);
  await page.getByRole('button', { name: 'Add a staff member' }).click();
  const invitation = page.getByRole('dialog', { name: /^One-time link for Zoe/ });
  await expectNoFaults(page, [phone, desktop]);
  const [address = ''] = /http\S+\/staff\/setup#[\w-]+/.exec(await invitation.innerText()) ?? [];
  await invitation.getByRole('button', { name: 'Close' }).click();
  await setUpAccount((await openTab({ expectedErrors: /status of 400/ })).page, address);

  await page.setViewportSize(phone);
  await page.getByRole('button', { name: 'Menu' }).click();
  await expectNoFaults(page);
  await page.getByRole('button', { name: '中文' }).click();
  await page.getByRole('link', { name: '店员' }).click();
  await expect(page.getByRole('heading', { name: '店员', exact: true })).toBeVisible();
  await expect(page.getByText(manager.name, { exact: true })).toBeVisible();
  await expectNoFaults(page);
  await page.getByRole('button', { name: '菜单' }).click();
  await page.getByRole('link', { name: '我的账号' }).click();
  await page.getByRole('button', { name: '退出登录' }).click();
  await expect(page.getByRole('heading', { name: '登录店员后台' })).toBeVisible();
});
