import type { Locator, Page } from '@playwright/test';
import { audit as auditPage } from './audit';
import { desktop, phone } from './browser';
import { navigate } from './navigation';
import { guardedRoutes } from './routes';
import { orderAllowing, placeOrder, tokenOfNewShopper, visibleButton } from './steps';
import { expect, test } from './test';

const withoutData = ['/user', '/user/invite', '/user/password', '/user/setting'];
const pagesWithData = [
  ...['/home', '/goods', '/goods/1', '/article/guide'],
  ...guardedRoutes.filter((path) => !withoutData.includes(path)),
];
const emptyPages = [
  '/order',
  '/user/favourite',
  '/order/notices',
  '/user/wallet',
  '/search?keyword=zzzzzz',
  '/user/log',
];
/** Calls of the shell itself: without them no page is shown, in any state. */
const shellCalls = /\/api\/front\/(app\/config|user\/info|coupon\/check)/;

const anyDialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'));

/** The first page loads; the others navigate by links, which restarts neither the application nor axe. */
const open = (page: Page, path: string) => (page.url() === 'about:blank' ? page.goto(path) : navigate(page, path));

/** Each sheet and each state of a page once, half of them on a phone and half on a desktop; sheets of phones only in both themes. */
for (const { language, viewport, theme } of [
  { language: 'zh-CN', viewport: phone, theme: 'light' },
  { language: 'en', viewport: desktop, theme: 'dark' },
] as const) {
  const audit = (page: Page, where: string) => auditPage(page, where, [theme]);
  const ofThisWidth = <One>(all: readonly One[]): readonly One[] =>
    all.filter((_, index) => index % 2 === Number(viewport === desktop));

  test.describe(`pages and dialogs in ${language} at ${viewport.width} pixels, ${theme}`, () => {
    test('the dialogs of a guest have no fault: menu, support, sign-in, registration, with their errors', async ({
      openTab,
    }) => {
      const { page } = await openTab({ language, viewport });
      const faults: string[] = [];
      const look = async (opener: Locator, dialog: Locator, what: string, themes?: [typeof theme]) => {
        await opener.click();
        await expect(dialog).toBeVisible();
        faults.push(...(await auditPage(page, what, themes)));
      };
      await page.goto('/home');
      // A desktop has the links of the menu in its header and footer.
      if (viewport === phone) {
        await look(visibleButton(page, /^打开菜单$/), page.getByRole('dialog'), 'menu');
        await page.goto('/goods');
        await look(visibleButton(page, /^筛选$/), page.getByRole('dialog'), 'filters');
      } else {
        const support = page.getByRole('contentinfo').getByRole('button', { name: 'Contact support' });
        await look(support, page.getByRole('dialog', { name: 'Contact support' }), 'support', [theme]);
        await page.keyboard.press('Escape');
      }

      await page.goto('/user');
      const login = page.getByRole('dialog');
      await expect(login).toBeVisible();
      if (language === 'en') {
        await login.getByRole('button', { name: 'Use email instead' }).click();
        faults.push(...(await audit(page, 'sign-in')));
      } else {
        await look(
          login.getByRole('button', { name: '登录' }),
          login.locator('[aria-invalid="true"]').first(),
          'sign-in with errors',
          [theme],
        );
        const register = login.getByRole('button', { name: '注册' });
        await look(register, page.getByRole('dialog', { name: '注册' }), 'registration', [theme]);
      }
      expect(faults).toEqual([]);
    });

    test('the sheets of a signed-in shopper have no fault: coupons, codes, refund, cancel, delete, profile, sign-out', async ({
      shop,
      demoToken,
      openTab,
    }) => {
      const { page } = await openTab({ language, viewport, token: demoToken });
      const faults: string[] = [];
      const finished = `/order/detail/${await orderAllowing('reveal', shop, demoToken)}`;
      const refundable = `/order/detail/${await orderAllowing('refund', shop, demoToken)}`;
      const unpaid = `/order/detail/${await placeOrder(shop, demoToken)}`;
      const sheets: Array<[what: string, path: string, opener: RegExp]> = [
        ['coupon picker', '/goods/1', /^(优惠券|Coupon)/],
        ['refund', refundable, /^(申请退款|Request a refund)/],
        ['identity check before codes', finished, /^(查看卡密|View codes)/],
        ['cancel', unpaid, /^(取消订单|Cancel order)/],
        ['delete', finished, /^(删除订单|Delete order)/],
        ['nickname', '/user/setting', /^(昵称|Nickname)/],
        ['birthday', '/user/setting', /^(生日|Birthday)/],
        ['e-mail', '/user/setting', /^(邮箱|Email)/],
        ['real name', '/user/setting', /^(实名|Real name)/],
        ['sign-out', '/user/setting', /^(退出登录|Sign out)/],
      ];
      for (const [what, path, opener] of ofThisWidth(sheets)) {
        if (new URL(page.url(), shop.url).pathname !== path) await page.goto(path);
        await visibleButton(page, opener).click();
        await expect(anyDialog(page).first()).toBeVisible();
        faults.push(...(await audit(page, what)));
        await page.keyboard.press('Escape');
        await expect(anyDialog(page)).toHaveCount(0);
      }
      expect(faults).toEqual([]);
    });

    test('a new shopper sees no fault in the coupon prompt, its result and empty pages', async ({ shop, openTab }) => {
      const { page } = await openTab({ language, viewport });
      const token = await tokenOfNewShopper(shop, language === 'en' ? '13911110001' : '13911110002');
      await page.addInitScript((value) => localStorage.setItem('token', value), token);
      await page.goto('/home');
      const prompt = page.getByRole('dialog', { name: /优惠券|coupon/i });
      await expect(prompt).toBeVisible();
      const faults = await audit(page, 'coupon prompt');
      await prompt.getByRole('button', { name: /^(立即领取|Receive|Get|Claim)/ }).click();
      await expect(page.getByRole('dialog', { name: /^(领取成功|Claimed successfully)$/ })).toBeVisible();
      faults.push(...(await audit(page, 'coupon result')));
      for (const path of ofThisWidth(emptyPages)) {
        await page.goto(path);
        await expect(page.locator('.ui-empty').filter({ visible: true }).first(), path).toBeVisible();
        faults.push(...(await audit(page, `${path} empty`)));
      }
      expect(faults).toEqual([]);
    });

    // The fault proxy's documents have skeletons only, and the shell prefetches no page for a visitor who saves data, so each
    // page makes its own calls.
    test('pages have no fault while their calls are pending, with a skeleton, and after a failure, with a retry that works', async ({
      faultProxy: { url },
      demoToken,
      openTab,
    }) => {
      const { page } = await openTab({
        url,
        language,
        viewport,
        token: demoToken,
        saveData: true,
        expectedErrors: /500/,
      });
      let isBroken = true;
      let pending: Promise<void>;
      await page.route('**/api/front/**', async (route) => {
        if (!isBroken || shellCalls.test(route.request().url())) return route.fallback();
        await pending;
        return route.fulfill({ status: 500, json: { code: 500, message: '', data: null } });
      });
      const retry = visibleButton(page, /^(重试|Try again)$/);
      const faults: string[] = [];
      for (const path of ofThisWidth(pagesWithData)) {
        isBroken = true;
        let fail = () => {};
        pending = new Promise((resolve) => {
          fail = resolve;
        });
        await open(page, path);
        await expect(page.locator('.ui-skeleton').filter({ visible: true }).first(), path).toBeVisible();
        faults.push(...(await audit(page, `${path} loading`)));
        fail();
        await expect(retry, path).toBeVisible();
        faults.push(...(await audit(page, `${path} failed`)));
        isBroken = false;
        await retry.click();
        await expect(page.getByRole('alert').filter({ has: retry }), path).toHaveCount(0);
      }
      expect(faults).toEqual([]);
    });
  });
}
