/**
 * Broken releases: a fault of one remote stays in that remote and recovers; a shell that does not start is replaced by the previous one.
 * The cases in detail are tested in platform/host/src, platform/pages/src/boot and shell/src.
 */

import type { ReleaseManifest } from '@platform/releases';
import type { Change, ReleaseVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { type Fault, type FaultProxy, flushReports } from './fault-proxy';
import { isMarkedDocument, markDocument, navigate } from './navigation';
import { words } from './steps';
import { test as base, expect, type Fixtures } from './test';

const text = words['zh-CN'];

const expectReport = (proxy: FaultProxy, page: Page, { manifest }: ReleaseVariant, kind: string) =>
  expect
    .poll(async () => {
      await flushReports(page);
      return proxy.reports.filter(({ version }) => version === manifest.version).map((report) => report.kind);
    })
    .toContainEqual(kind);

base.describe('a fault of one remote', () => {
  const pages = {
    catalog: { first: '/home', second: '/search', elsewhere: '/user' },
    account: { first: '/user', second: '/user/wallet', elsewhere: '/home' },
    orders: { first: '/order', second: '/order/detail/GS0', elsewhere: '/home' },
    content: { first: '/business', second: '/article/privacy', elsewhere: '/home' },
  } as const;
  type Remote = keyof typeof pages;

  /** The loader then gives up a request (platform/host/src/download.ts). */
  const attemptMs = 4_000;

  class Visit {
    constructor(
      readonly page: Page,
      private readonly remote: Remote,
      private readonly variant: Fixtures['variant'],
    ) {}

    release(change: Change, label?: string, name = this.remote): Promise<ReleaseVariant> {
      return this.variant(name, change, label);
    }

    async expectServedBy({ manifest }: ReleaseVariant): Promise<void> {
      const shown = () =>
        this.page.evaluate((name) => {
          const page = [...document.querySelectorAll<HTMLElement>('.shell-page')].find((element) =>
            element.checkVisibility(),
          );
          const remote = page?.querySelector<HTMLElement>('[data-remote]')?.dataset.remote;
          if (!page || remote !== name || page.textContent.trim() === '') return 'another page';
          if (page.querySelector('.shell-page-skeleton, .shell-page-failure')) return 'a skeleton or an error card';
          return document.documentElement.dataset[name];
        }, manifest.name);
      await expect
        .poll(shown, { message: `release of ${manifest.name} on screen`, intervals: [100] })
        .toBe(manifest.version);
    }

    async expectOthersWork(): Promise<void> {
      const { elsewhere } = pages[this.remote];
      const name = elsewhere === '/home' ? text.games : text.me;
      const tab = this.page.getByRole('link', { name, exact: true }).last();
      if (await tab.isVisible()) await tab.click();
      else await navigate(this.page, elsewhere);
      await this.expectServedBy(
        await this.release('sound', 'previous', this.remote === 'catalog' ? 'account' : 'catalog'),
      );
    }

    /** The tab was never blank, was not reloaded and ran no tampered file. */
    async expectUndisturbed(): Promise<void> {
      expect(await this.page.evaluate(() => (window as unknown as { blanks: string[] }).blanks)).toEqual([]);
      expect(await isMarkedDocument(this.page)).toBe(true);
      const tampered = await this.page.evaluate(() => [
        document.documentElement.dataset.tampered ?? 'no script',
        getComputedStyle(document.documentElement).getPropertyValue('--tampered') || 'no style',
      ]);
      expect(tampered).toEqual(['no script', 'no style']);
    }
  }

  /** Records the times at which neither a page nor a placeholder was on screen for three samples in a row, at ten samples a second. */
  function recordBlanks(): void {
    const state = window as unknown as { blanks: string[] };
    state.blanks = [];
    let inRow = 0;
    let last = performance.now();
    setInterval(() => {
      // Late samples say nothing about the time between them.
      const isLate = performance.now() - last > 250;
      last = performance.now();
      const root = document.getElementById('root');
      if (!root) return;
      const parts = [...root.querySelectorAll<HTMLElement>('.shell-page, .boot')];
      const shown = parts.find((part) => part.checkVisibility());
      const isBlank = !shown || shown.getBoundingClientRect().height === 0 || shown.childElementCount === 0;
      inRow = isBlank && !isLate ? inRow + 1 : 0;
      if (inRow === 3)
        state.blanks.push(
          `${location.pathname}: ${shown ? shown.outerHTML.slice(0, 400) : root.querySelector('main')?.outerHTML}`,
        );
    }, 100);
  }

  const test = base.extend<{ openVisit(remote: Remote): Promise<Visit> }>({
    openVisit: async ({ faultProxy, variant, demoToken, openTab }, use) =>
      use(async (remote) => {
        for (const name of Object.keys(pages)) faultProxy.goLive((await variant(name, 'sound', 'previous')).manifest);
        // The fault must come before the page's code, so the shell must not prefetch.
        const { page, context } = await openTab({
          url: faultProxy.url,
          token: demoToken,
          saveData: true,
          expectedErrors: /./,
        });
        await context.addInitScript(recordBlanks);
        return new Visit(page, remote, variant);
      }),
  });

  test('no release of catalog reaches a new visitor: an error card appears and recovers', async ({
    faultProxy,
    openVisit,
  }) => {
    const visit = await openVisit('catalog');
    const { page } = visit;
    const live = await visit.release('sound', 'live');
    faultProxy.goLive(live.manifest);
    faultProxy.breakPath('/r/catalog/', '404');
    await page.goto(pages.catalog.first, { waitUntil: 'commit' });
    await markDocument(page);
    const card = page.locator('.shell-page-failure:visible');
    await expect(card).toBeVisible();
    await expectReport(faultProxy, page, live, 'load');
    await visit.expectOthersWork();
    await navigate(page, pages.catalog.first);
    await expect(card).toBeVisible();
    faultProxy.breakPath('/r/catalog/', null);
    await card.getByRole('button', { name: text.tryAgain }).click();
    await visit.expectServedBy(live);
    await visit.expectUndisturbed();
  });

  const fileOf = ({ name, version, entry, exposes }: ReleaseManifest, part: Part) => {
    const { js = [], css = [] } = exposes['./business'] ?? {};
    const chunk = js.find((file) => file !== entry);
    return `/r/${name}/${version}/${{ 'all files': '', entry, chunk, style: css[0] }[part]}`;
  };
  type Part = 'all files' | 'entry' | 'chunk' | 'style';
  const cases: ReadonlyArray<{ fault?: Fault; part?: Part; change?: Change; remote: Remote; tab: 'new' | 'open' }> = [
    { fault: '404', remote: 'content', tab: 'open' },
    { fault: 'hang', remote: 'catalog', tab: 'open' },
    { fault: 'tampered', part: 'entry', remote: 'content', tab: 'new' },
    { fault: 'tampered', part: 'chunk', remote: 'content', tab: 'new' },
    { fault: 'tampered', part: 'style', remote: 'content', tab: 'new' },
    { change: 'entry throws', remote: 'account', tab: 'new' },
    { change: 'newer singleton', remote: 'content', tab: 'new' },
    { change: 'module throws', remote: 'orders', tab: 'open' },
    { change: 'render throws', remote: 'catalog', tab: 'open' },
  ];
  for (const { fault, part = 'all files', change = 'sound', remote, tab } of cases) {
    const what = fault ? `${fault}, ${part}` : change;
    test(`a live release of ${remote} that fails (${what}) is replaced by the previous one in a tab that is ${tab}`, async ({
      faultProxy,
      openVisit,
    }) => {
      const visit = await openVisit(remote);
      const { page } = visit;
      const { first, second } = pages[remote];
      const path = tab === 'new' ? first : second;
      const previous = await visit.release('sound', 'previous');
      const bad = await visit.release(change, 'bad');
      const files = fileOf(bad.manifest, part);
      const goLive = () => {
        faultProxy.goLive(bad.manifest);
        if (fault) faultProxy.breakPath(files, fault);
      };
      if (tab === 'new') goLive();
      if (fault === 'hang') await page.clock.install();
      await page.goto(first, { waitUntil: 'commit' });
      if (tab === 'open') await visit.expectServedBy(previous);
      await markDocument(page);
      if (tab === 'open') {
        await visit.expectOthersWork();
        goLive();
        await navigate(page, path);
      }
      await expect.poll(() => faultProxy.requests.some((url) => url.startsWith(files)), 'requests of it').toBe(true);
      if (fault === 'hang') await page.clock.fastForward(attemptMs);
      await expectReport(faultProxy, page, bad, change === 'render throws' ? 'render' : 'load');
      await visit.expectServedBy(previous);
      await visit.expectOthersWork();

      let next = bad;
      // The browser's cache may hold a broken copy forever.
      if (fault) faultProxy.breakPath(files, null);
      else {
        next = await visit.release('sound', 'fixed');
        faultProxy.goLive(next.manifest);
      }
      await navigate(page, path);
      await visit.expectServedBy(next);
      await visit.expectUndisturbed();
    });
  }
});

base.describe('a shell that does not start', () => {
  /** A shell that has not started by then is given up (platform/pages/src/boot/shell-fallback.ts). */
  const patienceMs = 20_000;

  async function expectServedBy(page: Page, { manifest }: ReleaseVariant): Promise<void> {
    await expect(page.locator('.shell-page [data-remote=catalog]').first()).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('data-served-by', new RegExp(`/r/shell/${manifest.version}/`));
    await expect(page.locator('.boot-failed:visible')).toHaveCount(0);
  }

  for (const fault of ['404', 'hang', 'tampered'] satisfies Fault[]) {
    base(
      `a shell whose files are broken (${fault}) is replaced by the previous one and reported`,
      async ({ faultProxy, variant, openTab }) => {
        const [previous, live] = [await variant('shell', 'sound', 'previous'), await variant('shell', 'sound', 'live')];
        faultProxy.goLive(previous.manifest);
        faultProxy.goLive(live.manifest);
        const files = `/r/shell/${live.manifest.version}/`;
        faultProxy.breakPath(files, fault);
        const { page, errors } = await openTab({ url: faultProxy.url, expectedErrors: /./ });
        if (fault === 'hang') await page.clock.install();
        await page.goto('/home', { waitUntil: 'commit' });
        if (fault === 'hang') {
          await expect.poll(() => faultProxy.requests.some((url) => url.startsWith(files))).toBe(true);
          await page.clock.fastForward(patienceMs);
        }
        await expectServedBy(page, previous);
        await expectReport(faultProxy, page, live, 'load');
        expect(faultProxy.reports.filter(({ name, kind }) => name === 'shell' && kind === 'visit')).toHaveLength(1);
        expect(errors.filter((error) => /Trusted|Content Security/i.test(error))).toEqual([]);
        expect(await page.evaluate(() => 'tampered' in document.documentElement.dataset)).toBe(false);
      },
    );
  }

  base(
    'a shell that throws when it renders is replaced in this tab until it is rolled back, and reported',
    async ({ faultProxy, variant, openTab }) => {
      const [previous, bad] = [await variant('shell', 'sound', 'previous'), await variant('shell', 'render throws')];
      faultProxy.goLive(previous.manifest);
      faultProxy.goLive(bad.manifest);
      const { page } = await openTab({ url: faultProxy.url, expectedErrors: /./ });
      await page.goto('/home', { waitUntil: 'commit' });
      await expectServedBy(page, previous);
      await expectReport(faultProxy, page, bad, 'render');
      await page.reload();
      await expectServedBy(page, previous);
      faultProxy.goLive(previous.manifest);
      await page.reload();
      await expectServedBy(page, previous);
      // The tab loaded it as the live shell; a fallback shell reports no visit of its own.
      await expectReport(faultProxy, page, previous, 'visit');
    },
  );
});
