/** Requests: none twice (rendered.test.ts), none again for unchanged data, and none early that can wait. */
import type { ReleaseManifest, Store } from '@platform/releases';
import { contentShown } from './audit';
import { words } from './steps';
import { expect, test } from './test';

const text = words['zh-CN'];

test('after a release of one remote a returning shopper downloads its files for the page, and nothing else', async ({
  faultProxy,
  variant,
  manifests,
  openTab,
}) => {
  const { content: before } = manifests as { content: ReleaseManifest };
  const { page: first, context } = await openTab({ url: faultProxy.url });
  await first.goto('/article/guide');
  await expect(first.getByRole('article')).toBeVisible();
  await contentShown(first);
  const { manifest: after } = await variant('content', 'sound');
  faultProxy.goLive(after);

  // The browser's cache stays, the tab does not.
  await first.close();
  const had = new Set(faultProxy.requests);
  expect(had).toContain(`/r/content/${before.version}/${before.entry}`);
  faultProxy.requests.length = 0;
  const secondTab = await context.newPage();
  await secondTab.goto('/article/guide');
  await expect(secondTab.locator('html')).toHaveAttribute('data-content', after.version);
  await contentShown(secondTab);
  // Idle-time prefetches may come at the first visit or at the second, but not at both.
  const released = `/r/content/${after.version}/`;
  const otherFiles = faultProxy.requests.filter((path) => path.startsWith('/r/') && !path.startsWith(released));
  expect(otherFiles.filter((path) => had.has(path) || path.startsWith('/r/content/'))).toEqual([]);
  const downloaded = faultProxy.requests.filter((path) => path.startsWith(released));
  const { js = [], css = [] } = after.exposes['./guide'] ?? {};
  const needed = [...new Set([after.entry, ...js, ...css])].map((file) => released + file);
  expect(downloaded.toSorted()).toEqual(needed.toSorted());
});

async function axiosChunk(store: Store, shell: ReleaseManifest): Promise<RegExp> {
  const chunks: string[] = [];
  for (const file of Object.keys(shell.files).filter((name) => name.endsWith('.js'))) {
    const code = await store.readFile('shell', shell.version, file);
    if (code?.includes('ERR_BAD_REQUEST')) chunks.push(file);
  }
  expect(chunks).toHaveLength(1);
  expect(shell.initial.js).not.toContain(chunks[0]);
  return new RegExp(`/${chunks[0]?.replaceAll('.', '\\.')}$`);
}

test('home is complete and usable before axios has loaded; calls wait for axios, and retry its download after a failure', async ({
  faultProxy,
  store,
  manifests,
  openTab,
}) => {
  const chunk = await axiosChunk(store, manifests.shell as ReleaseManifest);
  faultProxy.breakPath(chunk, 'hang');
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /^console/ });
  const main = page.getByRole('main');
  // The hanging chunk delays the load event.
  await page.goto('/home', { waitUntil: 'domcontentloaded' });
  await expect(main.getByText(text.genshin).first()).toBeVisible();
  await main.getByRole('link', { name: text.genshin }).first().click({ noWaitAfter: true });
  await page.waitForURL('**/goods/*', { waitUntil: 'commit' });
  // This ends the hanging request; the chunk is requested again.
  faultProxy.breakPath(chunk, '404');
  const retry = main.getByRole('button', { name: text.tryAgain }).first();
  await expect(retry).toBeVisible();
  faultProxy.breakPath(chunk, null);
  await retry.click();
  await expect(page.getByRole('button', { name: text.buy }).first()).toBeVisible();
  expect(faultProxy.requests.filter((path) => chunk.test(path)).length).toBeGreaterThan(3);
});
