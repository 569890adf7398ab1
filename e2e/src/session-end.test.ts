import { demoToken } from './steps';
import { expect, test } from './test';

test('a session that the server ends asks to sign in over the open form, which is then sent as typed', async ({
  shop,
  openTab,
}) => {
  // A session of this test alone: it is ended.
  const token = await demoToken(shop);
  const { page } = await openTab({ token, expectedErrors: /401/ });
  await page.goto('/user/setting');
  await page.getByRole('button', { name: /^昵称/ }).click();
  const sheet = page.getByRole('dialog', { name: '昵称' });
  const nickname = sheet.getByRole('textbox', { name: '昵称' });
  await nickname.fill('没有丢的名字');

  const ended = await fetch(`${shop.url}/api/front/app/logout`, { method: 'POST', headers: { Authorization: token } });
  expect(ended.status).toBe(200);
  await sheet.getByRole('button', { name: '保存' }).click();

  const login = page.getByRole('dialog', { name: '登录' });
  await login.getByRole('tab', { name: '密码登录' }).click();
  await expect(page).toHaveURL('/user/setting');
  await login.getByRole('textbox', { name: '手机号' }).fill('13800000000');
  await login.getByRole('textbox', { name: '密码' }).fill('demo1234');
  await login.getByRole('button', { name: '登录', exact: true }).click();
  await expect(login).toHaveCount(0);

  await expect(nickname).toHaveValue('没有丢的名字');
  await sheet.getByRole('button', { name: '保存' }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^昵称.*没有丢的名字/ })).toBeVisible();
});
