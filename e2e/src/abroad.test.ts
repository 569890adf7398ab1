import { randomUUID } from 'node:crypto';
import { layoutShifts, noticeableShifts, recordLayoutShifts } from './audit';
import { expect, test } from './test';

test('a first visitor from abroad gets English and dollars without a layout shift, signs in with a foreign number and buys', async ({
  shop,
  openTab,
}) => {
  const { page } = await openTab({ locale: 'en-US' });
  await recordLayoutShifts(page);
  await page.goto('/goods/1');
  const offer = page.getByRole('region', { name: 'English · $' });
  await expect(offer.getByText('Shop in English and US dollars?')).toBeVisible();
  // The offer shifts nothing and does not cover the Buy button.
  expect(await noticeableShifts(page)).toEqual([]);
  const [bar, buy] = await Promise.all([
    offer.boundingBox(),
    page.getByRole('button', { name: '立即购买' }).boundingBox(),
  ]);
  expect((bar?.y ?? 0) + (bar?.height ?? 0)).toBeLessThanOrEqual(buy?.y ?? 0);

  await offer.getByRole('button', { name: 'English · $' }).click();
  await expect(offer).toHaveCount(0);
  await expect(page.getByRole('heading', { level: 1, name: 'Genshin Impact' })).toBeVisible();
  await page.getByRole('button', { name: 'Buy now' }).click();
  const login = page.getByRole('dialog', { name: 'Sign in' });
  await expect(login.getByRole('button', { name: 'Country or region: United States +1' })).toBeVisible();
  await login.getByRole('textbox', { name: 'Phone number' }).fill('(415) 555-2671');
  await login.getByRole('button', { name: 'Send code' }).click();
  await expect(login.getByRole('textbox', { name: 'Verification code' })).toBeFocused();
  await page.keyboard.type(await shop.codeFor('+14155552671'));
  await expect(page).toHaveURL(/\/order\/detail\//);
  const pay = page.getByRole('button', { name: /^Pay \$/ });
  await expect(pay).toBeEnabled();
  // The payment methods, whose notes wrap in English, have their space from the first paint of the order.
  await page.reload();
  await expect(pay).toBeEnabled();
  expect((await layoutShifts(page)).what).toEqual([]);
  await pay.click();
  await expect(page).toHaveURL(/\/cashier\//);
  // The cashier returns to the home page's document, whose inlined styles are not those of the order.
  await page.route(/\/r\/shell\/.*\/main\..*css$/, (route) => setTimeout(() => route.continue(), 1_500));
  await page.getByRole('button', { name: 'Pay now' }).click();
  await expect(page.getByRole('button', { name: 'Copy code' }).first()).toBeVisible();
  await page.unrouteAll();
  expect(await noticeableShifts(page)).toEqual([]);

  await page.goto('/user/setting');
  await expect(page.getByText('+14****2671')).toBeVisible();
});

test('a shopper who reads English buys and reads the codes with an email address alone', async ({ shop, openTab }) => {
  const { page } = await openTab({ language: 'en' });
  await recordLayoutShifts(page);
  await page.goto('/goods/1');
  await page.getByRole('button', { name: 'Buy now' }).click();
  const login = page.getByRole('dialog', { name: 'Sign in' });
  await login.getByRole('button', { name: 'Use email instead' }).click();
  await expect(login.getByRole('textbox', { name: 'Email' })).toBeFocused();
  const address = `abroad.${randomUUID()}@mail.example`;
  await page.keyboard.type(address.replace('abroad', 'Abroad'));
  await login.getByRole('button', { name: 'Send code' }).click();
  await expect(login.getByRole('textbox', { name: 'Verification code' })).toBeFocused();
  // The dialog has reserved space for the data of the shop's answer.
  expect(await noticeableShifts(page)).toEqual([]);
  await page.keyboard.type(await shop.mailedCodeFor(address));
  await expect(page).toHaveURL(/\/order\/detail\//);
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await page.getByRole('button', { name: 'Pay now' }).click();
  await expect(page.getByRole('button', { name: 'Copy code' }).first()).toBeVisible();

  await page.goto('/user/setting');
  await expect(page.getByText('ab***@mail.example')).toBeVisible();
  await expect(page.getByText('Sign-in email')).toBeVisible();
});
