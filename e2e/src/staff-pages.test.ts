import { expectNoFaults } from './audit';
import { phone } from './browser';
import { addStaff, signInAsStaff } from './staff-steps';
import { expect, test } from './test';

const tablet = { width: 768, height: 1024 };
const wide = { width: 1920, height: 1080 };

test('each page of the console has no accessibility or layout fault from a phone to a wide screen, in both languages', async ({
  shop,
  openTab,
}) => {
  const manager = await addStaff(shop, `Lea ${Date.now()}`);
  const { page } = await openTab({ viewport: wide, expectedErrors: /status of 400/ });
  await page.goto(`${shop.staffUrl}/staff`);
  await signInAsStaff(page, manager);
  const links = page.locator('.side__links a');
  await expect(links.first()).toBeVisible();
  const places = await links.evaluateAll((all: HTMLAnchorElement[]) => all.map(({ hash }) => hash));
  expect(places.length).toBeGreaterThan(15);
  // Pages that others link to, apart from each other, because the marked link changes between them.
  places.push('#/goods/prices', '#/stock/batches', '#/goods/new', '#/stock/import');
  for (const [language, theme] of [
    ['zh-CN', 'dark'],
    ['en', 'light'],
  ] as const) {
    await page.evaluate((chosen) => localStorage.setItem('staff.language', chosen), language);
    await page.emulateMedia({ colorScheme: theme });
    await page.reload();
    for (const place of places)
      await test.step(`${place} in ${language}`, async () => {
        await page.evaluate((hash) => location.assign(hash), place);
        // It must not be the previous page, which has a heading too.
        await expect(page.locator(`.side__links a[href="#/${place.split('/')[1]}"]`)).toHaveAttribute(
          'aria-current',
          'page',
        );
        await expect(page.getByRole('main').locator('h1')).toBeVisible();
        await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
        await expectNoFaults(page, [phone, tablet, wide]);
      });
  }
});
