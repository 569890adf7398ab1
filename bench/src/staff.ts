/**
 * `npm run bench:staff`: the staff console in a browser. How long a signed-in person waits cold, behind the slow line, until the
 * orders are painted, and from a press on a row until its order is. Writes bench/results/staff.json and docs/performance.md.
 */
import os from 'node:os';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { desktop, launchBrowser } from '../../e2e/src/browser';
import { type Shop, startShop } from '../../e2e/src/shop';
import { addStaff, buyManual, signInAsStaff } from '../../e2e/src/staff-steps';
import { tokenOfNewShopper, topUp } from '../../e2e/src/steps';
import { readOptions } from '../../scripts/setup/options.mjs';
import { quantile } from './measure/statistics';
import { saveResult, writeBetween } from './report/report';
import { makeCertificate, startFront } from './rig/front';
import { slowLine } from './rig/slow-line';

const help = 'npm run bench:staff -- [--runs 15] [--no-docs]';

interface Probe {
  staffProbe: { shownMs: Promise<number>; pressed(row: number): Promise<number> };
}

/** Runs in the page before its own scripts, so it uses nothing from outside itself. */
function installProbe(): void {
  const painted = (isThere: () => boolean) =>
    new Promise<number>((resolve) => {
      const look = () => {
        if (!isThere()) return requestAnimationFrame(look);
        // The task after the frame that has it.
        return requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
      };
      look();
    });
  (window as unknown as Probe).staffProbe = {
    shownMs: painted(() => document.querySelector('.queue__list .item') !== null),
    pressed: async (row) => {
      const link = document.querySelectorAll<HTMLAnchorElement>('.queue__list .item')[row];
      const orderNo = link?.hash.split('/').at(-1) ?? '';
      const from = performance.now();
      link?.click();
      const to = await painted(() => document.querySelector(`.queue__order a[href$="${orderNo}"]`) !== null);
      return to - from;
    },
  };
}

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      runs: { type: 'string', default: '15' },
      'no-docs': { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(help);

  const shop = await startShop();
  const browser = await launchBrowser({ full: true, flags: ['--ignore-certificate-errors'] });
  const front = await startFront({ certificate: await makeCertificate(), line: slowLine, upstream: shop.url });
  try {
    const cookies = await signedIn(browser, shop);
    const rows: Row[] = [];
    for (const slowdown of [1, 4]) {
      const shown: number[] = [];
      const opened: number[] = [];
      for (let run = 0; run < runs; run++) {
        const visit = await visitOnce(browser, front.url, cookies, slowdown);
        shown.push(visit.shownMs);
        opened.push(...visit.openedMs);
      }
      rows.push(rowOf('first view, cold, behind the slow line, to the painted orders', slowdown, shown, 1500));
      rows.push(rowOf('a row opened, from the press to its painted order', slowdown, opened, 100));
    }
    const table = tableOf(rows);
    console.log(table);
    if (values['no-docs']) return;
    saveResult('staff', { browser: browser.version(), cores: os.cpus().length, rows });
    writeBetween('docs/performance.md', 'bench:staff', table);
  } finally {
    await browser.close();
    await front.close();
    await shop.stop();
  }
}

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** The session's cookie of a new manager of a shop where three orders wait. */
async function signedIn(browser: Browser, shop: Shop): Promise<Cookies> {
  const manager = await addStaff(shop, 'Bench');
  const shopper = await tokenOfNewShopper(shop, '13700000001');
  await topUp(shop, shopper);
  for (let order = 0; order < 3; order++) await buyManual(shop, shopper, 'somebody@example.com');
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: desktop, locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${shop.url}/staff`);
  await signInAsStaff(page, manager);
  await page.waitForSelector('.queue__list .item');
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}

async function visitOnce(
  browser: Browser,
  origin: string,
  cookies: Cookies,
  slowdown: number,
): Promise<{ shownMs: number; openedMs: number[] }> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true, viewport: desktop, locale: 'en' });
  try {
    await context.addCookies(cookies);
    const page: Page = await context.newPage();
    await page.addInitScript('globalThis.__name ??= (target) => target');
    await page.addInitScript(installProbe);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(`${origin}/staff`, { waitUntil: 'commit' });
    const shownMs = await page.evaluate(() => (window as unknown as Probe).staffProbe.shownMs);
    await page.waitForLoadState('networkidle');
    const openedMs: number[] = [];
    for (const row of [1, 2, 0])
      openedMs.push(await page.evaluate((at) => (window as unknown as Probe).staffProbe.pressed(at), row));
    return { shownMs, openedMs };
  } finally {
    await context.close();
  }
}

interface Row {
  what: string;
  slowdown: number;
  samples: number;
  p50: number;
  p95: number;
  goal: number;
}

function rowOf(what: string, slowdown: number, values: number[], goal: number): Row {
  return { what, slowdown, samples: values.length, p50: quantile(values, 0.5), p95: quantile(values, 0.95), goal };
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, slowdown, samples, p50, p95, goal }) =>
      `| ${what} | ${slowdown === 1 ? 'as it is' : `slowed ${slowdown} times`} | ${samples} | ${Math.round(p50)} | ${Math.round(p95)} | ${goal} ${p95 <= goal ? '' : '**missed**'} |`,
  );
  return `\`npm run bench:staff\`; ${os.cpus().length} cores, 1280 × 800, ${new Date().toISOString().slice(0, 10)}.

| the staff console | processor | samples | p50 ms | p95 ms | asked |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}`;
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .then(() => process.exit());
