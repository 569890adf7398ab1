/** The page of the one-time address for the first manager, on a phone and a desktop and in both languages, to the first sign-in. */
import { totpCode, totpStep } from '@shop/backoffice/staff/totp';
import { axeFaults, layoutFaults } from './audit';
import { desktop, phone } from './browser';
import { startShop } from './shop';
import { secretOf, signInAsStaff } from './staff-steps';
import { expect, test } from './test';

const words = {
  en: [
    'Name',
    'Password',
    'Repeat the password',
    'Continue',
    'Code',
    'Finish and sign in',
    'Back',
    /not be easy to guess/,
  ],
  'zh-CN': ['姓名', '密码', '再次输入密码', '下一步', '动态码', '完成并登录', '返回上一步', /不能容易被猜到/],
} as const;
const password = 'kelp-orbit-94-wagon';

test('the first manager sets up an account at the one-time address, signs in again, and invites somebody', async ({
  browser,
}, { outputDir }) => {
  test.setTimeout(240_000);
  const shop = await startShop({ template: process.env.E2E_TEMPLATE_DIR });
  const context = await browser.newContext({ locale: 'en' });
  try {
    const page = await context.newPage();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.url()} ${JSON.stringify(request.headers())}`));
    const address = shop.setupAddress();
    const token = new URL(address).hash.slice(1);
    let secret: Buffer = Buffer.alloc(0);
    for (const [language, [name, first, again, next, code, , back, weak]] of Object.entries(words)) {
      await context.addInitScript((chosen) => localStorage.setItem('staff.language', chosen), language);
      for (const [size, viewport] of Object.entries({ phone, desktop })) {
        await page.setViewportSize(viewport);
        await page.goto('about:blank');
        await page.goto(address);
        await page.getByLabel(name, { exact: true }).fill('Ann');
        const choose = async (text: string) => {
          for (const label of [first, again]) await page.getByLabel(label, { exact: true }).fill(text);
          await page.getByRole('button', { name: next }).click();
        };
        await choose('password1234');
        await expect(page.getByRole('alert')).toHaveText(weak);
        expect([...(await axeFaults(page)), ...(await layoutFaults(page))]).toEqual([]);
        await page.screenshot({ path: `${outputDir}/setup-${language}-${size}-1.png`, fullPage: true });
        await choose(password);
        await expect(page.getByLabel(code, { exact: true })).toBeVisible();
        expect([...(await axeFaults(page)), ...(await layoutFaults(page))]).toEqual([]);
        await page.screenshot({ path: `${outputDir}/setup-${language}-${size}-2.png`, fullPage: true });
        const link = await page.locator('a[href^="otpauth:"]').getAttribute('href');
        secret = secretOf(link ?? '');
        await page.getByRole('button', { name: back }).click();
        await expect(page.getByLabel(first, { exact: true })).toHaveValue(password);
      }
    }
    const [, , , next, code, finish] = words['zh-CN'];
    await page.getByRole('button', { name: next }).click();
    await page.getByLabel(code, { exact: true }).fill(totpCode(secret, totpStep(Date.now())));
    await page.getByRole('button', { name: finish }).click();
    await expect(page).toHaveURL(/\/staff$/);
    await expect(page.getByRole('heading', { name: /^待处理/ })).toBeVisible();
    // In bodies only: neither an address nor a Referer holds it.
    expect(sent.filter((one) => one.includes('/staff/api/setup'))).not.toEqual([]);
    expect(sent.filter((one) => one.includes(token) && !one.startsWith(`${address} `))).toEqual([]);

    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByLabel('Name').fill('Zoe');
    await page.getByRole('button', { name: 'Add a person' }).click();
    const dialog = page.getByRole('dialog', { name: 'One-time address for Zoe' });
    await expect(dialog).toContainText(`${shop.url}/staff/setup#`);
    for (const viewport of [phone, desktop]) {
      await page.setViewportSize(viewport);
      expect([...(await axeFaults(page)), ...(await layoutFaults(page))]).toEqual([]);
      await page.screenshot({ path: `${outputDir}/invited-${viewport.width}.png` });
    }
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'My account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();

    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.getByRole('alert')).toBeVisible();
    await page.screenshot({ path: `${outputDir}/used.png` });
    await page.goto(`${shop.url}/staff`);
    await page.getByRole('button', { name: 'English' }).click();
    await signInAsStaff(page, { name: 'Ann', password, secret });
    await expect(page.getByRole('heading', { name: /^Queue/ })).toBeVisible();
  } finally {
    await context.close();
    await shop.stop();
  }
});
