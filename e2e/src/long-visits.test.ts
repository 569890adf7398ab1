/**
 * Faults that appear only on a device with a wrong clock or in a visit of hours: errors, blank pages, endless requests, memory.
 * The gate opens pages for seconds only, so this runs every night.
 */
import { contentShown } from './audit';
import { loadsFinished } from './navigation';
import { expect, test } from './test';

const HOUR = 3_600_000;
/** A page may request the release map and its own updates. */
const maxRequestsAnHour = 400;

/** One page of each remote; those of orders and account need a signed-in shopper. */
for (const path of ['/home', '/goods/1', '/business', '/order', '/user/wallet']) {
  test(`${path} works for two hours on a device whose clock is a day ahead`, async ({ shop, demoToken, openTab }) => {
    const { page } = await openTab({ url: shop.url, token: demoToken, language: 'en' });
    await page.clock.install({ time: Date.now() + 24 * HOUR });
    await page.goto(path);
    await contentShown(page);
    let requests = 0;
    page.on('request', () => (requests += 1));
    await page.clock.fastForward(HOUR);
    await loadsFinished(page);
    await page.clock.runFor(HOUR / 6);
    await loadsFinished(page);
    await contentShown(page);
    expect(requests).toBeLessThan(maxRequestsAnHour);
  });
}
