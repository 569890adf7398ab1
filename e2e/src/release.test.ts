/** Squads release and ops roll back while shoppers shop (issue: rolling back on day one). */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser, openTab } from './browser';
import { root, type Shop, startShop } from './shop';
import { beSignedIn, demoToken, words } from './steps';

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
