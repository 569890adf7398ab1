/**
 * `npm run bench:feel`: how the shop feels in the hand once it is there. Page changes, taps and scrolls over a list of a thousand
 * rows, layout shift on every page, memory, repeat visits, back and forward. Writes docs/performance.md, "Pages".
 */
import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core';
import { type Shop, startShop } from '../../e2e/src/shop';
import { signIn } from './measure/sign-in';
import { quantile } from './measure/statistics';
import { root, saveResult, writeBetween } from './report/report';
import { makeCertificate, startFront } from './rig/front';
import { slowLine } from './rig/slow-line';

const help = `npm run bench:feel -- [--only change,taps,shift,memory,repeat] [--no-docs]

  --only     a part; all of them take about fifteen minutes, of which shift takes eight
  --no-docs  leave bench/results and docs/performance.md as they are`;

const phone = { width: 390, height: 844 };
const slowdown = 4;

interface Figure {
  what: string;
  value: number;
  goal: number;
  unit: 'ms' | 'score' | 'ratio';
  /** Of how many, or what else is needed to read it. */
  of: string;
}

const endings: Array<() => Promise<unknown> | unknown> = [];
let shop: Shop;
let browser: Browser;
let token = '';

async function open(
  options: Parameters<Browser['newContext']>[0] & { signedIn?: boolean; url?: string } = {},
): Promise<{ context: BrowserContext; page: Page; cdp: CDPSession }> {
  const { signedIn = false, url = shop.url, ...more } = options;
  const context = await browser.newContext({ baseURL: url, viewport: phone, locale: 'zh-CN', ...more });
  await context.addInitScript('globalThis.__name ??= (target) => target');
  if (signedIn) await context.addInitScript((value) => localStorage.setItem('token', value), token);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  return { context, page, cdp };
}

/** Follows a link of the page and resolves to the time from the tap to the paint of what was asked for. */
function change(page: Page, link: string, ready: string): Promise<number> {
  return page.evaluate(
    ([link, ready]) =>
      new Promise<number>((resolve, reject) => {
        const target = [...document.querySelectorAll<HTMLElement>(link)].find((one) => one.offsetParent !== null);
        if (!target) return reject(new Error(`no ${link} to press`));
        const isShown = () =>
          [...document.querySelectorAll<HTMLElement>(ready)].some((element) => element.offsetParent !== null);
        const started = performance.now();
        target.click();
        const look = () => {
          if (!isShown()) return requestAnimationFrame(look);
          // What is in the document now is painted with this frame; the message comes after it.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - started);
          requestAnimationFrame(() => port2.postMessage(0));
        };
        look();
        setTimeout(() => reject(new Error(`${ready} was not shown after ${link}`)), 15_000);
      }),
    [link, ready] as const,
  );
}

const stops = [
  { link: 'a[href="/order"]', ready: 'main a[href^="/order/detail/"]' },
  { link: 'a[href="/user"]', ready: 'main .account-card__amount' },
  { link: 'a[href="/home"]', ready: 'main section.catalog-module' },
] as const;

async function changes(): Promise<Figure[]> {
  const { context, page } = await open({ signedIn: true });
  await page.goto('/home');
  await page.locator(stops[2].ready).first().waitFor();
  for (const { link, ready } of stops) await change(page, link, ready);
  const there: number[] = [];
  for (let turn = 0; turn < 20; turn += 1)
    for (const { link, ready } of stops) there.push(await change(page, link, ready));
  await context.close();

  // Behind the slow line, at once after the page is there, so that nothing has been fetched ahead.
  const front = await startFront({ certificate: await makeCertificate(), line: slowLine, upstream: shop.url });
  endings.push(() => front.close());
  const away: number[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const tab = await open({ signedIn: true, url: front.url, ignoreHTTPSErrors: true });
    await tab.page.goto('/home');
    await tab.page.locator(stops[2].ready).first().waitFor();
    const goal = stops[turn % 2 === 0 ? 0 : 1];
    // The page's frame or its skeleton counts: something of the new page has been painted.
    away.push(await change(tab.page, goal.link, `a[href="${goal.link.slice(8, -2)}"][aria-current="page"]`));
    await tab.context.close();
  }
  return [
    {
      what: 'page change, code there, p95',
      value: quantile(there, 0.95),
      goal: 100,
      unit: 'ms',
      of: `${there.length} changes`,
    },
    {
      what: 'page change, code not there, p95',
      value: quantile(away, 0.95),
      goal: 350,
      unit: 'ms',
      of: `${away.length} changes behind the slow line, to the first paint of the new page`,
    },
  ];
}

/** The shop's own list, repeated under new numbers until it has a thousand rows. */
async function thousandRows(page: Page): Promise<void> {
  await page.route('**/api/front/goods/list?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { list: Array<{ id: number }>; has_more: boolean; total: number } };
    const at = Number(new URL(route.request().url()).searchParams.get('page') ?? 1);
    const rows = Array.from({ length: 1000 }, (_, index) => body.data.list[index % body.data.list.length]);
    body.data = {
      ...body.data,
      list: at === 1 ? rows.map((row, index) => ({ ...row, id: index + 1 }) as { id: number }) : [],
      has_more: false,
      total: 1000,
    };
    await route.fulfill({ response: answer, json: body });
  });
}

async function taps(): Promise<Figure[]> {
  const { context, page, cdp } = await open();
  await page.addInitScript(() => {
    const durations: Record<number, number> = {};
    Object.assign(window, { benchTaps: durations });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Array<PerformanceEntry & { interactionId: number }>)
        if (entry.interactionId) {
          durations[entry.interactionId] = Math.max(durations[entry.interactionId] ?? 0, entry.duration);
        }
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
    const frames: number[] = [];
    Object.assign(window, { benchFrames: frames });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) frames.push(entry.duration);
    }).observe({ type: 'long-animation-frame', buffered: true });
  });
  await thousandRows(page);
  await page.goto('/goods');
  await page.locator('main a[href="/goods/1000"]').waitFor({ state: 'attached' });
  const rows = await page.locator('main a[href^="/goods/"]').count();
  const pressed = 250;
  const scrolled = 250;
  const chips = page.locator('main button:visible');
  const count = Math.min(await chips.count(), 12);
  for (let turn = 0; turn < pressed; turn += 1) {
    const box = await chips.nth(turn % count).boundingBox();
    if (box && box.y > 0 && box.y < phone.height) await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    else await page.mouse.click(phone.width / 2, 300 + (turn % 5));
    await page.waitForTimeout(60);
    if (!page.url().includes('/goods')) await page.goBack();
    if (/\/goods\/\d+/.test(page.url())) await page.goBack();
    // A scroll between two taps, as a thumb does.
    if (turn < scrolled) {
      await cdp.send('Input.dispatchMouseEvent', {
        type: 'mouseWheel',
        x: 200,
        y: 500,
        deltaX: 0,
        deltaY: turn % 7 === 6 ? -1800 : 300,
      });
    }
  }
  await page.waitForTimeout(500);
  const durations = await page.evaluate(() => Object.values((window as never as { benchTaps: object }).benchTaps));
  const frames = await page.evaluate(() => (window as never as { benchFrames: number[] }).benchFrames);
  await context.close();
  // What the browser does not report took less than 16 ms.
  const all = [...durations, ...Array(Math.max(0, pressed - durations.length)).fill(8)] as number[];
  return [
    {
      what: 'interaction to next paint, p95',
      value: quantile(all, 0.95),
      goal: 100,
      unit: 'ms',
      of: `${pressed} taps and ${scrolled} scrolls over ${rows} rows; longest frame ${Math.round(Math.max(0, ...frames))} ms`,
    },
  ];
}

function addresses(): Array<{ path: string; login: boolean }> {
  return readdirSync(root)
    .filter((folder) => folder.startsWith('mfe-'))
    .flatMap((folder) => JSON.parse(readFileSync(path.join(root, folder, 'remote.json'), 'utf8')).routes)
    .map((route: { path: string; flags?: { requiresLogin?: boolean } }) => ({
      path: route.path,
      login: route.flags?.requiresLogin ?? false,
    }));
}

async function shift(): Promise<Figure[]> {
  const answer = await fetch(`${shop.url}/api/front/order/list?tab=all&page=1`, { headers: { Authorization: token } });
  const order = ((await answer.json()) as { data: { list: Array<{ order_no: string }> } }).data.list[0]?.order_no ?? '';
  let worst = { value: 0, where: '' };
  let visits = 0;
  for (const language of ['zh-CN', 'en'])
    for (const theme of ['light', 'dark'])
      for (const width of [320, 390, 768, 1280]) {
        const { context, page } = await open({ signedIn: true, viewport: { width, height: 844 } });
        await context.addInitScript(
          ([language, theme]) => {
            localStorage.setItem('language', language as string);
            localStorage.setItem('theme', theme as string);
            Object.assign(window, { benchShift: 0 });
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries() as Array<
                PerformanceEntry & { value: number; hadRecentInput: boolean }
              >)
                if (!entry.hadRecentInput) (window as never as { benchShift: number }).benchShift += entry.value;
            }).observe({ type: 'layout-shift', buffered: true });
          },
          [language, theme],
        );
        await context.route(/\/(media|uploads)\//, async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 600));
          await route.continue().catch(() => {});
        });
        for (const { path: address } of addresses()) {
          await page.goto(address.replace('/goods/:id', '/goods/1').replace(':id', order));
          await page.waitForTimeout(1_400);
          const value = await page.evaluate(() => (window as never as { benchShift: number }).benchShift);
          visits += 1;
          if (value > worst.value) worst = { value, where: `${address} ${language} ${theme} ${width}` };
          if (value > 0.01)
            process.stderr.write(`shift ${value.toFixed(4)} at ${address} ${language} ${theme} ${width}\n`);
        }
        await context.close();
      }
  return [
    {
      what: 'layout shift, worst visit',
      value: worst.value,
      goal: 0.01,
      unit: 'score',
      of: `${visits} visits: every route, both languages and themes, 320 to 1280 wide, pictures 600 ms late${worst.where && `; ${worst.where}`}`,
    },
  ];
}

async function memory(): Promise<Figure[]> {
  const { context, page, cdp } = await open({ signedIn: true });
  await page.goto('/home');
  await page.locator(stops[2].ready).first().waitFor();
  await cdp.send('Performance.enable');
  const used = async () => {
    for (let pass = 0; pass < 3; pass += 1) await cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await cdp.send('Performance.getMetrics');
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') };
  };
  let early = await used();
  for (let turn = 0; turn < 200; turn += 1) {
    const { link, ready } = stops[turn % stops.length] as (typeof stops)[number];
    await change(page, link, ready);
    if (turn === 49) early = await used();
  }
  const late = await used();
  await context.close();
  const of = `${(early.heap / 1e6).toFixed(2)} MB after 50, ${(late.heap / 1e6).toFixed(2)} MB after 200; nodes ${early.nodes} → ${late.nodes}, listeners ${early.listeners} → ${late.listeners}`;
  return [
    {
      what: 'heap after 200 page changes to that after 50',
      value: late.heap / early.heap,
      goal: 1.05,
      unit: 'ratio',
      of,
    },
  ];
}

async function repeat(): Promise<Figure[]> {
  const firstPaint = (page: Page) =>
    page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          new PerformanceObserver((list) => {
            const entry = list.getEntriesByName('first-contentful-paint')[0];
            if (entry) resolve(entry.startTime);
          }).observe({ type: 'paint', buffered: true }),
        ),
    );
  const measured = async (url: string) => {
    const { context, page } = await open({ url, ignoreHTTPSErrors: true });
    const paints: number[] = [];
    for (let turn = 0; turn <= 15; turn += 1) {
      await page.goto('/home');
      const paint = await firstPaint(page);
      if (turn > 0) paints.push(paint);
      await page.waitForTimeout(1_500);
      await page.goto('about:blank');
    }
    await context.close();
    return quantile(paints, 0.5);
  };
  const front = await startFront({ certificate: await makeCertificate(), line: slowLine, upstream: shop.url });
  endings.push(() => front.close());
  const near = await measured(shop.url);
  const far = await measured(front.url);
  return [
    { what: 'repeat visit, first paint', value: near, goal: 300, unit: 'ms', of: '15 visits, no line between' },
    {
      what: 'repeat visit behind the slow line, first paint',
      value: far,
      goal: 300,
      unit: 'ms',
      of: '15 visits; the document is asked for each time',
    },
  ];
}

const parts = { change: changes, taps, shift, memory, repeat };

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      only: { type: 'string', default: Object.keys(parts).join(',') },
      'no-docs': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(help);
  shop = await startShop();
  endings.push(() => shop.stop());
  token = await signIn(shop);
  browser = await chromium.launch({
    executablePath: process.env.CHROME_PATH || '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--ignore-certificate-errors'],
  });
  endings.push(() => browser.close());
  const figures: Figure[] = [];
  for (const name of values.only.split(',')) {
    const part = parts[name as keyof typeof parts];
    if (!part) throw new Error(`--only knows ${Object.keys(parts).join(', ')}, not "${name}"`);
    for (const one of await part()) {
      process.stderr.write(`${one.what}: ${one.value} (${one.of})\n`);
      figures.push(one);
    }
  }
  const digits = { ms: 0, score: 4, ratio: 3 };
  const rows = figures.map(
    ({ what, value, goal, unit, of }) =>
      `| ${what} | ${value.toFixed(digits[unit])}${unit === 'ms' ? ' ms' : ''} | ${goal}${unit === 'ms' ? ' ms' : ''}${value > goal ? ' **missed**' : ''} | ${of} |`,
  );
  const text = `\`npm run bench:feel\`; processor slowed ${slowdown} times, ${os.cpus().length} cores, Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}.

| | measured | goal | of |
| --- | --- | --- | --- |
${rows.join('\n')}`;
  console.log(text);
  if (values['no-docs']) return;
  saveResult('feel', figures);
  writeBetween('docs/performance.md', 'feel', text);
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(async () => {
    for (let end = endings.pop(); end; end = endings.pop()) await Promise.resolve(end()).catch(() => {});
    process.exit();
  });
