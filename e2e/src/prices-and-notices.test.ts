/** A day of prices by quantity and level, and one of notices, on both sides of the counter. */
import type { Page } from 'playwright-core';
import { desktop, phone } from './browser';
import type { Shop } from './shop';
import { addStaff, buyManual, openConsoleAt } from './staff-steps';
import { call, signInWithToken, tokenOfNewShopper, topUp } from './steps';
import { expect, startOwnShop, test } from './test';

test.describe.configure({ mode: 'default' });

const staffMail = 'staff@shop.example';
let shop: Shop;
test.beforeAll(async () => {
  shop = await startOwnShop({ STAFF_MAIL_TO: staffMail });
});
test.afterAll(() => shop?.stop());

const goTo = (staff: Page, place: string) => staff.evaluate((to) => location.assign(`#/${to}`), place);

test('staff set a price by quantity and a level; its shopper sees both and pays them, and the figures say what they cost', async ({
  openTab,
}) => {
  const token = await tokenOfNewShopper(shop, '13911110001');
  await topUp(shop, token);
  const { id } = await call<{ id: number }>(shop, '/api/front/user/info', token);

  const { page: staff } = await openTab({ url: shop.url, viewport: desktop, expectedErrors: /400/ });
  await openConsoleAt(staff, shop, await addStaff(shop, 'Ann'), 'goods/edit/genshin-card');
  const value = staff.getByRole('group', { name: /^Value 1 / });
  await value.locator('summary').click();
  await value.getByRole('button', { name: 'Add a quantity discount' }).click();
  await value.getByLabel('From quantity').fill('5');
  await value.getByLabel('Price (CNY)').fill('5.00');
  await staff.getByRole('button', { name: /^Save/ }).click();
  await expect(staff.getByText('Saved', { exact: true })).toBeVisible();

  await goTo(staff, 'levels/new/level-silver');
  await staff.getByLabel('Name (Chinese)').fill('白银');
  await staff.getByLabel('Name (English)').fill('Silver');
  await staff.getByLabel('Customer pays (%)').fill('90');
  await staff.getByRole('button', { name: /^Save/ }).click();
  await staff.waitForURL(/#\/levels\/edit\//);
  await goTo(staff, `shopper/${id}`);
  const level = staff.getByRole('region', { name: 'Level' });
  await level.getByLabel('Reason').fill('a loyal buyer');
  await level.getByRole('button', { name: 'Submit' }).click();
  await expect(level.getByText(/^Silver, no end date/)).toBeVisible();

  const { page } = await openTab({ url: shop.url, viewport: phone });
  await signInWithToken(page, shop, token);
  await page.goto('/goods/1');
  await page.getByRole('radio', { name: /^60 创世结晶/ }).click();
  const quantity = page.getByRole('spinbutton', { name: '购买数量' });
  await quantity.fill('5');
  await quantity.blur();
  const steps = page.getByRole('table', { name: '数量优惠' });
  await expect(steps.getByRole('row', { name: /5 件起.*当前.*¥5\.00/ })).toBeVisible();
  for (const part of ['满 5 件', '白银']) await expect(page.getByRole('term').filter({ hasText: part })).toBeVisible();
  await page.getByRole('button', { name: '立即购买' }).click();
  // Five of 5.76: by the step 5.00 each, and nine tenths of that by the level.
  await page.getByRole('button', { name: '付款 ¥22.50' }).click();
  await expect(page.getByRole('button', { name: '复制卡密' })).toHaveCount(5);

  await goTo(staff, 'reports');
  const costs = staff.getByRole('table', { name: 'Quantity and level discounts' });
  await expect(costs.getByRole('row', { name: /Silver.*¥2\.50/ })).toBeVisible();
  await expect(costs.getByRole('row', { name: /¥3\.80/ })).toBeVisible();
});

interface Mail {
  subject: string;
  text: string;
}
/** The newest of that subject in the development outbox, once it is there. */
async function mailTo(address: string, subject: RegExp): Promise<Mail> {
  let found: Mail | undefined;
  const look = async () => {
    const mails = (await (await fetch(`${shop.url}/dev/mails.json?to=${address}`)).json()) as Mail[];
    found = mails.find((mail) => subject.test(mail.subject));
    return found !== undefined;
  };
  // A job looks for what is back each half minute.
  await expect.poll(look, { message: `a mail ${subject}`, timeout: 180_000 }).toBe(true);
  return found as Mail;
}
/** Of the shop, in a mail. */
const addressIn = ({ text }: Mail, path: string) => text.split('\n').find((line) => line.includes(path)) ?? '';

test('a shopper is told of a delivery and of what is back, staff of the order; one press ends the emails', async ({
  openTab,
}) => {
  const email = 'fang@mail.example';
  const token = await tokenOfNewShopper(shop, '13911110002');
  await topUp(shop, token);
  await call(shop, '/api/front/user/info', token, { email });
  const { page } = await openTab({ url: shop.url, viewport: phone });
  await signInWithToken(page, shop, token);
  await page.goto('/user/notices');
  await page.getByRole('button', { name: '发送确认邮件' }).click();
  await page.goto(addressIn(await mailTo(email, /^确认/), '/notices/confirm'));
  await page.getByRole('button', { name: '确认邮箱' }).click();
  await expect(page.getByText('邮箱已确认。')).toBeVisible();
  await page.goto('/goods/1');
  await page.getByRole('list', { name: '到货提醒我：' }).getByRole('button', { name: '6480+1600 创世结晶' }).click();
  await expect(page.getByText('到货后会发邮件告诉你')).toBeVisible();

  const { page: staff } = await openTab({ url: shop.url, viewport: desktop, expectedErrors: /400/ });
  await openConsoleAt(staff, shop, await addStaff(shop, 'Ben'), 'stock/of/genshin-card/6480');
  await staff.getByLabel('Codes', { exact: true }).fill('GENSHIN-6480 pw');
  await staff.getByRole('button', { name: 'Check' }).click();
  await staff.getByRole('button', { name: 'Import 1' }).click();
  await expect(staff.getByText('1 code imported')).toBeVisible();

  const orderNo = await buyManual(shop, token, email);
  expect((await mailTo(staffMail, /^新订单待处理 · Order to deliver: YouTube Premium/)).text).toContain(orderNo);
  await goTo(staff, `queue/${orderNo}`);
  await staff.getByRole('button', { name: /^Take/ }).click();
  await staff.getByLabel('Note').fill('topped up by hand');
  await staff.getByRole('button', { name: /^Deliver/ }).click();
  await expect(staff.getByText('Delivered', { exact: true })).toBeVisible();

  const delivered = await mailTo(email, /^已交付：YouTube Premium/);
  expect(delivered.text).toContain(`/order/detail/${orderNo}`);
  expect(delivered.text).not.toContain('topped up');
  expect((await mailTo(email, /^已到货：原神 6480\+1600 创世结晶/)).text).toContain('/goods/1\n');
  await page.goto(addressIn(delivered, '/notices/stop'));
  await page.getByRole('button', { name: '停止此类邮件' }).click();
  await expect(page.getByText(/^已停止/)).toBeVisible();
  await page.goto('/user/notices');
  await expect(page.getByRole('switch', { name: '订单已交付：邮件' })).not.toBeChecked();
  await expect(page.getByRole('switch', { name: '到货提醒：邮件' })).toBeChecked();
});
