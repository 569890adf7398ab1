/** A remote built without this project's build code. The other direction is scripts/release/stock-host.test.ts. */
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { root, type Shop } from './shop';
import { expect, startOwnShop, test } from './test';

const fixture = path.join(root, 'e2e', 'fixtures', 'stock-remote');
let shop: Shop;

test.beforeAll(async () => {
  shop = await startOwnShop();
});
test.afterAll(() => shop.stop());

/** Compiles the fixture with its own rspack configuration, in a process without a TypeScript loader. Returns the output folder. */
function buildRemote(containerName: string): string {
  const output = test.info().outputPath('build');
  const options = JSON.stringify({ directory: fixture, output, name: containerName });
  execFileSync(process.execPath, [path.join(fixture, 'build.cjs'), options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  copyFileSync(path.join(fixture, 'remote.json'), path.join(output, 'remote.json'));
  return output;
}

test('a remote built by the official plugin with its defaults is published, gated and shown in the shop', async ({
  openTab,
}) => {
  const published = await shop.release(['publish', 'promo', '--from', buildRemote('promo_first')]);
  const [{ version }] = published as [{ version: string }];
  await shop.release(['promote', `promo@${version}`]);

  const { page } = await openTab({ url: shop.url, language: 'en' });
  await page.goto(`${shop.url}/promo`);
  await expect(page.getByText('Language: en')).toBeVisible();
  await page.getByRole('button', { name: 'Pressed 0' }).click();
  await expect(page.getByRole('button', { name: 'Pressed 1' })).toBeVisible();
  // A link of the remote goes through the shell's router, so the document stays.
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole('link', { name: 'Back to the shop' }).click();
  await expect(page).toHaveURL(/\/home$/);
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
});
