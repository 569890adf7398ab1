/** Taps and scrolls over a list of a thousand rows. */
import type { CDPSession, Page } from 'playwright-core';
import { quantile } from '../measure/statistics';
import { type Figure, open, phone, type Rig, type Scheduler } from './visitor';

const rows = 1000;
const pressed = 250;
const scrolled = 250;

/** The shop's own list, repeated under new numbers until it has a thousand rows. */
async function thousandRows(page: Page): Promise<void> {
  await page.route('**/api/front/goods/list?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { list: Array<{ id: number }>; has_more: boolean; total: number } };
    const at = Number(new URL(route.request().url()).searchParams.get('page') ?? 1);
    const { list } = body.data;
    const all = list.length ? Array.from({ length: rows }, (_, index) => list[index % list.length]) : [];
    body.data = {
      ...body.data,
      list: at === 1 ? all.map((row, index) => ({ ...row, id: index + 1 }) as { id: number }) : [],
      has_more: false,
      total: all.length,
    };
    await route.fulfill({ response: answer, json: body });
  });
}

/**
 * Counts for each tap what the browser's Event Timing says of the interaction (its longest event, from the input to the next
 * paint), and for each scroll the time from the wheel to the end of the frame that follows.
 */
function watchInputs(): void {
  const taps: Record<number, number> = {};
  const scrolls: number[] = [];
  Object.assign(window, { benchInputs: { taps, scrolls } });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as Array<PerformanceEntry & { interactionId: number }>)
      if (entry.interactionId) taps[entry.interactionId] = Math.max(taps[entry.interactionId] ?? 0, entry.duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  window.addEventListener(
    'wheel',
    ({ timeStamp }) => {
      requestAnimationFrame(() => {
        const painted = () => scrolls.push(performance.now() - timeStamp);
        (window as never as { scheduler: Scheduler }).scheduler.postTask(painted, { priority: 'user-blocking' });
      });
    },
    { passive: true },
  );
}

/** Processor time of the page's main thread so far, ms: it does not count the time that other processes took. */
async function cpuTime(cdp: CDPSession): Promise<{ all: number; script: number }> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => Math.round(1000 * (metrics.find((metric) => metric.name === name)?.value ?? 0));
  return { all: of('TaskDuration'), script: of('ScriptDuration') };
}

export async function taps(rig: Rig): Promise<Figure[]> {
  const { context, page, cdp } = await open(rig);
  await page.addInitScript(watchInputs);
  await thousandRows(page);
  await page.goto('/goods');
  await page.locator('main a[href="/goods/40"]').waitFor({ state: 'attached' });
  const chips = page.locator('main button:visible');
  const places: Array<{ x: number; y: number }> = [];
  for (const chip of await chips.all()) {
    const box = await chip.boundingBox();
    if (box && box.y > 0 && box.y + box.height < phone.height && box.x > 0 && box.x + box.width < phone.width)
      places.push({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cpuBefore = await cpuTime(cdp);
  for (let turn = 0; turn < pressed; turn += 1) {
    // A filter where there is one under the finger, a row of the list otherwise.
    const place = places[turn % (places.length + 1)] ?? { x: phone.width / 2, y: 400 };
    await page.touchscreen.tap(place.x, place.y);
    await page.waitForTimeout(60);
    if (new URL(page.url()).pathname !== '/goods') await page.goBack();
    if (turn < scrolled)
      await cdp.send('Input.dispatchMouseEvent', {
        type: 'mouseWheel',
        x: 200,
        y: 500,
        deltaX: 0,
        deltaY: turn % 7 === 6 ? -1800 : 300,
      });
  }
  await page.waitForTimeout(500);
  const cpuAfter = await cpuTime(cdp);
  const drawn = await page.locator('main a[href^="/goods/"]').count();
  const inputs = await page.evaluate(
    () => (window as never as { benchInputs: { taps: Record<number, number>; scrolls: number[] } }).benchInputs,
  );
  await context.close();
  const measured = Object.values(inputs.taps);
  // What the browser does not report took less than 16 ms.
  const all = [...measured, ...Array<number>(Math.max(0, pressed - measured.length)).fill(8)];
  const p95 = (values: readonly number[]) => Math.round(quantile(values, 0.95));
  return [
    {
      what: 'interaction to next paint, p95',
      value: quantile([...all, ...inputs.scrolls], 0.95),
      goal: 100,
      unit: 'ms',
      of: `${all.length} taps (p95 ${p95(all)}, longest ${Math.max(...all)}) and ${inputs.scrolls.length} scrolls (p95 ${p95(inputs.scrolls)}) over lists of ${rows} rows, which are drawn as far as they are looked at (${drawn} at the end); main thread ${cpuAfter.all - cpuBefore.all} ms of processor time, ${cpuAfter.script - cpuBefore.script} of it script`,
    },
  ];
}
