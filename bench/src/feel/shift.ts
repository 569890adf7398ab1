/** Layout shift on every route, in both languages and themes, at four widths, with pictures that come late. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { root } from '../report/report';
import { type Figure, open, type Rig } from './visitor';

const pictureMs = 400;
/** No request in flight for so long, in ms: layout shifts after the last response have happened by then. */
const quietMs = 300;
/** A page that keeps asking, such as one that waits for a payment, is looked at after this. */
const mostMs = 5_000;
/** Visitors at a time: most of a visit is waiting for pictures. */
const beside = 3;

function addresses(order: string): string[] {
  return readdirSync(root)
    .filter((folder) => folder.startsWith('mfe-'))
    .flatMap((folder) => JSON.parse(readFileSync(path.join(root, folder, 'remote.json'), 'utf8')).routes)
    .map((route: { path: string }) => route.path.replace('/goods/:id', '/goods/1').replace(':id', order));
}

interface Look {
  language: string;
  theme: string;
  width: number;
}

function watchShifts([language, theme]: readonly [string, string]): void {
  localStorage.setItem('language', language);
  localStorage.setItem('theme', theme);
  Object.assign(window, { benchShift: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Array<PerformanceEntry & { value: number; hadRecentInput: boolean }>)
      if (!entry.hadRecentInput) (window as never as { benchShift: number }).benchShift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Resolves when the page has asked for nothing and waited for nothing for a while. */
function watchTraffic(page: Page): () => Promise<void> {
  const underWay = new Set<unknown>();
  let lastAt = 0;
  page.on('request', (request) => underWay.add(request));
  const ended = (request: unknown) => {
    underWay.delete(request);
    lastAt = Date.now();
  };
  page.on('requestfinished', ended).on('requestfailed', ended);
  return async () => {
    const until = Date.now() + mostMs;
    lastAt = Date.now();
    while (Date.now() < until && (underWay.size > 0 || Date.now() - lastAt < quietMs)) await page.waitForTimeout(50);
    underWay.clear();
  };
}

async function visits(rig: Rig, { language, theme, width }: Look, paths: readonly string[]) {
  const { context, page } = await open(rig, { signedIn: true, viewport: { width, height: 844 }, cpuSlowdown: 1 });
  await context.addInitScript(watchShifts, [language, theme] as const);
  await context.route(/\/(media|uploads)\//, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, pictureMs));
    await route.continue().catch(() => {});
  });
  const quiet = watchTraffic(page);
  const found: Array<{ value: number; where: string }> = [];
  for (const address of paths) {
    await page.goto(address, { waitUntil: 'load' });
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await quiet();
    const value = await page.evaluate(() => (window as never as { benchShift: number }).benchShift);
    found.push({ value, where: `${address} ${language} ${theme} ${width}` });
  }
  await context.close();
  return found;
}

export async function shift(rig: Rig): Promise<Figure[]> {
  const answer = await fetch(`${rig.shop.url}/api/front/order/list?tab=all&page=1`, {
    headers: { Authorization: rig.token },
  });
  const { data } = (await answer.json()) as { data: { list: Array<{ order_no: string }> } };
  const paths = addresses(data.list[0]?.order_no ?? '');
  const looks: Look[] = [];
  for (const language of ['zh-CN', 'en'])
    for (const theme of ['light', 'dark'])
      for (const width of [320, 390, 768, 1280]) looks.push({ language, theme, width });
  const found: Array<{ value: number; where: string }> = [];
  const visitor = async () => {
    for (let look = looks.shift(); look; look = looks.shift()) found.push(...(await visits(rig, look, paths)));
  };
  await Promise.all(Array.from({ length: beside }, visitor));
  found.sort((left, right) => right.value - left.value);
  for (const { value, where } of found)
    if (value > 0.01) process.stderr.write(`  shift ${value.toFixed(4)} at ${where}\n`);
  const [worst] = found;
  if (!worst) throw new Error('no page was visited');
  return [
    {
      what: 'layout shift, worst visit',
      value: worst.value,
      goal: 0.01,
      unit: 'score',
      of: `${found.length} visits: every route, both languages and themes, 320 to 1280 wide, pictures ${pictureMs} ms late, processor not slowed${worst.value > 0 ? `; ${worst.where}` : ''}`,
    },
  ];
}
