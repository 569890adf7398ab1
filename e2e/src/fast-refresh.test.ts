/** A squad edits its remote while the shop is open: input and open sheets stay, and faults are shown at their place in the source. */

import type { Page } from '@playwright/test';
import { EditedRemotes } from './edited-remotes';
import { isMarkedDocument, markDocument } from './navigation';
import { test as base, expect } from './test';

const EDITS = 10;

const test = base.extend<{ edited: EditedRemotes }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern
  edited: async ({}, use) => {
    const edited = new EditedRemotes('mfe-content', 'mfe-catalog');
    await use(edited);
    edited.close();
  },
});

/** The site serves its own releases until the builds of this machine are ready. */
async function openWhenBuilt(page: Page, url: string, name: string): Promise<void> {
  await expect(async () => {
    await page.goto(url);
    const built = await page.evaluate(
      () => (globalThis as { __PLATFORM_DEV__?: { hot: object } }).__PLATFORM_DEV__?.hot,
    );
    expect(Object.keys(built ?? {}).sort()).toEqual([name, 'shell'].sort());
  }).toPass();
}

const faultsOn = (page: Page) => page.locator('platform-dev-faults section');

test('edits in the remotes of two squads at once keep a half-filled form and an open sheet', async ({
  shop,
  openTab,
  edited,
}) => {
  const content = await edited.dev('content', shop.url);
  const catalog = await edited.dev('catalog', content.origin);
  const [form, sheet] = [(await openTab({ url: catalog.origin })).page, (await openTab({ url: catalog.origin })).page];
  await openWhenBuilt(form, '/business', 'content');
  await openWhenBuilt(sheet, '/goods', 'catalog');
  await form.locator('main textarea').fill('half of what I wanted to');
  await sheet.getByRole('button', { name: '筛选' }).click();
  await sheet.getByRole('dialog').getByRole('button', { name: '充值', exact: false }).first().click();
  const chosen = await sheet
    .getByRole('dialog')
    .locator('[aria-pressed="true"], [aria-checked="true"], :checked')
    .count();
  for (const page of [form, sheet]) await markDocument(page);

  for (let number = 1; number <= EDITS; number += 1) {
    const mark = `data-edit="${number}"`;
    edited.edit('mfe-content/src/business/business-page.tsx', (source) =>
      source.replace('<div className="content-business', `<div ${mark} className="content-business`),
    );
    edited.edit('mfe-catalog/src/goods-list/filter-sheet.tsx', (source) =>
      source.replace('<div className="ui-stack ui-gap-5">', `<div ${mark} className="ui-stack ui-gap-5">`),
    );
    await expect(form.locator(`[${mark}]`)).toBeVisible();
    await expect(sheet.locator(`[${mark}]`)).toBeVisible();
  }
  edited.edit('mfe-content/src/business/business.css', (source) => `${source}.content-business { rotate: 1deg; }`);
  await expect(form.locator('.content-business')).toHaveCSS('rotate', '1deg');
  edited.edit('mfe-content/src/texts.ts', (source) => source.replace('填写合作意向', '写下合作意向'));
  await expect(form.getByText('写下合作意向')).toBeVisible();

  await expect(form.locator('main textarea')).toHaveValue('half of what I wanted to');
  await expect(sheet.getByRole('dialog').locator('[aria-pressed="true"], [aria-checked="true"], :checked')).toHaveCount(
    chosen,
  );
  for (const page of [form, sheet]) {
    expect(await isMarkedDocument(page)).toBe(true);
    await expect(faultsOn(page)).toHaveCount(0);
  }
});

test('a fault is shown with its source position until it is fixed', async ({ shop, openTab, edited }) => {
  const { origin } = await edited.dev('content', shop.url);
  // A tab may ask the previous build for a change while the next one, with a new address, replaces it.
  const { page } = await openTab({ url: origin, expectedErrors: /out of reach|404 .*hot-update\.json/ });
  await openWhenBuilt(page, '/business', 'content');
  await page.locator('main textarea').fill('half of what I wanted to');
  const business = 'mfe-content/src/business/business-page.tsx';

  edited.edit(business, (source) => source.replace('return (', 'return ((('));
  await expect(faultsOn(page)).toContainText(/Syntax Error.*src\/business\/business-page\.tsx:\d+:\d+/s);
  edited.edit(business, (source) => source.replace('useState<Enquiry | null>(null)', 'useState<Enquiry>(null)'));
  await expect(faultsOn(page)).toContainText(/TS\d+.*not assignable.*src\/business\/business-page\.tsx:10:\d+/s);
  edited.edit(business, (source) => `${source}\n`);
  await expect(faultsOn(page)).toHaveCount(0);
  await expect(page.locator('main textarea')).toHaveValue('half of what I wanted to');

  edited.edit(business, (source) =>
    source.replace('  const [received', "  if (document.title) throw new Error('out of reach');\n  const [received"),
  );
  await expect(faultsOn(page)).toContainText(/out of reach.*src\/business\/business-page\.tsx:10:\d+.*> 10 \|/s);
  edited.edit(business, (source) => `${source}\n`);
  await expect(page.locator('main textarea')).toBeVisible();
  await expect(faultsOn(page)).toHaveCount(0);
});
