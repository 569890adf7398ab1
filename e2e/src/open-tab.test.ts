/**
 * A tab that stays open across releases: it follows them, keeps the shopper's input, runs no tampered file, reports failures, and
 * does not grow. The cases in detail are tested in platform/host/src.
 */

import { type ReleaseManifest, rollbackInMap } from '@platform/releases';
import type { ReleaseVariant } from '@platform/releases/testing/release-variant';
import type { CDPSession, Page } from '@playwright/test';
import { advanceAMinute, openFaultProxy } from './fault-proxy';
import { isFullRun } from './full-run';
import {
  holdRequests,
  isMarkedDocument,
  loadsFinished,
  markDocument,
  navigate,
  waitForNewDocument,
} from './navigation';
import { placeOrder, tokenOfNewShopper, topUp } from './steps';
import { expect, test } from './test';

const homeSearch = '搜游戏、点卡、拼音首字母';

const expectServedBy = (page: Page, { manifest: { name, version } }: ReleaseVariant) =>
  expect(page.locator('html')).toHaveAttribute(`data-${name}`, version);

/** Whether the document can call the server and its links and buttons are visible. */
const isSound = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const isReached = await Promise.race([
      fetch('/livez').then((response) => response.ok),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 2_000)),
    ]);
    const buttons = [...document.querySelectorAll('a, button')];
    return isReached && buttons.every((button) => getComputedStyle(button).visibility === 'visible');
  });

/** Needs an installed clock: the health watch of the tab loads three seconds after the document. */
const startDeferred = async (page: Page) => {
  await loadsFinished(page);
  await page.clock.fastForward(5_000);
  await loadsFinished(page);
};

test('an idle tab recovers within a minute after the rollback of a release that hid all buttons and cut off the network', async ({
  faultProxy,
  manifests,
  variant,
  openTab,
}) => {
  const good = manifests.catalog as ReleaseManifest;
  const bad = await variant('catalog', 'spoils the tab');
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /spoilt/ });
  faultProxy.goLive(bad.manifest);
  await page.clock.install();
  await page.goto('/home');
  await expectServedBy(page, bad);
  expect(await isSound(page)).toBe(false);
  await markDocument(page);
  await startDeferred(page);

  faultProxy.setMap(rollbackInMap(faultProxy.map(), good, null, { by: 'a test' }));
  await advanceAMinute(page, faultProxy);
  await waitForNewDocument(page);
  await expect(page.getByRole('link').first()).toBeVisible();
  expect(await isSound(page)).toBe(true);
});

test('a rollback does not break a pending payment', async ({ faultProxy, manifests, variant, openTab, shop }) => {
  const good = manifests.orders as ReleaseManifest;
  const bad = await variant('orders', 'sound', 'bad');
  const token = await tokenOfNewShopper(shop, '13922220002');
  // The order is in yuan, and an English page offers the wallet if it has dollars.
  for (const language of ['zh-CN', 'en'] as const) await topUp(shop, token, language);
  const orderNo = await placeOrder(shop, token);
  const { page } = await openTab({ url: faultProxy.url, token, language: 'en' });
  faultProxy.goLive(bad.manifest);
  await page.clock.install();
  await page.goto(`/order/detail/${orderNo}`);
  await expectServedBy(page, bad);
  await markDocument(page);
  await startDeferred(page);
  const payment = '/api/front/payment/balance';
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  const answer = await holdRequests(page, `**${payment}`);
  const payments = () => calls.filter((path) => path === payment).length;
  await page.getByRole('button', { name: /^Pay / }).last().click();
  await expect.poll(payments).toBe(1);

  faultProxy.setMap(rollbackInMap(faultProxy.map(), good, null, { by: 'a test' }));
  // The call's own limit is thirty seconds of the page's clock.
  await page.clock.fastForward(20_000);
  await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  const mapRead = () => calls.filter((path) => path.startsWith('/releases/')).length;
  const before = mapRead();
  await page.clock.fastForward(8_000);
  await expect.poll(mapRead).toBeGreaterThan(before);
  expect(await isMarkedDocument(page)).toBe(true);
  answer();
  await expect(page.getByText('Finished').first()).toBeVisible();
  expect(await isMarkedDocument(page)).toBe(true);
  await advanceAMinute(page, faultProxy);
  await waitForNewDocument(page);
  await expect(page.getByText('Finished').first()).toBeVisible();
  expect(payments()).toBe(1);
});

const swaps = isFullRun ? 100 : 24;
const warmUpSwaps = isFullRun ? 20 : 8;
/** Bytes. A release of this remote has about 100 kB of source: releases that stayed in memory would exceed this. */
const maxHeapGrowth = isFullRun ? 4 * 1024 * 1024 : 1024 * 1024;

test(`${swaps} live changes of one remote leave no style, listener or node behind, and a bounded heap`, async ({
  faultProxy,
  variant,
  openTab,
}) => {
  const { page } = await openTab({ url: faultProxy.url });
  await page.goto('/business');
  await expect(page.getByRole('textbox').first()).toBeVisible();
  await markDocument(page);
  const session = await page.context().newCDPSession(page);
  let early: PageSize = { heap: 0, listeners: 0, nodes: 0, sheets: 0, sheetsInForce: 0 };
  for (let swap = 1; swap <= swaps; swap += 1) {
    const { manifest } = await variant('content', 'sound', `swap ${swap}`);
    faultProxy.goLive(manifest);
    await navigate(page, swap % 2 ? '/article/privacy' : '/business');
    await page.waitForFunction((version) => document.documentElement.dataset.content === version, manifest.version, {
      polling: 50,
    });
    if (swap === warmUpSwaps) early = await sizeOf(session, page);
  }
  // Effects and idle work of the last navigations hold their objects for a while.
  await expect(async () => {
    const late = await sizeOf(session, page);
    expect(late.sheets).toBeLessThanOrEqual(early.sheets);
    expect(late.sheetsInForce).toBeLessThanOrEqual(early.sheetsInForce);
    expect(late.listeners).toBeLessThanOrEqual(early.listeners * 1.1);
    expect(late.nodes).toBeLessThanOrEqual(early.nodes * 1.1);
    expect(late.heap - early.heap).toBeLessThan(maxHeapGrowth);
  }).toPass({ timeout: 60_000 });
  expect(await isMarkedDocument(page)).toBe(true);
});

/** Resolves when the page has done its deferred work of the last navigations. */
const isIdle = (page: Page) =>
  page.evaluate(() => new Promise((idle) => requestIdleCallback(() => requestIdleCallback(idle))));

interface PageSize {
  /** Bytes, after a garbage collection. */
  heap: number;
  listeners: number;
  nodes: number;
  sheets: number;
  sheetsInForce: number;
}

async function sizeOf(session: CDPSession, page: Page): Promise<PageSize> {
  await isIdle(page);
  await page.waitForFunction(
    () => document.querySelectorAll('link[rel="stylesheet"][href*="/r/content/"]').length <= 1,
  );
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const counters = await session.send('Memory.getDOMCounters');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const [sheets = 0, sheetsInForce = 0] = await page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"][href*="/r/content/"]')];
    return [links.length, links.filter(({ disabled }) => !disabled).length];
  });
  return { heap: usedSize, listeners: counters.jsEventListeners, nodes: counters.nodes, sheets, sheetsInForce };
}

const pathOf = (manifest: ReleaseManifest, part: 'entry' | 'chunk' | 'style') => {
  const { js, css } = manifest.exposes['./business'] ?? { js: [], css: [] };
  const chunk = js.find((file) => file !== manifest.entry);
  return `/r/content/${manifest.version}/${{ entry: manifest.entry, chunk, style: css[0] }[part]}`;
};
const tamperedParts = (page: Page) =>
  page.evaluate(() => [
    document.documentElement.dataset.tampered ?? 'no script',
    getComputedStyle(document.documentElement).getPropertyValue('--tampered') || 'no style',
  ]);
for (const part of ['entry', 'chunk', 'style'] as const) {
  test(`a tampered ${part} never runs: the previous release serves, and it is reported`, async ({
    faultProxy,
    variant,
    openTab,
  }) => {
    const [good, live] = [await variant('content', 'sound', 'good'), await variant('content', 'sound', 'live')];
    const path = pathOf(live.manifest, part);
    faultProxy.goLive(good.manifest);
    faultProxy.goLive(live.manifest);
    faultProxy.breakPath(path, 'tampered');
    const { page } = await openTab({ url: faultProxy.url, expectedErrors: /integrity|content/ });
    await page.goto('/business');
    await expectServedBy(page, good);
    await expect(page.getByRole('textbox').first()).toBeVisible();
    expect(faultProxy.requests.filter((request) => request.startsWith(path)).length).toBeGreaterThan(0);
    expect(await tamperedParts(page)).toEqual(['no script', 'no style']);
    await expect
      .poll(() => faultProxy.reports.find(({ version, kind }) => version === live.manifest.version && kind === 'load'))
      .toMatchObject({ recovered: true });

    // The next visit gets it, although the browser's cache may hold the broken copy forever.
    faultProxy.breakPath(path, null);
    await navigate(page, '/home');
    await expect(page.getByText(homeSearch)).toBeVisible();
    await navigate(page, '/business');
    await expectServedBy(page, live);
    expect(await tamperedParts(page)).toEqual(['no script', 'no style']);
  });
}

test('the content security policy of the document blocks every other script and every request outside the shop', async ({
  shop,
  manifests,
  faultProxy,
  openTab,
}) => {
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /./ });
  await page.goto('/home');
  await expect(page.getByText(homeSearch)).toBeVisible();
  const foreignProxy = await openFaultProxy(shop.url, Object.values(manifests));
  await page.evaluate(async (elsewhere) => {
    const violations: string[] = [];
    Object.assign(window, { violations });
    document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
    const attempts: Record<string, () => unknown> = {
      'inline script': () => {
        const script = document.createElement('script');
        script.append('window.ran_inline = 1');
        document.head.append(script);
      },
      'foreign script': () => {
        const script = document.createElement('script');
        script.setAttribute('src', `${elsewhere}/r/x.js`);
        document.head.append(script);
      },
      'foreign picture': () => {
        new Image().src = `${elsewhere}/media/x.png?${localStorage.length}`;
      },
      'data address': () => {
        const script = document.createElement('script');
        script.src = 'data:text/javascript,window.ran_data=1';
        document.head.append(script);
      },
      // biome-ignore lint/security/noGlobalEval: that it does not run is what is tested
      eval: () => eval('window.ran_eval = 1'),
      'new Function': () => new Function('window.ran_function = 1')(),
      markup: () => {
        const holder = document.createElement('div');
        document.body.append(holder);
        holder.innerHTML = '<img src="x" onerror="window.ran_handler = 1">';
      },
      'timer text': () => (setTimeout as (code: string) => number)('window.ran_timer = 1'),
    };
    // Playwright's own evaluation may use eval; a task of the page may not.
    await new Promise((resolve) => setTimeout(resolve, 0));
    for (const attempt of Object.values(attempts)) {
      try {
        attempt();
      } catch {
        // Trusted Types or the policy refuses it.
      }
    }
  }, foreignProxy.url);
  await page.waitForFunction(() => (window as unknown as { violations: string[] }).violations.length >= 8);
  expect(await page.evaluate(() => Object.keys(window).filter((key) => key.startsWith('ran_')))).toEqual([]);
  expect(foreignProxy.requests).toEqual([]);
  await foreignProxy.close();
});

test('health reports name the release that failed or was slow, and contain no user data', async ({
  faultProxy,
  variant,
  demoToken,
  openTab,
}) => {
  const [good, bad] = [await variant('content', 'sound', 'good'), await variant('content', 'render throws')];
  faultProxy.goLive(good.manifest);
  faultProxy.goLive(bad.manifest);
  const { page, context } = await openTab({ url: faultProxy.url, token: demoToken, expectedErrors: /the page throws/ });
  // This makes the document part of the sample that reports vitals.
  await context.addInitScript(() => void Object.assign(Math, { random: () => 0.01 }));
  const { version } = bad.manifest;
  // The vitals are observed after some idle time, and final when the document is left.
  await expect(async () => {
    await page.goto('/business?mobile=13800000000#secret');
    await expectServedBy(page, good);
    await page.getByRole('textbox').first().fill('13800000000');
    await isIdle(page);
    await page.goto('/article/privacy');
    await expectServedBy(page, good);
    expect(faultProxy.reports).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'content', version, kind: 'visit', page: './business' }),
        expect.objectContaining({ name: 'content', version, kind: 'render', recovered: true }),
        expect.objectContaining({ name: 'content', version, kind: 'vital', metric: 'LCP' }),
      ]),
    );
  }).toPass();
  const bodies = faultProxy.reportBodies.join('\n');
  for (const secret of ['13800000000', demoToken.split(' ')[1] ?? demoToken, 'secret', 'http', 'mobile'])
    expect(bodies).not.toContain(secret);
  const allowedFields = ['name', 'version', 'kind', 'page', 'visit', 'recovered', 'metric', 'value', 'at'];
  expect(
    faultProxy.reports.flatMap((report) => Object.keys(report)).filter((key) => !allowedFields.includes(key)),
  ).toEqual([]);
  expect(faultProxy.reportBodies.length).toBeLessThan(faultProxy.reports.length);
});
