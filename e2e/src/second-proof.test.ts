import { placeOrder, register, tokenByPassword, topUp } from './steps';
import { expect, test } from './test';

const phone = '13922220001';
const password = 'e2e-password';

test('a payment from the wallet on a new device asks for a code, and is then made', async ({ shop, openTab }) => {
  await topUp(shop, await register(shop, phone, password));
  const token = await tokenByPassword(shop, phone, password);
  const { page } = await openTab({ token });
  await page.goto(`/order/detail/${await placeOrder(shop, token)}`);
  await page.getByRole('button', { name: /^付款 / }).click();

  const sheet = page.getByRole('dialog', { name: '验证身份' });
  await expect(sheet).toContainText('这台设备第一次用余额付款');
  await sheet.getByRole('button', { name: '获取验证码' }).click();
  await expect(sheet.getByRole('button', { name: /\d+/ })).toBeVisible();
  await sheet.getByRole('textbox').fill(await shop.codeFor(phone));
  await sheet.getByRole('button', { name: '验证并付款' }).click();
  await expect(page.getByText('已完成').first()).toBeVisible();
});
