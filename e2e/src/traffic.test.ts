/** What goes over the line: nothing twice, nothing again that has not changed, and nothing early that can wait. */
import { liveVersion, openStore, type ReleaseManifest, type Store } from '@shop/release';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openTab } from './browser';
import { type Shop, startShop } from './shop';
import { openStage, type Stage } from './stage';
import { demoToken, words } from './steps';
import { publishVariant } from './variant';

const text = words['zh-CN'];
let shop: Shop;
let browser: Browser;
let store: Store;
let manifests: ReleaseManifest[];
let stage: Stage;

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
  store = openStore({ dataDir: shop.dataDir });
  const map = await store.readMap('production');
  if (!map) throw new Error('the shop has no release map');
  manifests = await Promise.all(
    Object.keys(map.microFrontends).map(async (name) => {
      const manifest = await store.readManifest(name, liveVersion(map, name) ?? '');
      if (!manifest) throw new Error(`${name} is not in the store`);
      return manifest;
    }),
  );
  stage = await openStage(shop.url, manifests);
});
afterAll(async () => {
  await stage?.close();
  await browser?.close();
  await shop?.stop();
});

/** Calls of the API that a tab makes, but for reports. */
function callsOf(page: Page): string[] {
  const calls: string[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (!url.pathname.startsWith('/api/') || url.pathname === '/api/health/report') return;
    url.searchParams.sort();
    calls.push(`${request.method()} ${url.pathname}?${url.searchParams}`);
  });
  return calls;
}

describe.each(['guest', 'signed in'])('a cold load, %s', (who) => {
  const open = who === 'guest' ? ['/home', '/goods', '/goods/1'] : ['/home', '/goods', '/goods/1', '/order', '/user'];

  it(`asks for nothing twice on ${open.join(', ')}`, async () => {
    const token = who === 'guest' ? '' : await demoToken(shop);
    for (const path of open) {
      const { page, context, faults } = await openTab(browser, shop.url);
      if (token) await page.addInitScript((kept) => localStorage.setItem('token', kept), token);
      const calls = callsOf(page);
      await page.goto(path, { waitUntil: 'networkidle' });
      expect(page.url()).toBe(shop.url + path);
      expect(calls).toContain('GET /api/front/app/config?');
      expect({ path, twice: calls.filter((call, at) => calls.indexOf(call) !== at) }).toEqual({ path, twice: [] });
      expect(faults).toEqual([]);
      await context.close();
    }
  });
});

describe('after a release of one remote', () => {
  it('a returning shopper downloads that remote’s files of the page, and nothing else', async () => {
    const before = manifests.find(({ name }) => name === 'content');
    if (!before) throw new Error('there is no content');
    const first = await openTab(browser, stage.url);
    await first.page.goto('/article/guide', { waitUntil: 'networkidle' });
    await first.page.getByRole('article').waitFor();
    const after = await publishVariant(store, before, 'sound', 'traffic');
    stage.goLive(after);

    // Closed and opened again: the browser's cache stays, the tab does not.
    await first.page.close();
    const had = new Set(stage.requests);
    expect(had).toContain(`/r/content/${before.version}/${before.entry}`);
    stage.requests.length = 0;
    const again = await first.context.newPage();
    await again.goto('/article/guide', { waitUntil: 'networkidle' });
    await again.locator(`html[data-content="${after.version}"]`).waitFor();
    // What is fetched ahead in idle time may come at the first visit or at the second; what came at the first must not come again.
    const released = `/r/content/${after.version}/`;
    const others = stage.requests.filter((address) => address.startsWith('/r/') && !address.startsWith(released));
    expect(others.filter((address) => had.has(address) || address.startsWith('/r/content/'))).toEqual([]);
    const downloaded = stage.requests.filter((address) => address.startsWith(released));
    const { js = [], css = [] } = after.exposes['./guide'] ?? {};
    const needed = new Set([after.entry, ...js, ...css].map((file) => released + file));
    expect(new Set(downloaded)).toEqual(needed);
    expect(downloaded).toHaveLength(needed.size);
    await first.context.close();
  });
});

describe('the client of the API, whose code comes after the first page', () => {
  /** The shell's chunk that holds axios. */
  async function clientChunk(): Promise<RegExp> {
    const shell = manifests.find(({ name }) => name === 'shell');
    const scripts = Object.keys(shell?.files ?? {}).filter((file) => file.endsWith('.js'));
    const holding: string[] = [];
    for (const file of scripts) {
      const code = await store.readFile('shell', shell?.version ?? '', file);
      if (code?.includes('ERR_BAD_REQUEST')) holding.push(file);
    }
    expect(holding).toHaveLength(1);
    expect(shell?.initial.js).not.toContain(holding[0]);
    return new RegExp(`/${holding[0]?.replaceAll('.', '\\.')}$`);
  }

  it('is not waited for: /home is whole and can be used; what asks for more goes on when it comes', async () => {
    const chunk = await clientChunk();
    stage.breakPath(chunk, 'hang');
    const { page, context, faults } = await openTab(browser, stage.url);
    try {
      // What hangs holds back the event `load`, not the page.
      await page.goto('/home', { waitUntil: 'domcontentloaded' });
      await page.getByRole('main').getByText(text.genshin).first().waitFor();
      await page.getByRole('main').getByRole('link', { name: text.genshin }).first().click();
      await page.waitForURL('**/goods/*', { waitUntil: 'commit' });
    } finally {
      stage.breakPath(chunk, null);
    }
    // The call that hung has ended with it; the code is asked for anew, and the page is whole without a press.
    await page.getByRole('button', { name: text.buy }).first().waitFor();
    expect(faults.filter((fault) => fault.startsWith('script error'))).toEqual([]);
    await context.close();
  });

  it('that does not come is asked for again, and again when the shopper presses for it', async () => {
    const chunk = await clientChunk();
    stage.breakPath(chunk, '404');
    const { page, context, faults } = await openTab(browser, stage.url);
    try {
      await page.goto('/home');
      await page.getByRole('main').getByText(text.genshin).first().waitFor();
      await page.getByRole('main').getByRole('link', { name: text.genshin }).first().click();
      await page.getByRole('main').getByRole('button', { name: text.tryAgain }).first().waitFor();
    } finally {
      stage.breakPath(chunk, null);
    }
    await page.getByRole('main').getByRole('button', { name: text.tryAgain }).first().click();
    await page.getByRole('button', { name: text.buy }).first().waitFor();
    expect(stage.requests.filter((address) => chunk.test(address)).length).toBeGreaterThan(3);
    expect(faults.filter((fault) => fault.startsWith('script error'))).toEqual([]);
    await context.close();
  });
});
