import type { Page } from 'playwright-core';
import { type Change, change, goHome, goTo, open, type Rig, type Site, type Tab, tabs } from './visitor';

export interface Gesture {
  what: string;
  /** Limit of the 95th percentile of the time to the content, ms. */
  goal: number;
  signedIn?: boolean;
  /** `server` is the address of the shop's server. */
  run(tab: Tab, rounds: number, server: string): Promise<Change[]>;
}

const rows = 1000;
const kinds = [1, 2, 3, 4];
const product = { link: 'main a[href^="/goods/"]', ready: '.shell-page .catalog-hero' };

async function keptAlive(tab: Tab, rounds: number): Promise<Change[]> {
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
async function newPages(tab: Tab, rounds: number): Promise<Change[]> {
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

async function filters(tab: Tab, rounds: number, server: string): Promise<Change[]> {
  const { page } = tab;
  await thousandProducts(page, server);
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

async function quantities(tab: Tab, rounds: number): Promise<Change[]> {
  const input = '.ui-stepper [aria-valuenow]';
  await goTo(tab.page, '/goods/1', input);
  await tab.page.locator(input).scrollIntoViewIfNeeded();
  const changes: Change[] = [];
  for (let round = 0; round <= rounds * 2; round += 1) {
    const button = `.ui-stepper button:${round % 2 === 0 ? 'last' : 'first'}-of-type`;
    changes.push(await change(tab, button, `.ui-stepper [aria-valuenow="${round % 2 === 0 ? 2 : 1}"]`));
  }
  return changes.slice(1);
}

export const gestures: readonly Gesture[] = [
  { what: 'kept-alive page', goal: 120, signedIn: true, run: keptAlive },
  { what: 'new page, code loaded', goal: 200, signedIn: true, run: newPages },
  { what: `filter of ${rows} products`, goal: 150, run: filters },
  { what: 'quantity', goal: 100, run: quantities },
];

/** The tap follows the load on the slow line at once, so nothing has been prefetched. Resolves to the times to the skeleton, ms. */
export async function skeletons(rig: Rig, { slowUrl }: Site, rounds: number): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const tab = await open(rig, slowUrl, { signedIn: true });
    await goHome(tab.page);
    const { link, remote } = tabs[round % 2 === 0 ? 0 : 1];
    times.push((await change(tab, link, `main [data-remote="${remote}"]`)).shown);
    await tab.context.close();
  }
  return times;
}
