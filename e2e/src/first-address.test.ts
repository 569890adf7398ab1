import { expect, test } from './test';

for (const { what, opened, shown } of [
  { what: 'a page behind the guard, for a guest', opened: '/user/coupon', shown: '/home' },
  { what: 'the root', opened: '/', shown: '/home' },
  { what: 'no page', opened: '/no/such/page', shown: '/404' },
])
  test(`Back from an address of ${what} leads to the previous page`, async ({ openTab }) => {
    // Browsers report the status of that document.
    const { page } = await openTab({ language: 'zh-CN', expectedErrors: /status of 404 .*\/no\/such\/page$/ });
    await page.goto('/goods');
    await page.goto(opened);
    await expect(page).toHaveURL(shown);
    const dialog = page.getByRole('dialog', { name: '登录' });
    await expect(dialog).toHaveCount(opened === '/user/coupon' ? 1 : 0);
    if (opened === '/user/coupon') {
      await page.goBack();
      await expect(dialog).toHaveCount(0);
      await expect(page).toHaveURL(shown);
    }
    await page.goBack();
    await expect(page).toHaveURL('/goods');
    await expect(page.getByRole('heading', { level: 1, name: '全部游戏' })).toBeVisible();
    await expect(page.getByRole('dialog')).toHaveCount(0);
  });
