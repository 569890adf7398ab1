/** A session ended by the server while a form stands open: nothing that was typed is lost, in the whole shop with its real remotes. */
import type { Browser } from 'playwright-core';
import { launchBrowser, openTab } from './browser';
import { type Shop, startShop } from './shop';
import { beSignedIn, demoToken } from './steps';

let shop: Shop;
let browser: Browser;
beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

it('asks to sign in over the open form, and the form is sent as it was typed', async () => {
  const token = await demoToken(shop);
  const { page, context, faults } = await openTab(browser, shop.url);
  await beSignedIn(page, token);
  await page.goto('/user/setting');
  await page.getByRole('button', { name: /^昵称/ }).click();
  const sheet = page.getByRole('dialog', { name: '昵称' });
  await sheet.getByRole('textbox', { name: '昵称' }).fill('没有丢的名字');

  const ended = await fetch(`${shop.url}/api/front/app/logout`, { method: 'POST', headers: { Authorization: token } });
  expect(ended.status).toBe(200);
  await sheet.getByRole('button', { name: '保存' }).click();

  const login = page.getByRole('dialog', { name: '登录' });
  await login.getByRole('tab', { name: '密码登录' }).click();
  expect(new URL(page.url()).pathname).toBe('/user/setting');
  await login.getByRole('textbox', { name: '手机号' }).fill('13800000000');
  await login.getByRole('textbox', { name: '密码' }).fill('demo1234');
  await login.getByRole('button', { name: '登录', exact: true }).click();
  await login.waitFor({ state: 'detached' });

  expect(await sheet.getByRole('textbox', { name: '昵称' }).inputValue()).toBe('没有丢的名字');
  await sheet.getByRole('button', { name: '保存' }).click();
  await sheet.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^昵称.*没有丢的名字/ }).waitFor();
  expect(faults).toEqual([]);
  await context.close();
});
