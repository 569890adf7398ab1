/** What is requested: nothing twice, nothing again that has not changed, and nothing early that can wait. */

import type { ReleaseManifest, Store } from '@platform/releases';
import { makeVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { words } from './steps';
import { expect, test } from './test';

const text = words['zh-CN'];

/** API calls of a tab, without health reports. */
function recordCalls(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!url.pathname.startsWith('/api/') || url.pathname === '/api/health/report') return;
    calls.push(`${request.method()} ${sorted(url)}`);
  });
  return calls;
}

/** The calls whose answers came with the document. */
async function answeredByDocument(page: Page): Promise<string[]> {
  const data = await page.evaluate(() => document.getElementById('page-data')?.textContent ?? '{}');
  return Object.keys(JSON.parse(data)).map((address) => `GET ${sorted(new URL(address, page.url()))}`);
}

function sorted({ pathname, searchParams }: URL): string {
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

for (const { visitor, paths } of [
  { visitor: 'a guest', paths: ['/home', '/goods', '/goods/1'] },
  { visitor: 'a signed-in shopper', paths: ['/home', '/goods', '/goods/1', '/order', '/user'] },
]) {
  for (const path of paths) {
    test(`a first load of ${path} by ${visitor} makes no call twice`, async ({ demoToken, openTab }) => {
      const { page } = await openTab();
      const isGuest = visitor === 'a guest';
      if (!isGuest) await page.addInitScript((token) => localStorage.setItem('token', token), demoToken);
      const calls = recordCalls(page);
      await page.goto(path, { waitUntil: 'networkidle' });
      await expect(page).toHaveURL(path);
      const answered = await answeredByDocument(page);
      expect([...answered, ...calls]).toContain('GET /api/front/app/config?');
      // What the document has answered, it has answered for guests.
      const all = isGuest ? [...answered, ...calls] : calls;
      expect(all.filter((call, at) => all.indexOf(call) !== at)).toEqual([]);
    });
  }
}

test('after a release of one remote a returning shopper downloads its files for the page, and nothing else', async ({
  faultProxy,
  store,
  manifests,
  openTab,
}) => {
  const { content: before } = manifests as { content: ReleaseManifest };
  const { page: first, context } = await openTab({ url: faultProxy.url });
  await first.goto('/article/guide', { waitUntil: 'networkidle' });
  await expect(first.getByRole('article')).toBeVisible();
  const variant = await makeVariant(store, before, 'sound');
  const after = variant.manifest;
  faultProxy.serve(variant);
  faultProxy.goLive(after);

  // The browser's cache stays, the tab does not.
  await first.close();
  const had = new Set(faultProxy.requests);
  expect(had).toContain(`/r/content/${before.version}/${before.entry}`);
  faultProxy.requests.length = 0;
  const again = await context.newPage();
  await again.goto('/article/guide', { waitUntil: 'networkidle' });
  await expect(again.locator('html')).toHaveAttribute('data-content', after.version);
  // Idle-time prefetches may come at the first visit or at the second, but not at both.
  const released = `/r/content/${after.version}/`;
  const others = faultProxy.requests.filter((path) => path.startsWith('/r/') && !path.startsWith(released));
  expect(others.filter((path) => had.has(path) || path.startsWith('/r/content/'))).toEqual([]);
  const downloaded = faultProxy.requests.filter((path) => path.startsWith(released));
  const { js = [], css = [] } = after.exposes['./guide'] ?? {};
  const needed = [...new Set([after.entry, ...js, ...css])].map((file) => released + file);
  expect(downloaded.toSorted()).toEqual(needed.toSorted());
});

/** The path of the shell's chunk that contains axios. */
async function axiosChunk(store: Store, shell: ReleaseManifest): Promise<RegExp> {
  const found: string[] = [];
  for (const file of Object.keys(shell.files).filter((name) => name.endsWith('.js'))) {
    const code = await store.readFile('shell', shell.version, file);
    if (code?.includes('ERR_BAD_REQUEST')) found.push(file);
  }
  expect(found).toHaveLength(1);
  expect(shell.initial.js).not.toContain(found[0]);
  return new RegExp(`/${found[0]?.replaceAll('.', '\\.')}$`);
}

test('home is complete and usable before axios has loaded; calls that need it wait for it', async ({
  faultProxy,
  store,
  manifests,
  openTab,
}) => {
  const chunk = await axiosChunk(store, manifests.shell as ReleaseManifest);
  faultProxy.breakPath(chunk, 'hang');
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /^console/ });
  // The hanging chunk delays the load event.
  await page.goto('/home', { waitUntil: 'domcontentloaded' });
  await expect(page.getByRole('main').getByText(text.genshin).first()).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: text.genshin }).first().click({ noWaitAfter: true });
  await page.waitForURL('**/goods/*', { waitUntil: 'commit' });
  // Ends the request that hangs; the chunk is requested again.
  faultProxy.breakPath(chunk, null);
  await expect(page.getByRole('button', { name: text.buy }).first()).toBeVisible({ timeout: 15_000 });
});

test('axios is requested again when it fails, and again when the shopper presses "try again"', async ({
  faultProxy,
  store,
  manifests,
  openTab,
}) => {
  const chunk = await axiosChunk(store, manifests.shell as ReleaseManifest);
  faultProxy.breakPath(chunk, '404');
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /^console/ });
  await page.goto('/home');
  await expect(page.getByRole('main').getByText(text.genshin).first()).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: text.genshin }).first().click();
  const again = page.getByRole('main').getByRole('button', { name: text.tryAgain }).first();
  await expect(again).toBeVisible({ timeout: 15_000 });
  faultProxy.breakPath(chunk, null);
  await again.click();
  await expect(page.getByRole('button', { name: text.buy }).first()).toBeVisible({ timeout: 15_000 });
  expect(faultProxy.requests.filter((path) => chunk.test(path)).length).toBeGreaterThan(3);
});
