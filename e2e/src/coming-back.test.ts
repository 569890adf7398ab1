/** Back and forward are instant: the browser keeps the page as it was, and shows it again without asking anybody. */
import { type Browser, chromium } from 'playwright-core';
import { browserArguments } from './browser';
import { type Shop, startShop } from './shop';
import { beSignedIn, demoToken } from './steps';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([
    startShop(),
    chromium.launch({
      executablePath: process.env.CHROME_PATH || '/usr/bin/chromium',
      args: browserArguments,
      // The driver switches it off, and it is what is asked for here.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    }),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

it.each([
  ['/home', false],
  ['/goods/1', false],
  ['/order', true],
  ['/user', true],
])('keeps %s for the way back', async (address, signedIn) => {
  const context = await browser.newContext({ baseURL: shop.url });
  const page = await context.newPage();
  if (signedIn) await beSignedIn(page, await demoToken(shop));
  await page.goto(address);
  await page.locator('main h1, main h2, main a').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    Object.assign(window, { kept: 'this very page' });
    window.addEventListener('pageshow', (event) => Object.assign(window, { persisted: event.persisted }));
  });
  await page.goto('/healthz');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goBack({ waitUntil: 'commit' });
  const found = await page.evaluate(() => {
    const { kept, persisted } = window as { kept?: string; persisted?: boolean };
    const [navigation] = performance.getEntriesByType('navigation') as Array<
      PerformanceNavigationTiming & { notRestoredReasons?: { reasons?: Array<{ reason: string }> } | null }
    >;
    const reasons = navigation?.notRestoredReasons?.reasons?.map(({ reason }) => reason) ?? [];
    return { kept, persisted, reasons, path: window.location.pathname };
  });
  expect(found).toEqual({ kept: 'this very page', persisted: true, reasons: [], path: address });
  // It looks whether something else is live by now; the icon is the browser's own.
  expect(asked.filter((path) => !['/releases/production.json', '/icon.svg'].includes(path))).toEqual([]);
  await context.close();
});
