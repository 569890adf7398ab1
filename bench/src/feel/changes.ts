import { quantile } from '../measure/statistics';
import { startFront } from '../rig/front';
import { floorOfChanges, toFloor } from './floor';
import { change, type Figure, goHome, home, open, type PageChange, type Rig, stops } from './visitor';

const turns = 20;

/** Goods pages are kept alive per goods, so each tap renders a new page. */
const product = { link: 'main a[href^="/goods/"]', ready: '.shell-page .catalog-hero' };

export async function changes(rig: Rig): Promise<Figure[]> {
  const floor = await floorOfChanges(rig, turns);
  const { context, page } = await open(rig, { signedIn: true });
  await goHome(page);
  for (const { link, ready } of stops) await change(page, link, ready);
  const keptAlive: PageChange[] = [];
  for (let turn = 0; turn < turns; turn += 1)
    for (const { link, ready } of stops) keptAlive.push(await change(page, link, ready));

  const products = await page.evaluate((link) => {
    const links = [...document.querySelectorAll<HTMLAnchorElement>(link)];
    return [...new Set(links.filter((link) => link.checkVisibility()).map((link) => link.getAttribute('href') ?? ''))];
  }, product.link);
  const rendered: PageChange[] = [];
  for (const [turn, address] of products.slice(0, turns + 1).entries()) {
    const link = `main a[href="${address}"]`;
    await page.locator(link).filter({ visible: true }).first().scrollIntoViewIfNeeded();
    const measured = await change(page, link, product.ready);
    if (turn > 0) rendered.push(measured);
    await page.evaluate(() => history.back());
    await page.locator(home.ready).filter({ visible: true }).first().waitFor();
  }
  await context.close();
  floor.push(...(await floorOfChanges(rig, turns)));

  // The tap follows the slow load immediately, so nothing has been prefetched.
  const front = await startFront(rig.shop.url);
  const away: PageChange[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const tab = await open(rig, { signedIn: true, url: front.url, ignoreHTTPSErrors: true });
    await goHome(tab.page);
    const { link, remote } = stops[turn % 2 === 0 ? 0 : 1];
    // The page's frame with its skeleton counts, because part of the new page has been painted.
    away.push(await change(tab.page, link, `main [data-remote="${remote}"]`));
    await tab.context.close();
  }
  await front.close();
  const marks = (what: string, all: readonly PageChange[]) =>
    toFloor(`tap to mark, ${what}, p95`, feedback(all), floor, 1.5, `${all.length} taps`);
  return [
    marks('kept-alive page', keptAlive),
    marks('new page, code loaded', rendered),
    marks('new page, code not there', away),
    toFloor(
      'page change to a kept-alive page, p95',
      shown(keptAlive),
      floor,
      2,
      `${keptAlive.length} changes, between the three tabs, to their content`,
    ),
    toFloor(
      'page change to a new page, code loaded, p95',
      shown(rendered),
      floor,
      3,
      `${rendered.length} changes, from home to a product that has not been seen, to its content`,
    ),
    skeleton(away),
  ];
}

const feedback = (all: readonly PageChange[]) => all.map((pageChange) => pageChange.feedback);
const shown = (all: readonly PageChange[]) => all.map((pageChange) => pageChange.shown);

/** The time starts at the visible feedback; the time before it has a separate row. */
function skeleton(all: readonly PageChange[]): Figure {
  const waits = all.map((pageChange) => pageChange.shown - pageChange.feedback);
  return {
    what: 'page change, code not there, from the mark to the skeleton, p95',
    value: quantile(waits, 0.95),
    goal: 100,
    unit: 'ms',
    of: `${all.length} changes, behind the slow line; median ${Math.round(quantile(waits, 0.5))}`,
  };
}
