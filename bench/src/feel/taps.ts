import type { CDPSession, Page } from 'playwright-core';
import { quantile } from '../measure/statistics';
import { floorButton, floorOfChanges, openFloor, toFloor } from './floor';
import { change, type Figure, goHome, open, type PageChange, phone, type Rig, type Scheduler } from './visitor';

const rows = 1000;
const gestures = 250;
const filterRounds = 20;
const kinds = [1, 2, 3, 4];

/** Repeats the shop's own list until it has a thousand rows. Each list gets its own ids, starting at `firstOf`. */
async function thousandRows(page: Page): Promise<void> {
  await page.route('**/api/front/goods/list?*', async (route) => {
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { list: Array<{ id: number }>; has_more: boolean; total: number } };
    const { searchParams } = new URL(route.request().url());
    const at = Number(searchParams.get('page') ?? 1);
    const first = firstOf(Number(searchParams.get('recharge_type')));
    const { list } = body.data;
    const all = list.length ? Array.from({ length: rows }, (_, index) => list[index % list.length]) : [];
    body.data = {
      ...body.data,
      list: at === 1 ? all.map((row, index) => ({ ...row, id: first + index }) as { id: number }) : [],
      has_more: false,
      total: all.length,
    };
    await route.fulfill({ response: answer, json: body });
  });
}

const firstOf = (kind: number) => rows * kind + 1;

/**
 * Records two times: for each tap, the duration that the browser's Event Timing reports for the interaction (its longest event,
 * from the input to the next paint); for each scroll, the time from the wheel event to the end of the next frame.
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

/** Event Timing does not report events shorter than 16 ms; these count as 8 ms. */
const unreported = 8;

/** Alternates taps and scrolls, 60 ms apart. Resolves to their durations in ms. */
async function alternate(
  page: Page,
  cdp: CDPSession,
  place: (turn: number) => { x: number; y: number },
  after: () => Promise<unknown> = async () => {},
): Promise<{ taps: number[]; scrolls: number[] }> {
  for (let turn = 0; turn < gestures; turn += 1) {
    const { x, y } = place(turn);
    await page.touchscreen.tap(x, y);
    await page.waitForTimeout(60);
    await after();
    const deltaY = turn % 7 === 6 ? -1800 : 300;
    await cdp.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 200, y: 500, deltaX: 0, deltaY });
  }
  await page.waitForTimeout(500);
  const inputs = await page.evaluate(
    () => (window as never as { benchInputs: { taps: Record<number, number>; scrolls: number[] } }).benchInputs,
  );
  const reported = Object.values(inputs.taps);
  const others = Array<number>(Math.max(0, gestures - reported.length)).fill(unreported);
  return { taps: [...reported, ...others], scrolls: inputs.scrolls };
}

async function floorOfTaps(rig: Rig): Promise<number[]> {
  const { context, page, cdp } = await open(rig);
  await page.addInitScript(watchInputs);
  await openFloor(page);
  const button = await floorButton(page);
  const toTop = () => page.evaluate(() => window.scrollTo(0, 0));
  const { taps, scrolls } = await alternate(page, cdp, () => button, toTop);
  await context.close();
  return [...taps, ...scrolls];
}

/** The document of /goods contains its first rows. Only a page change from another page makes the browser request them. */
async function openList(page: Page): Promise<void> {
  await goHome(page);
  await page.locator('a[href="/goods"]:visible').first().tap();
  await page.locator(rowOf(0)).waitFor({ state: 'attached' });
}

const rowOf = (kind: number) => `.catalog-cards a[href="/goods/${firstOf(kind)}"]`;

export async function filters(rig: Rig): Promise<Figure[]> {
  const floor = await floorOfChanges(rig, filterRounds);
  const { context, page } = await open(rig);
  await thousandRows(page);
  await openList(page);
  const tap = async (control: string, ready: string) => {
    // Playwright's trial tap waits until the sheet's animation has ended.
    await page.locator(control).filter({ visible: true }).first().tap({ trial: true });
    return change(page, control, ready);
  };
  const taps: PageChange[] = [];
  const applied: PageChange[] = [];
  for (let round = -kinds.length; round < filterRounds; round += 1) {
    const kind = kinds.at(round % kinds.length) as number;
    const option = `[role="dialog"] fieldset:nth-of-type(2) button:nth-of-type(${kinds.indexOf(kind) + 1})`;
    const shows = await tap('.catalog-filter-button', option);
    const chooses = await tap(option, `${option}[aria-pressed="true"]`);
    const applies = await tap('[role="dialog"] .ui-sheet__footer .ui-button--primary', rowOf(kind));
    // The first tap of each kind fetches its list, so it is not counted.
    if (round < 0) continue;
    taps.push(shows, chooses, applies);
    applied.push(applies);
  }
  await context.close();
  floor.push(...(await floorOfChanges(rig, filterRounds)));
  return [
    toFloor(
      `tap to mark, over ${rows} rows, p95`,
      taps.map(({ feedback }) => feedback),
      floor,
      1.5,
      `${taps.length} taps: filters opened, a type chosen and applied`,
    ),
    toFloor(
      `tap to the filtered list of ${rows} rows, p95`,
      applied.map(({ shown }) => shown),
      floor,
      3,
      `${applied.length} filters applied whose list has been fetched before`,
    ),
  ];
}

export async function taps(rig: Rig): Promise<Figure[]> {
  const floor = await floorOfTaps(rig);
  const { context, page, cdp } = await open(rig);
  await page.addInitScript(watchInputs);
  await thousandRows(page);
  await openList(page);
  const chips = page.locator('main button:visible');
  const places: Array<{ x: number; y: number }> = [];
  for (const chip of await chips.all()) {
    const box = await chip.boundingBox();
    if (box && box.y > 0 && box.y + box.height < phone.height && box.x > 0 && box.x + box.width < phone.width)
      places.push({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  }
  const row = { x: phone.width / 2, y: 400 };
  const measured = await alternate(
    page,
    cdp,
    (turn) => places[turn % (places.length + 1)] ?? row,
    async () => {
      if (new URL(page.url()).pathname !== '/goods') await page.goBack();
    },
  );
  const rendered = await page.locator('main a[href^="/goods/"]').count();
  await context.close();
  const p95 = (values: readonly number[]) => Math.round(quantile(values, 0.95));
  return [
    toFloor(
      'interaction to next paint, p95',
      [...measured.taps, ...measured.scrolls],
      floor,
      1.5,
      `${measured.taps.length} taps (p95 ${p95(measured.taps)}, longest ${Math.max(...measured.taps)}) and ${measured.scrolls.length} scrolls (p95 ${p95(measured.scrolls)}) over lists of ${rows} rows, of which the last one had ${rendered} rendered`,
    ),
  ];
}
