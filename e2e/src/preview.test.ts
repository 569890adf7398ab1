import type { ReleaseManifest } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import { words } from './steps';
import { expect, test } from './test';

const homeSearch = '搜游戏、点卡、拼音首字母';

for (const name of [
  'catalog@9.9.9-00000000',
  'https://elsewhere.example/remoteEntry.js',
  'catalog@../../maps/production.json',
  'nobody@1.0.0-00000000',
]) {
  test(`a preview of "${name}", no release of this store, shows what is live, without a badge`, async ({
    shop,
    page,
  }) => {
    const foreignRequests: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(shop.url) && !request.url().startsWith('data:'))
        foreignRequests.push(request.url());
    });
    await page.goto(`/home?release=${encodeURIComponent(name)}`);
    await expect(page.getByText(homeSearch)).toBeVisible();
    await expect(page.locator('.preview-badge')).toHaveCount(0);
    expect(foreignRequests).toEqual([]);
  });
}

test('a previewed release that fails is shown to fail, and the rest of the shop works', async ({
  store,
  manifests,
  openTab,
}) => {
  // Published, never live: other tests of this shop do not meet it.
  const bad = await publishVariant(store, manifests.catalog as ReleaseManifest, 'render throws', 'previewed');
  const { page } = await openTab({ expectedErrors: /the page throws/ });
  await page.goto(`/home?release=catalog@${bad.version}`);
  const card = page.getByRole('alert').filter({ hasText: words['zh-CN'].pageFailed });
  await expect(card).toBeVisible();
  await page.getByRole('link', { name: /退出预览/ }).click();
  await expect(page.getByText(homeSearch)).toBeVisible();
  await expect(card).toHaveCount(0);
});
