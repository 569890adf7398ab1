import type { Page } from 'playwright-core';
import {
  type BenchWindow,
  type Change,
  change,
  goHome,
  goTo,
  metricsOf,
  open,
  type Site,
  type Tab,
  tabs,
} from './visitor';

export interface Part {
  what: string;
  /** Limit of the shop's value; without it, the value of the single-page application. */
  goal?: number;
  /** The quantile of the values that the goal limits. */
  share: number;
  /** Of two sizes, which a slow processor does not change. */
  isRatio?: boolean;
  measure?: 'frame';
  /** Processor time is measured in visits of its own that are not slowed. */
  countsThread?: boolean;
  /** A visit of the site, or several. */
  run(site: Site, rounds: number): Promise<Change[]>;
}

const rows = 1000;
const kinds = [1, 2, 3, 4];
const product = { link: 'main a[href^="/goods/"]', ready: '.shell-page .catalog-hero' };

async function keptAlive(site: Site, rounds: number): Promise<Change[]> {
  const tab = await open(site, { signedIn: true });
  await goHome(tab.page);
  const changes: Change[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    for (const { link, ready } of tabs) {
      const measured = await change(tab, link, ready);
      // The first round loads the pages.
      if (round > 0) changes.push(measured);
    }
  }
  return changes;
}

/** Product pages are kept alive per product, so each tap renders a new page. */
async function newPages(site: Site, rounds: number): Promise<Change[]> {
  const tab = await open(site, { signedIn: true });
  const { page } = tab;
  await goHome(page);
  const addresses = await page.evaluate((link) => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>(link)];
    return [...new Set(links.filter((link) => link.checkVisibility()).map((link) => link.getAttribute('href') ?? ''))];
  }, product.link);
  const changes: Change[] = [];
  for (const [index, address] of addresses.slice(0, rounds + 1).entries()) {
    const link = `main a[href="${address}"]`;
    await page.locator(link).filter({ visible: true }).first().scrollIntoViewIfNeeded();
    const measured = await change(tab, link, product.ready);
    // The first product loads the code.
    if (index > 0) changes.push(measured);
    await page.evaluate(() => history.back());
    await page.locator(tabs[2].ready).filter({ visible: true }).first().waitFor();
  }
  return changes;
}

/** Serves the shop's own list as one of a thousand products, in the pages of the API. Each list gets its own ids. */
async function thousandProducts(page: Page, server: string): Promise<void> {
  await page.route('**/api/front/goods/list?*', async (route) => {
    const url = new URL(route.request().url());
    const at = Number(url.searchParams.get('page') ?? 1);
    url.searchParams.set('page', '1');
    // Not the route's own fetch, which speaks HTTP/1 only.
    const answer = await fetch(new URL(url.pathname + url.search, server), { headers: route.request().headers() });
    const body = (await answer.json()) as { data: { list: Array<{ id: number }>; has_more: boolean; total: number } };
    const { list } = body.data;
    const first = firstOf(Number(url.searchParams.get('recharge_type'))) + (at - 1) * list.length;
    const data = { list: list.map((row, index) => ({ ...row, id: first + index })), has_more: at * list.length < rows };
    await route.fulfill({ json: { ...body, data: { ...body.data, ...data, total: rows } } });
  });
}

const firstOf = (kind: number) => rows * kind + 1;
const rowOf = (kind: number) => `.catalog-cards a[href="/goods/${firstOf(kind)}"]`;

async function filters(site: Site, rounds: number): Promise<Change[]> {
  const tab = await open(site);
  const { page } = tab;
  await thousandProducts(page, site.server);
  // The document of /goods contains its first rows. Only a page change from another page makes the browser request them.
  await goHome(page);
  await page.locator('a[href="/goods"]:visible').first().tap();
  await page.locator(rowOf(0)).waitFor({ state: 'attached' });
  const tap = async (control: string, ready: string) => {
    // Playwright's trial tap waits until the sheet's animation has ended.
    await page.locator(control).filter({ visible: true }).first().tap({ trial: true });
    return change(tab, control, ready);
  };
  const changes: Change[] = [];
  for (let round = -kinds.length; round < rounds; round += 1) {
    const kind = kinds.at(round % kinds.length) as number;
    const option = `[role="dialog"] fieldset:nth-of-type(2) button:nth-of-type(${kinds.indexOf(kind) + 1})`;
    await tap('.catalog-filter-button', option);
    await tap(option, `${option}[aria-pressed="true"]`);
    const measured = await tap('[role="dialog"] .ui-sheet__footer .ui-button--primary', rowOf(kind));
    // The first tap of each kind fetches its list.
    if (round >= 0) changes.push(measured);
  }
  return changes;
}

async function quantities(site: Site, rounds: number): Promise<Change[]> {
  const tab = await open(site);
  const input = '.ui-stepper [aria-valuenow]';
  await goTo(tab.page, '/goods/1', input);
  await tab.page.locator(input).scrollIntoViewIfNeeded();
  const changes: Change[] = [];
  for (let round = 0; round <= rounds * 4; round += 1) {
    const button = `.ui-stepper button:${round % 2 === 0 ? 'last' : 'first'}-of-type`;
    changes.push(await change(tab, button, `.ui-stepper [aria-valuenow="${round % 2 === 0 ? 2 : 1}"]`));
  }
  return changes.slice(1);
}

/** The tap follows the load on the slow line at once, so nothing has been prefetched. */
async function skeletons(site: Site, rounds: number): Promise<Change[]> {
  const changes: Change[] = [];
  for (let round = 0; round < rounds / 2; round += 1) {
    const tab = await open({ ...site, url: site.slowUrl }, { signedIn: true });
    await goHome(tab.page);
    const { link, remote } = tabs[round % 2 === 0 ? 0 : 1];
    changes.push(await change(tab, link, `main [data-remote="${remote}"]`));
    await tab.page.context().close();
  }
  return changes;
}

const country = '[role="dialog"] .shell-phone-country';

async function signInOpened(site: Site): Promise<{ tab: Tab; opened: Change }> {
  const tab = await open(site);
  await goHome(tab.page);
  await tab.page.waitForTimeout(restMs);
  return { tab, opened: await change(tab, tabs[1].link, country, restMs) };
}

async function countriesOpened(site: Site): Promise<Change> {
  const { tab } = await signInOpened(site);
  return change(tab, country, '[role="dialog"] input[type="search"]', restMs);
}

/** The prompt opens by itself. */
async function couponOpened(site: Site): Promise<Change> {
  const { page } = await open(site);
  await page.addInitScript((token) => localStorage.setItem('token', token), site.user.token);
  await goHome(page);
  await page.evaluate(async () => {
    const nextFrame = () => new Promise(requestAnimationFrame);
    for (; !document.querySelector('[role="dialog"]'); await nextFrame())
      (window as never as BenchWindow).benchObserved.frame = 0;
  });
  await page.waitForTimeout(restMs);
  return single(await page.evaluate(() => (window as never as BenchWindow).benchObserved.frame));
}

/** Frames after the content, such as those of lazy parts, count too. */
const restMs = 800;

const each = (run: (site: Site) => Promise<Change>) => async (site: Site, rounds: number) => {
  const changes: Change[] = [];
  for (let round = 0; round < rounds / 4; round += 1) changes.push(await run(site));
  return changes;
};

const single = (value: number): Change => ({ shown: value, frame: value, cpu: [] });

/** Measures from Back on another site to the first frame. Guests only: the back/forward cache holds no page of a user. */
async function returns(site: Site, rounds: number): Promise<Change[]> {
  const { page } = await open(site);
  await goHome(page);
  await page.waitForTimeout(restMs);
  const changes: Change[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await page.evaluate(() => {
      const bench = window as never as BenchWindow;
      bench.benchShown = new Promise((resolve) => {
        const onShow = ({ timeStamp }: PageTransitionEvent) => {
          const finish = () => resolve(performance.now() - timeStamp);
          requestAnimationFrame(() => void bench.scheduler.postTask(finish, { priority: 'user-blocking' }));
        };
        window.addEventListener('pageshow', onShow, { once: true });
      });
    });
    await page.goto(`${site.server}/livez`);
    // The timeout lets `evaluate` return first: the navigation destroys its context.
    await page.evaluate(() => void setTimeout(() => history.back()));
    const shown = await page.waitForFunction(() => (window as never as Partial<BenchWindow>).benchShown);
    changes.push(single(Number(await shown.jsonValue())));
    // A page that is left while it is still busy is loaded again instead.
    await page.waitForTimeout(restMs);
  }
  return changes;
}

/** Used heap after 400 page changes, divided by that after 50. */
async function heapGrowth(site: Site): Promise<Change[]> {
  const tab = await open(site, { signedIn: true });
  const used = async () => {
    await tab.cdp.send('HeapProfiler.collectGarbage');
    return Number(await metricsOf(tab, ['JSHeapUsedSize']));
  };
  await goHome(tab.page);
  let early = Number.NaN;
  for (let count = 0; count < 400; count += 1) {
    if (count === 50) early = await used();
    const { link, ready } = tabs[count % tabs.length] as (typeof tabs)[number];
    await change(tab, link, ready, 0);
  }
  return [single((await used()) / early)];
}

const gesture = { share: 0.95, countsThread: true } as const;
const opening = { share: 1, goal: 100, measure: 'frame' } as const;

export const parts: readonly Part[] = [
  { ...gesture, what: 'kept-alive page', goal: 120, run: keptAlive },
  { ...gesture, what: 'new page, code loaded', goal: 200, run: newPages },
  { ...gesture, what: `filter of ${rows} products`, goal: 150, run: filters },
  { ...gesture, what: 'quantity', goal: 100, run: quantities },
  { share: 0.95, what: 'skeleton of a page without code', goal: 100, run: skeletons },
  { ...opening, what: 'frames of sign-in', run: each(async (site) => (await signInOpened(site)).opened) },
  { ...opening, what: 'frames of the country list', run: each(countriesOpened) },
  { ...opening, what: 'frames of the coupon prompt', run: each(couponOpened) },
  { share: 0.5, what: 'back from another site', run: returns },
  { share: 0.5, isRatio: true, what: 'heap after 400 page changes to after 50', goal: 1.05, run: heapGrowth },
];
