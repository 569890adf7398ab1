/**
 * A fault of one remote stays in that remote: four remotes × eight faults × cold and warm.
 *
 * Cold: the first page that a new visitor opens is one of the faulty remote. Warm: the remote already runs in the tab, and
 * the shopper navigates to a page of it that the tab has not loaded.
 *
 * A network fault breaks files of the live release on their way. A code fault is a release that was made live without the
 * gate: cold as the first that the visitor loads, warm over a sound one in an open tab.
 */

import { type Change, makeVariant, type ReleaseVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { type Fault, type FaultProxy, flushReports } from './fault-proxy';
import { isFullRun } from './full-run';
import { isMarkedDocument, markDocument, navigate } from './navigation';
import { words } from './steps';
import { expect, type Fixtures, test } from './test';

const remotes = ['catalog', 'account', 'orders', 'content'] as const;
type Remote = (typeof remotes)[number];
const networkFaults: Fault[] = ['404', '500', 'hang', 'cut off', 'wrong type'];
const codeFaults = ['throws at load', 'throws at render', 'requires a newer singleton'] as const;
type CodeFault = (typeof codeFaults)[number];
const states = ['cold', 'warm'] as const;
type State = (typeof states)[number];

/** Two pages of each remote, and one of another. */
const pages: Record<Remote, { first: string; second: string; elsewhere: string }> = {
  catalog: { first: '/home', second: '/search', elsewhere: '/user' },
  account: { first: '/user', second: '/user/wallet', elsewhere: '/home' },
  orders: { first: '/order', second: '/order/detail/GS0', elsewhere: '/home' },
  content: { first: '/business', second: '/article/privacy', elsewhere: '/home' },
};
const text = words['zh-CN'];

/** After which the loader gives a request up (platform/host/src/download.ts). */
const attemptMs = 4_000;

/** One visitor's tab at the fault proxy, with sound releases of all remotes live. */
class Visit {
  private constructor(
    readonly proxy: FaultProxy,
    readonly page: Page,
    private readonly remote: Remote,
    private readonly variant: (name: Remote, change: Change, label?: string) => Promise<ReleaseVariant>,
  ) {}

  static async open(
    fixtures: Pick<Fixtures, 'faultProxy' | 'store' | 'manifests' | 'demoToken' | 'openTab'>,
    remote: Remote,
  ): Promise<Visit> {
    const { faultProxy: proxy, store, manifests, demoToken, openTab } = fixtures;
    const variant = async (name: Remote, change: Change, label?: string) => {
      const manifest = manifests[name];
      if (!manifest) throw new Error(`${name} is not live`);
      const made = await makeVariant(store, manifest, change, label);
      proxy.serve(made);
      return made;
    };
    for (const name of remotes) proxy.goLive((await variant(name, 'sound', 'previous')).manifest);
    const { page, context } = await openTab({
      url: proxy.url,
      token: demoToken,
      // The fault must come before the page's code.
      saveData: true,
      expectedErrors: /./,
    });
    await context.addInitScript(recordBlanks);
    return new Visit(proxy, page, remote, variant);
  }

  release(change: Change, label?: string): Promise<ReleaseVariant> {
    return this.variant(this.remote, change, label);
  }

  async expectServedBy({ manifest }: ReleaseVariant): Promise<void> {
    const shown = () =>
      this.page.evaluate((name) => {
        const page = [...document.querySelectorAll<HTMLElement>('.shell-page')].find((one) => one.checkVisibility());
        const remote = page?.querySelector<HTMLElement>('[data-remote]')?.dataset.remote;
        if (!page || remote !== name || page.textContent.trim() === '') return 'another page';
        if (page.querySelector('.shell-page-skeleton, .shell-page-failure')) return 'a skeleton or an error card';
        return document.documentElement.dataset[name];
      }, manifest.name);
    await expect
      .poll(shown, { message: `release of ${manifest.name} on screen`, intervals: [100] })
      .toBe(manifest.version);
  }

  /** Another area opens, rendered by its own remote. */
  async expectOthersWork(): Promise<void> {
    const { elsewhere } = pages[this.remote];
    const tab = this.page.getByRole('link', { name: elsewhere === '/home' ? text.games : text.me, exact: true }).last();
    if (await tab.isVisible()) await tab.click();
    else await navigate(this.page, elsewhere);
    await this.expectServedBy(
      await this.variant(this.remote === 'catalog' ? 'account' : 'catalog', 'sound', 'previous'),
    );
  }

  entryRequests({ manifest: { name, version, entry } }: ReleaseVariant): number {
    return this.proxy.requests.filter((url) => url.startsWith(`/r/${name}/${version}/${entry}`)).length;
  }

  async expectReport({ manifest }: ReleaseVariant, kind: 'load' | 'render', recovered: boolean): Promise<void> {
    const reports = async () => {
      await flushReports(this.page);
      return this.proxy.reports.filter(({ version }) => version === manifest.version);
    };
    await expect
      .poll(async () => (await reports()).map((one) => [one.kind, one.recovered ?? false]))
      .toContainEqual([kind, recovered]);
  }

  /** Opens a page whose files hang, and lets the time of the loader's first attempt pass. */
  async navigateUntilTimeout(path: string, files: string): Promise<void> {
    const before = this.proxy.requests.length;
    await navigate(this.page, path);
    await expect
      .poll(() => this.proxy.requests.slice(before).some((url) => url.startsWith(files)), 'requests that hang')
      .toBe(true);
    await this.page.clock.fastForward(attemptMs);
  }

  async expectNeverBlankNorReloaded(): Promise<void> {
    expect(await this.page.evaluate(() => (window as unknown as { blanks: string[] }).blanks)).toEqual([]);
    expect(await isMarkedDocument(this.page)).toBe(true);
  }
}

/** Records when for three samples in a row, ten a second, neither a page nor a placeholder was on screen. */
function recordBlanks(): void {
  const state = window as unknown as { blanks: string[] };
  state.blanks = [];
  let inRow = 0;
  let last = performance.now();
  setInterval(() => {
    // Samples that come late say nothing about the time between them.
    const isLate = performance.now() - last > 250;
    last = performance.now();
    const root = document.getElementById('root');
    if (!root) return;
    const parts = [...root.querySelectorAll<HTMLElement>('.shell-page, .boot')];
    const shown = parts.find((one) => one.checkVisibility());
    const isBlank = !shown || shown.getBoundingClientRect().height === 0 || shown.childElementCount === 0;
    inRow = isBlank && !isLate ? inRow + 1 : 0;
    if (inRow === 3)
      state.blanks.push(
        `${location.pathname}: ${shown ? shown.outerHTML.slice(0, 400) : root.querySelector('main')?.outerHTML}`,
      );
  }, 100);
}

async function testNetworkFault(visit: Visit, remote: Remote, fault: Fault, state: State): Promise<void> {
  const { proxy, page } = visit;
  const { first, second } = pages[remote];
  const previous = await visit.release('sound', 'previous');
  const live = await visit.release('sound', 'live');
  proxy.goLive(live.manifest);
  if (fault === 'hang') await page.clock.install();
  const filesOfLive = `/r/${remote}/${live.manifest.version}/`;
  const filesOfAll = `/r/${remote}/`;

  if (state === 'cold') {
    // Every release of the remote is broken: an error card.
    proxy.breakPath(filesOfAll, fault);
    await page.goto(first, { waitUntil: 'commit' });
    await markDocument(page);
    const card = page.locator('.shell-page-failure:visible');
    if (fault === 'hang') {
      await expect(page.locator('.shell-page').first()).toBeVisible();
      // The live release, then its fallback.
      await expect(async () => {
        await page.clock.fastForward(attemptMs);
        await expect(card).toBeVisible({ timeout: 1_000 });
      }).toPass();
    }
    await expect(card).toBeVisible();
    // One or two by the preload and the first script, and at most three retries.
    expect(visit.entryRequests(live)).toBeLessThanOrEqual(5);
    await visit.expectReport(live, 'load', false);
    await visit.expectOthersWork();
    proxy.breakPath(filesOfAll, null);
  } else {
    await page.goto(first, { waitUntil: 'commit' });
    await visit.expectServedBy(live);
    await markDocument(page);
  }
  // The live release alone is broken: the previous one serves.
  const path = state === 'cold' ? first : second;
  proxy.breakPath(filesOfLive, fault);
  if (fault === 'hang') await visit.navigateUntilTimeout(path, filesOfLive);
  else await navigate(page, path);
  await visit.expectServedBy(previous);
  await visit.expectReport(live, 'load', true);
  await visit.expectOthersWork();

  proxy.breakPath(filesOfLive, null);
  await navigate(page, path);
  await visit.expectServedBy(live);
  await visit.expectNeverBlankNorReloaded();
}

async function testCodeFault(visit: Visit, remote: Remote, fault: CodeFault, state: State): Promise<void> {
  const { proxy, page } = visit;
  const { first, second } = pages[remote];
  const change: Record<CodeFault, Change> = {
    'throws at load': state === 'cold' ? 'entry throws' : 'module throws',
    'throws at render': 'render throws',
    'requires a newer singleton': 'newer singleton',
  };
  const previous = await visit.release('sound', 'previous');
  const fixed = await visit.release('sound', 'fixed');
  const bad = await visit.release(change[fault]);

  if (state === 'cold') proxy.goLive(bad.manifest);
  await page.goto(first, { waitUntil: 'commit' });
  if (state === 'warm') await visit.expectServedBy(previous);
  await markDocument(page);
  const path = state === 'cold' ? first : second;
  if (state === 'warm') {
    await visit.expectOthersWork();
    proxy.goLive(bad.manifest);
    await navigate(page, path);
  }
  await visit.expectReport(bad, fault === 'throws at render' ? 'render' : 'load', true);
  await visit.expectServedBy(previous);
  expect(visit.entryRequests(bad)).toBeLessThanOrEqual(5);
  await visit.expectOthersWork();

  proxy.goLive(fixed.manifest);
  await navigate(page, path);
  await visit.expectServedBy(fixed);
  await visit.expectNeverBlankNorReloaded();
}

const faults = [...networkFaults, ...codeFaults];
const cells = remotes.flatMap((remote, remoteIndex) =>
  states.flatMap((state, stateIndex) =>
    faults
      // A push tries each fault once, and each remote once cold and once warm.
      .filter((_, faultIndex) => {
        const turn = (faultIndex + Math.floor(faultIndex / remotes.length)) % states.length;
        return isFullRun || (turn === stateIndex && (faultIndex + 2 * turn) % remotes.length === remoteIndex);
      })
      .map((fault) => ({ remote, fault, state })),
  ),
);
for (const { remote, fault, state } of cells) {
  test(`a fault of ${remote} stays there, and heals: ${fault}, ${state}`, async ({
    faultProxy,
    store,
    manifests,
    demoToken,
    openTab,
  }) => {
    const visit = await Visit.open({ faultProxy, store, manifests, demoToken, openTab }, remote);
    if (isCodeFault(fault)) await testCodeFault(visit, remote, fault, state);
    else await testNetworkFault(visit, remote, fault, state);
  });
}

function isCodeFault(fault: Fault | CodeFault): fault is CodeFault {
  return (codeFaults as readonly string[]).includes(fault);
}

test('an error card heals by "try again" without a load', async ({ demoToken, openTab }) => {
  const { page } = await openTab({ token: demoToken, expectedErrors: /500|orders/ });
  let broken = true;
  await page.route('**/r/orders/**', (route) => (broken ? route.fulfill({ status: 500, body: '' }) : route.continue()));
  const home = page.getByText('搜游戏、点卡、拼音首字母');
  await page.goto('/home');
  await expect(home).toBeVisible();
  await markDocument(page);

  await page.getByRole('link', { name: new RegExp(`^${text.orders}`) }).click();
  const card = page.getByRole('alert').filter({ hasText: text.pageFailed });
  await expect(card).toBeVisible();
  await page.getByRole('link', { name: text.me, exact: true }).click();
  await expect(page.getByRole('heading', { name: '个人中心' })).toBeVisible();
  await page.getByRole('link', { name: text.games, exact: true }).click();
  await expect(home).toBeVisible();

  await page.getByRole('link', { name: new RegExp(`^${text.orders}`) }).click();
  await expect(card).toBeVisible();
  broken = false;
  await card.getByRole('button', { name: text.tryAgain }).click();
  await expect(card).toHaveCount(0);
  await expect(page.getByRole('tab').first()).toBeVisible();
  expect(await isMarkedDocument(page)).toBe(true);
});
