import fs from 'node:fs';
import { register, tokenByPassword } from './steps';
import { expect, test } from './test';

test('a shopper saves a copy of the data, closes the account and takes that back by signing in', async ({
  shop,
  openTab,
}) => {
  const phone = '13655500018';
  const password = 'longenough1';
  const { page } = await openTab({ token: await register(shop, phone, password) });
  await page.goto('/user/setting');
  await page.getByRole('button', { name: '下载我的数据' }).press('Enter');
  const copy = page.getByRole('dialog', { name: '下载我的数据' });
  await copy.getByRole('textbox', { name: '登录密码' }).fill(password);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    copy.getByRole('button', { name: '下载', exact: true }).press('Enter'),
  ]);
  expect(download.suggestedFilename()).toMatch(/^my-data-.*\.json$/);
  const data = JSON.parse(fs.readFileSync(await download.path(), 'utf8'));
  expect(data).toMatchObject({ profile: [{ phone }], orders: [] });
  await expect(copy).toHaveCount(0);

  await page.getByRole('button', { name: '注销账号' }).press('Enter');
  const closure = page.getByRole('dialog', { name: '注销账号' });
  await closure.getByRole('textbox', { name: '登录密码' }).fill(password);
  await closure.getByRole('button', { name: '注销账号' }).press('Enter');
  await page.getByRole('alertdialog').getByRole('button', { name: '注销账号' }).press('Enter');
  await expect(page).toHaveURL('/home');

  const again = await openTab({ token: await tokenByPassword(shop, phone, password) });
  await again.page.goto('/user/setting');
  await again.page.getByRole('button', { name: '注销账号' }).press('Enter');
  await expect(again.page.getByText(/你上次提交的注销已于 .* 因登录而撤回/)).toBeVisible();
});
