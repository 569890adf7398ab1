/** Without a network: the installed shop opens to a page that says so, pays nothing, and heals (docs/adr/0007-service-worker.md). */
import net from 'node:net';
import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openTab } from './browser';
import { type Shop, startShop } from './shop';
import { beSignedIn, demoToken, words } from './steps';

let shop: Shop;
let browser: Browser;
let line: Line;

/** A line to the shop that can be cut: what a browser sees of a dead network or a server that is down. */
interface Line {
  url: string;
  cut(): Promise<void>;
  mend(): Promise<void>;
}

async function openLine(target: string): Promise<Line> {
  const { port } = new URL(target);
  const sockets = new Set<net.Socket>();
  const listen = (server: net.Server, at: number) =>
    new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve));
  const open = () =>
    net.createServer((near) => {
      const far = net.connect(Number(port), 'localhost');
      for (const socket of [near, far]) {
        sockets.add(socket);
        socket.on('error', () => {}).on('close', () => sockets.delete(socket));
      }
      near.pipe(far).pipe(near);
    });
  let server = open();
  await listen(server, 0);
  const own = (server.address() as net.AddressInfo).port;
  return {
    url: `http://127.0.0.1:${own}`,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
    async mend() {
      server = open();
      await listen(server, own);
    },
  };
}

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
  line = await openLine(shop.url);
});
afterAll(async () => {
  await browser?.close();
  await line?.cut();
  await shop?.stop();
});

/** The worker is registered a while after the first page. */
const workerIsThere = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready));

describe.each([
  { language: 'zh-CN', theme: 'light', says: '现在连不上网络', again: '重试', page: words['zh-CN'].games },
  { language: 'en', theme: 'dark', says: 'You are offline', again: 'Try again', page: words.en.games },
] as const)('in $language, $theme', ({ language, theme, says, again, page: games }) => {
  it('a returning visitor without a network reads so at any address, and the page heals by itself', async () => {
    const { page, context, faults } = await openTab(browser, line.url, { language, theme, serviceWorker: true });
    await page.goto('/home');
    await workerIsThere(page);
    await line.cut();
    try {
      await page.goto('/goods/1?from=home');
      const heading = page.getByRole('heading', { name: says });
      await heading.waitFor();
      expect(page.url()).toBe(`${line.url}/goods/1?from=home`);
      expect(await page.locator('html').getAttribute('lang')).toBe(language);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(ground).toBe(theme === 'dark' ? 'rgb(14, 12, 23)' : 'rgb(245, 244, 250)');
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      await page.getByRole('button', { name: again }).click();
      await page.getByRole('status').getByText(/\S/).locator('visible=true').first().waitFor();
      // A second address, a reload: the same page, nothing of an old release.
      await page.reload();
      await heading.waitFor();
    } finally {
      await line.mend();
    }
    await page.getByRole('banner').getByRole('button').first().waitFor();
    await page.goto('/home');
    await page.getByRole('link', { name: games, exact: true }).first().waitFor();
    expect(
      faults.filter((fault) => !/ERR_(CONNECTION_REFUSED|CONNECTION_RESET|EMPTY_RESPONSE|FAILED)/.test(fault)),
    ).toEqual([]);
    await context.close();
  });
});

it('keeps the offline page and no call, page or file', async () => {
  const { page, context } = await openTab(browser, line.url, { serviceWorker: true });
  await page.goto('/home');
  await workerIsThere(page);
  await page.goto('/goods/1');
  await page.getByRole('heading').first().waitFor();
  const kept = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(kept).toEqual(['/offline.html']);
  await context.close();
});

it('comes back from the back/forward cache as it was left, with the worker in charge', async () => {
  const own = await launchBrowser({ backForwardCache: true });
  try {
    const { page } = await openTab(own, line.url, { serviceWorker: true });
    await page.addInitScript(() => {
      addEventListener('pageshow', ({ persisted }) => Object.assign(window, { cameBack: persisted }));
    });
    await page.goto('/home');
    await workerIsThere(page);
    await page.goto('/home');
    await page.getByRole('heading').first().waitFor();
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await page.goto(`${shop.url}/icon.svg`);
    await page.evaluate(() => history.back());
    await page.waitForFunction(() => 'cameBack' in window && window.cameBack === true);
    await page.getByRole('heading').first().waitFor();
  } finally {
    await own.close();
  }
});

it('refuses an order offline in words, keeps what was chosen, and takes it once the network is back', async () => {
  const text = words['zh-CN'];
  const token = await demoToken(shop);
  const ordersOf = async () => {
    const answer = await fetch(`${shop.url}/api/front/order/list`, { headers: { authorization: token } });
    return ((await answer.json()) as { data: { total: number } }).data.total;
  };
  const before = await ordersOf();
  const { page, context } = await openTab(browser, line.url, { language: 'zh-CN', serviceWorker: true });
  await beSignedIn(page, token);
  await page.goto('/goods/1');
  await page.getByRole('radio', { name: /300\+30/ }).click();
  const buy = page.getByRole('button', { name: text.buy });
  await buy.waitFor();
  await context.setOffline(true);
  await page.getByText('网络已断开，内容可能不是最新').waitFor();
  await buy.click();
  await page.getByRole('alert').filter({ hasText: '没有提交，也没有扣款' }).waitFor();
  expect(await page.getByRole('radio', { name: /300\+30/ }).isChecked()).toBe(true);
  await context.setOffline(false);
  // Nothing was waiting to be sent.
  expect(await ordersOf()).toBe(before);
  await page.getByText('网络已断开，内容可能不是最新').waitFor({ state: 'detached' });
  await buy.click();
  await page.waitForURL('**/order/detail/**');
  expect(await ordersOf()).toBe(before + 1);
  await context.close();
});
