/** Squads release and ops roll back while shoppers shop (issue: rolling back on day one). */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { liveVersion, openStore, promote, prune, type ReleaseManifest, history as revisionsOf } from '@shop/release';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openTab } from './browser';
import { root, type Shop, startShop } from './shop';
import { beSignedIn, demoToken, words } from './steps';
import { publishVariant } from './variant';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

const text = words['zh-CN'];

/** A squad's checkout: its own folder, the platform's (shared, release, scripts, the server's name) and the root files; nothing of other squads. */
function squadCheckout(folder: string): string {
  const checkout = mkdtempSync(path.join(os.tmpdir(), 'shop-squad-'));
  const files = ['package.json', 'package-lock.json', 'rspack.base.js', 'tsconfig.base.json'];
  for (const file of [...files, folder, 'shared', 'release', 'scripts', 'server/package.json']) {
    cpSync(path.join(root, file), path.join(checkout, file), {
      recursive: true,
      filter: (source) => !/[\\/](node_modules|dist|\.data)([\\/]|$)/.test(source.slice(root.length)),
    });
  }
  symlinkSync(path.join(root, 'node_modules'), path.join(checkout, 'node_modules'), 'junction');
  return checkout;
}

/** Builds and publishes the catalogue with a text changed, from a squad's checkout. Returns the version; nothing is live yet. */
async function publishChanged(before: string, after: string): Promise<string> {
  const checkout = squadCheckout('mfe-catalog');
  try {
    const texts = path.join(checkout, 'mfe-catalog/src/texts.ts');
    const source = readFileSync(texts, 'utf8');
    expect(source).toContain(before);
    writeFileSync(texts, source.replaceAll(before, after));
    await shop.release(['build', 'catalog'], checkout);
    await shop.release(['publish', 'catalog'], checkout);
    const manifest = readFileSync(path.join(checkout, 'mfe-catalog/dist/release.json'), 'utf8');
    return (JSON.parse(manifest) as { version: string }).version;
  } finally {
    rmSync(checkout, { recursive: true, force: true });
  }
}

describe('previewing a published release', () => {
  it('shows it in that tab only, marked, through a reload, with a way out', async () => {
    const version = await publishChanged('搜游戏、点卡、拼音首字母', '预览搜索框');
    const { page, context, faults } = await openTab(browser, shop.url);
    await page.goto(`/home?release=catalog@${version}`);
    await page.getByText('预览搜索框').waitFor();
    await page.getByText(`catalog@${version}`).waitFor();
    await page.goto('/home');
    await page.getByText('预览搜索框').waitFor();

    const other = await openTab(browser, shop.url);
    await other.page.goto('/home');
    await other.page.getByText('搜游戏、点卡、拼音首字母').waitFor();

    await page.getByRole('link', { name: /退出预览/ }).click();
    await page.getByText('搜游戏、点卡、拼音首字母').waitFor();
    expect(await page.getByText(`catalog@${version}`).count()).toBe(0);
    expect([...faults, ...other.faults]).toEqual([]);
    await other.context.close();
    await context.close();
  });
});

describe('releasing the catalogue while tabs are open', () => {
  it('shows a promoted release to new tabs at once and to open tabs at their next navigation, and takes it back', async () => {
    // With the service worker: it must not hold back what is live.
    const { page, context, faults } = await openTab(browser, shop.url, { serviceWorker: true });
    await beSignedIn(page, await demoToken(shop));
    await page.goto('/home');
    const title = page.getByRole('textbox').or(page.getByText('搜游戏、点卡、拼音首字母')).first();
    await title.waitFor();
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));

    const version = await publishChanged('搜游戏、点卡、拼音首字母', '新版搜索框');
    await shop.release(['promote', `catalog@${version}`, '--skip', 'browser', '--why', 'journey']);

    const fresh = await openTab(browser, shop.url);
    await fresh.page.goto('/home');
    await fresh.page.getByText('新版搜索框').waitFor();

    const returning = await context.newPage();
    await returning.goto('/home');
    await returning.getByText('新版搜索框').waitFor();
    expect(await returning.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(`${shop.url}/sw.js`);

    // The open tab is asked for nothing; it goes to another area and comes back.
    await page.getByRole('link', { name: text.me, exact: true }).click();
    await page.waitForURL('**/user');
    await page.getByRole('link', { name: text.games, exact: true }).click();
    await page.getByText('新版搜索框').waitFor();
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeTruthy();

    await shop.release(['rollback', 'catalog']);
    await returning.goto('/home');
    await returning.getByText('搜游戏、点卡、拼音首字母').waitFor();
    await returning.close();
    await fresh.page.goto('/home');
    await fresh.page.getByText('搜游戏、点卡、拼音首字母').waitFor();
    await page.getByRole('link', { name: text.me, exact: true }).click();
    await page.waitForURL('**/user');
    await page.getByRole('link', { name: text.games, exact: true }).click();
    await page.getByText('搜游戏、点卡、拼音首字母').waitFor();
    expect(page.url()).toContain('/home');
    // Signed in throughout.
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeTruthy();

    expect([...faults, ...fresh.faults]).toEqual([]);
    await fresh.context.close();
    await context.close();
  });
});

describe('a remote that answers 500', () => {
  it('fails in its own page alone, and "try again" heals it without a reload', async () => {
    const { page, context } = await openTab(browser, shop.url);
    await beSignedIn(page, await demoToken(shop));
    let broken = true;
    await page.route('**/r/orders/**', (route) =>
      broken ? route.fulfill({ status: 500, body: '' }) : route.continue(),
    );
    await page.goto('/home');
    await page.getByText('搜游戏、点卡、拼音首字母').waitFor();
    await page.evaluate(() => Object.assign(window, { stillTheSameDocument: true }));

    await page.getByRole('link', { name: text.orders, exact: true }).click();
    const card = page.getByRole('alert').filter({ hasText: text.pageFailed });
    await card.waitFor();
    // Everything else works.
    await page.getByRole('link', { name: text.me, exact: true }).click();
    await page.waitForURL('**/user');
    await page.getByRole('heading', { name: '个人中心' }).waitFor();
    await page.getByRole('link', { name: text.games, exact: true }).click();
    await page.getByText('搜游戏、点卡、拼音首字母').waitFor();

    await page.getByRole('link', { name: text.orders, exact: true }).click();
    await card.waitFor();
    broken = false;
    await card.getByRole('button', { name: text.tryAgain }).click();
    await card.waitFor({ state: 'detached' });
    await page.getByRole('tab').first().waitFor();
    expect(await page.evaluate(() => 'stillTheSameDocument' in window)).toBe(true);
    await context.close();
  });
});

const store = () => openStore({ dataDir: shop.dataDir });

/** The catalogue as it was built, whatever is live by now. */
async function builtCatalog(): Promise<ReleaseManifest> {
  const first = (await store().publications('catalog')).at(-1);
  const manifest = await store().readManifest('catalog', first?.version ?? '');
  if (!manifest) throw new Error('the catalogue is not in the store');
  return manifest;
}

/** Past the browser gate: what it would refuse is what these tests are about. */
const goLive = ({ version }: ReleaseManifest) =>
  promote(store(), { name: 'catalog', version, by: 'a squad', skip: ['browser'], why: 'journey' });

/** A 'sound' variant says on the document that it drew the page. */
const servedBy = (page: Page, { version }: ReleaseManifest) =>
  page.waitForFunction((expected) => document.documentElement.dataset.catalog === expected, version);

describe('a release that throws when it is shown', () => {
  it('is rolled back by the watcher, frozen, and an open tab recovers', async () => {
    const built = await builtCatalog();
    const good = await publishVariant(store(), built, 'sound', 'before the watcher');
    const bad = await publishVariant(store(), built, 'render throws', 'for the watcher');
    await goLive(good);
    const { page, context } = await openTab(browser, shop.url);
    await page.goto('/home');
    await servedBy(page, good);
    await page.evaluate(() => Object.assign(window, { stillTheSameDocument: true }));

    await goLive(bad);
    // Three visits of this browser: each is counted, fails, and is served by the release before.
    const reported = page.waitForRequest((request) => (request.postData() ?? '').includes(bad.version));
    for (const place of ['/search', '/home', '/search']) {
      await page.evaluate((to) => {
        const state = { idx: (history.state?.idx ?? 0) + 1, key: Math.random().toString(36).slice(2), usr: null };
        history.pushState(state, '', to);
        window.dispatchEvent(new PopStateEvent('popstate', { state }));
      }, place);
      await page.waitForTimeout(2_500);
    }
    await servedBy(page, good);
    const sample = JSON.parse((await reported).postData() ?? '{}') as { events: Array<Record<string, unknown>> };
    // The others, in the words of the report that this browser sent.
    const visit = sample.events.find((event) => event.kind === 'visit' && event.version === bad.version);
    const failure = { ...visit, kind: 'render', recovered: true };
    for (let batch = 0; batch < 3; batch += 1) {
      const events = [...Array.from({ length: 17 }, () => visit), failure];
      const answer = await fetch(`${shop.url}/api/health/report`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ events }),
      });
      expect(answer.status).toBe(204);
    }

    const isBack = async () => liveVersion(await store().readMap('production'), 'catalog') === good.version;
    for (let looks = 0; looks < 300 && !(await isBack()); looks += 1) await page.waitForTimeout(100);
    const [last] = await revisionsOf(store(), { name: 'catalog', limit: 1 });
    expect(last).toMatchObject({ action: 'rollback', by: 'watcher', from: bad.version, to: good.version });
    expect(last?.why).toMatch(/% of \d+ visits failed/);
    await expect(goLive(bad)).rejects.toThrow('frozen by watcher');

    await page.goBack();
    await page.waitForURL('**/home');
    await servedBy(page, good);
    const fresh = await openTab(browser, shop.url);
    await fresh.page.goto('/home');
    await servedBy(fresh.page, good);
    expect(await page.evaluate(() => 'stillTheSameDocument' in window)).toBe(true);
    expect(fresh.faults).toEqual([]);
    await fresh.context.close();
    await context.close();
  });
});

describe('what a preview may name', () => {
  it.each([
    'catalog@9.9.9-00000000',
    'https://elsewhere.example/remoteEntry.js',
    'catalog@../../maps/production.json',
    'nobody@1.0.0-00000000',
  ])('"%s" is no release of this store: what is live is shown, without a badge', async (given) => {
    const { page, context, faults } = await openTab(browser, shop.url);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(shop.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    await page.goto(`/home?release=${encodeURIComponent(given)}`);
    await page.getByText('搜游戏、点卡、拼音首字母').waitFor();
    expect(await page.locator('.preview-badge').count()).toBe(0);
    expect([...elsewhere, ...faults]).toEqual([]);
    await context.close();
  });

  it('a previewed release that fails is seen to fail, and the rest of the shop lives', async () => {
    const bad = await publishVariant(store(), await builtCatalog(), 'render throws', 'to preview');
    const { page, context } = await openTab(browser, shop.url);
    await page.goto(`/home?release=catalog@${bad.version}`);
    const card = page.getByRole('alert').filter({ hasText: text.pageFailed });
    await card.waitFor();
    await page.getByRole('link', { name: /退出预览/ }).click();
    await page.getByText('搜游戏、点卡、拼音首字母').waitFor();
    expect(await card.count()).toBe(0);
    await context.close();
  });
});

// The last: a prune takes away what the others start from.
describe('a tab that stays open through five promotes and a prune', () => {
  it('works on: what is pruned is only what it can do without', async () => {
    const built = await builtCatalog();
    const releases: ReleaseManifest[] = [];
    for (let number = 1; number <= 6; number += 1)
      releases.push(await publishVariant(store(), built, 'sound', `promote ${number}`));
    const [first, ...later] = releases as [ReleaseManifest, ...ReleaseManifest[]];
    await goLive(first);
    const { page, context } = await openTab(browser, shop.url);
    await page.goto('/home');
    await servedBy(page, first);
    await page.evaluate(() => Object.assign(window, { stillTheSameDocument: true }));
    for (const next of later) await goLive(next);

    // By itself, prune spares what was live in the last days: it may be open in a tab.
    const label = `catalog@${first.version}`;
    expect((await prune(store(), { keep: 1 })).removed).not.toContain(label);
    expect((await prune(store(), { keep: 1, days: 0 })).removed).toContain(label);

    // A page that this tab has not loaded is gone with the release; the tab takes it from the one that is live.
    await page.getByRole('link', { name: text.searchLink }).first().click();
    await page.waitForURL('**/search');
    await servedBy(page, later.at(-1) as ReleaseManifest);
    await page.getByRole('combobox').waitFor();
    expect(await page.evaluate(() => 'stillTheSameDocument' in window)).toBe(true);
    await context.close();
  });
});
