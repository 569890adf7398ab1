/** A day of invitations and of checks of payments, on both sides of the counter. */
import type { Page } from 'playwright-core';
import { desktop, phone } from './browser';
import type { Shop } from './shop';
import { addStaff, type Credentials, callAsStaff, openConsoleAt } from './staff-steps';
import { call, placeOrder, signInWithToken, tokenOfNewShopper, topUp } from './steps';
import { expect, startOwnShop, test } from './test';

let shop: Shop;
let manager: Credentials;
test.beforeAll(async () => {
  shop = await startOwnShop();
  manager = await addStaff(shop, 'Ann');
});
test.afterAll(() => shop?.stop());

test('a shopper invites a friend by a link, whose order is held for a look, released by one press, and shows its codes', async ({
  openTab,
}) => {
  const { page: staff } = await openTab({ url: shop.url, viewport: desktop, expectedErrors: /400/ });
  await openConsoleAt(staff, shop, manager, 'coupons');
  await staff.getByRole('link', { name: 'No-minimum coupon' }).click();
  await staff.getByRole('checkbox', { name: 'Give it to inviters' }).check();
  await staff.getByRole('button', { name: /^Save/ }).click();
  await expect(staff.getByText('Saved').first()).toBeVisible();

  // The shopper's own page, with the link and its QR code.
  const inviter = await tokenOfNewShopper(shop, '13911110001');
  const { page: own } = await openTab({ url: shop.url, viewport: phone });
  await signInWithToken(own, shop, inviter);
  await own.goto('/user');
  await own.getByRole('link', { name: '邀请好友' }).click();
  const { invite_code } = await call<{ invite_code: string }>(shop, '/api/front/user/invite', inviter);
  await expect(own.getByText(`${shop.url}/invite?invite_code=${invite_code}`)).toBeVisible();
  await own.getByRole('button', { name: '显示二维码' }).click();
  await expect(own.getByRole('img', { name: '邀请链接的二维码' })).toBeVisible();
  const saved = own.waitForEvent('download');
  await own.getByRole('button', { name: '保存图片' }).click();
  expect((await saved).suggestedFilename()).toBe(`${invite_code}.png`);

  // The friend looks around first and registers on another page.
  const { page: friend } = await openTab({ url: shop.url, viewport: phone });
  await friend.goto(`/invite?invite_code=${invite_code}`);
  await expect(friend.getByRole('heading', { name: '好友邀请你加入' })).toBeVisible();
  await friend.getByRole('link', { name: '先逛逛' }).click();
  await friend.waitForURL('**/home');
  const friendPhone = '13911110002';
  await call(shop, '/api/front/app/send_code', '', { phone: friendPhone });
  const verify = await shop.codeFor(friendPhone);
  const token = await friend.evaluate(
    async (body) => {
      const answer = await fetch('/api/front/app/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const { data } = await answer.json();
      return `${data.token_type} ${data.access_token}`;
    },
    { phone: friendPhone, login_type: 'verify', verify },
  );
  await own.reload();
  await expect(own.getByText('等待首单')).toBeVisible();

  await callAsStaff(shop, 'hold-settings/save', {
    key: 'shop',
    revision: await revisionOf(staff),
    value: {
      enabled: true,
      from: { CNY: '1.00', USD: '' },
      new_account_hours: null,
      codes_per_hour: null,
      countries: '',
      networks: false,
      minutes: 30,
      at_end: 'release',
    },
  });
  await topUp(shop, token);
  const orderNo = await placeOrder(shop, token);
  await call(shop, '/api/front/payment/balance', token, { order_no: orderNo });
  await signInWithToken(friend, shop, token);
  await friend.goto(`/order/detail/${orderNo}`);
  await expect(friend.getByText(/我们正在核查这笔付款，最多 30 分钟。/)).toBeVisible();

  await staff.evaluate((to) => location.assign(`#/queue/${to}`), orderNo);
  await expect(staff.getByText(/Held before delivery for a check: a large amount/)).toBeVisible();
  await staff.getByRole('button', { name: 'Release' }).click();
  await expect(staff.getByText('Released').first()).toBeVisible();
  await friend.reload();
  await expect(friend.getByText('已完成').first()).toBeVisible();
  await expect(async () => {
    await own.reload();
    await expect(own.getByText('已送券')).toBeVisible();
  }).toPass();
});

/** Of the rules as they stand. */
const revisionOf = (page: Page): Promise<string> =>
  page.evaluate(
    async () =>
      (await (await fetch('/staff/api/hold-settings/shop', { headers: { 'x-staff': 'act' } })).json()).data.revision,
  );
