/** A squad edits its remote while the shop is open: input and open sheets stay, and faults are shown at their place in the source. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type DevServer, startDevServer } from '@platform/build/dev-server';
import { composeDocument } from '@platform/pages';
import type { Page } from '@playwright/test';
import { SITE } from '@shop/shared/site';
import { isMarkedDocument, markDocument } from './navigation';
import { root } from './shop';
import { expect, test } from './test';

const EDITS = 10;
const business = 'mfe-content/src/business/business-page.tsx';

let copies: string;
const originals = new Map<string, string>();
const servers: DevServer[] = [];

test.beforeAll(() => {
  copies = mkdtempSync(path.join(tmpdir(), 'shop-edited-'));
  for (const name of ['mfe-content', 'mfe-catalog']) {
    const filter = (source: string) => !/[\\/](dist|node_modules)$/.test(source);
    cpSync(path.join(root, name), path.join(copies, name), { recursive: true, filter });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(copies, 'node_modules'), 'junction');
  const recipe = JSON.stringify(path.join(root, 'rspack.base.js'));
  writeFileSync(path.join(copies, 'rspack.base.js'), `module.exports = require(${recipe});\n`);
});
test.afterAll(() => {
  for (const server of servers) server.close();
  rmSync(copies, { recursive: true, force: true });
});

async function startDev(name: string, against: string): Promise<string> {
  const server = await startDevServer({
    product: { root: copies, recipe: path.join(copies, 'rspack.base.js'), inputs: [] },
    name,
    directory: path.join(copies, `mfe-${name}`),
    shell: path.join(root, 'shell'),
    against: new URL(against),
    port: 0,
    documentOf: (map, page) => composeDocument(map, { ...page, site: SITE }).write(),
    serverRoutes: SITE.serverRoutes,
    console: { log: () => {}, error: () => {} },
  });
  servers.push(server);
  return server.origin;
}

/** Writes a file of the copies with a change to its original text. Throws if the change has no effect. */
function edit(file: string, change: (source: string) => string): void {
  const source = originals.get(file) ?? readFileSync(path.join(copies, file), 'utf8');
  originals.set(file, source);
  const changed = change(source);
  if (changed === source) throw new Error(`the edit of ${file} finds nothing to change`);
  writeFileSync(path.join(copies, file), changed);
}

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

test('edits in the remotes of two squads keep a half-filled form and an open sheet; a fault is shown with its source position until it is fixed', async ({
  shop,
  openTab,
}) => {
  const url = await startDev('catalog', await startDev('content', shop.url));
  // A tab may ask the previous build for a change while the next one, with a new address, replaces it.
  const { page: form } = await openTab({ url, expectedErrors: /out of reach|404 .*hot-update\.json/ });
  const { page: sheet } = await openTab({ url });
  await openWhenBuilt(form, '/business', 'content');
  await openWhenBuilt(sheet, '/goods', 'catalog');
  const input = form.locator('main textarea');
  await input.fill('half of what I wanted to');
  await sheet.getByRole('button', { name: '筛选' }).click();
  const dialog = sheet.getByRole('dialog');
  await dialog.getByRole('button', { name: '充值', exact: false }).first().click();
  const chosen = dialog.locator('[aria-pressed="true"], [aria-checked="true"], :checked');
  const before = await chosen.count();
  const faults = form.locator('platform-dev-faults section');
  for (const page of [form, sheet]) await markDocument(page);

  for (let number = 1; number <= EDITS; number += 1) {
    const mark = `data-edit="${number}"`;
    edit(business, (source) =>
      source.replace('<div className="content-business', `<div ${mark} className="content-business`),
    );
    edit('mfe-catalog/src/goods-list/goods-filters.tsx', (source) =>
      source.replace('<div className="ui-stack ui-gap-5">', `<div ${mark} className="ui-stack ui-gap-5">`),
    );
    await expect(form.locator(`[${mark}]`)).toBeVisible();
    await expect(sheet.locator(`[${mark}]`)).toBeVisible();
  }
  edit('mfe-content/src/business/business.css', (source) => `${source}.content-business { rotate: 1deg; }`);
  await expect(form.locator('.content-business')).toHaveCSS('rotate', '1deg');
  edit('mfe-content/src/texts.ts', (source) => source.replace('填写合作意向', '写下合作意向'));
  await expect(form.getByText('写下合作意向')).toBeVisible();
  await expect(chosen).toHaveCount(before);

  edit(business, (source) => source.replace('return (', 'return ((('));
  await expect(faults).toContainText(/Syntax Error.*src\/business\/business-page\.tsx:\d+:\d+/s);
  edit(business, (source) => `${source}\n`);
  await expect(faults).toHaveCount(0);
  await expect(input).toHaveValue('half of what I wanted to');
  for (const page of [form, sheet]) expect(await isMarkedDocument(page)).toBe(true);

  edit(business, (source) =>
    source.replace('  const [received', "  if (document.title) throw new Error('out of reach');\n  const [received"),
  );
  await expect(form.locator('.shell-page-failure:visible')).toBeVisible();
  edit(business, (source) => `${source}\n`);
  await expect(input).toBeVisible();
});
