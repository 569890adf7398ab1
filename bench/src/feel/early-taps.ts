/** Taps on a rendered page whose scripts are not there yet: when each is marked, and whether it is carried out once when they are. */
import type { Page } from 'playwright-core';
import { floorOfChanges, toFloor } from './floor';
import { type Figure, open, type Rig, type Scheduler } from './visitor';

const samples = 20;
const tapsOfVisit = 3;
const product = '/goods/1';
const plus = '.ui-stepper > button:last-child';

/** Opens the product without the shell's script until the result is called. */
async function openWithoutScripts(page: Page): Promise<() => void> {
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  await page.route(/\/r\/shell\/[^/]+\/main\.\w+\.js/, (route) => arrived.then(() => route.continue()));
  // The first documents of a server come with skeletons.
  for (let isRendered = false; !isRendered; ) {
    await page.goto(product, { waitUntil: 'commit' });
    await page.waitForFunction(() => document.readyState !== 'loading');
    isRendered = (await page.locator('[data-early-presses]').count()) > 0;
  }
  await page.locator(plus).scrollIntoViewIfNeeded();
  return arrive;
}

/** From a tap to the first frame in which it is marked, ms (as `change` of visitor.ts measures it). */
async function tapToMark(page: Page): Promise<number> {
  const place = await page.evaluate((plus) => {
    const button = document.querySelector(plus) as HTMLElement;
    // So that each tap has to be marked anew.
    delete button.dataset.held;
    const marked = new Promise<number>((resolve) => {
      const onPointer = ({ timeStamp }: Event) => {
        const look = () => {
          if (button.dataset.held === undefined) return void requestAnimationFrame(look);
          const painted = () => resolve(performance.now() - timeStamp);
          void (window as never as { scheduler: Scheduler }).scheduler.postTask(painted, { priority: 'user-blocking' });
        };
        requestAnimationFrame(look);
      };
      window.addEventListener('pointerup', onPointer, { capture: true, once: true });
    });
    Object.assign(window, { benchMarked: marked });
    const { x, y, width, height } = button.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2 };
  }, plus);
  await page.touchscreen.tap(place.x, place.y);
  return page.evaluate(() => (window as never as { benchMarked: Promise<number> }).benchMarked);
}

export async function earlyTaps(rig: Rig): Promise<Figure[]> {
  const visits = Math.ceil(samples * rig.share);
  const floor = await floorOfChanges(rig, visits);
  const marked: number[] = [];
  let lost = 0;
  let doubled = 0;
  for (let visit = 0; visit < visits; visit += 1) {
    const { context, page } = await open(rig);
    const arrive = await openWithoutScripts(page);
    for (let tap = 0; tap < tapsOfVisit; tap += 1) marked.push(await tapToMark(page));
    arrive();
    await page.waitForFunction((plus) => {
      const button = document.querySelector(plus) as HTMLElement;
      return button.dataset.held === undefined && Object.keys(button).some((key) => key.startsWith('__react'));
    }, plus);
    // A second carrying out would come with the task after this one.
    const value = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          requestIdleCallback(() =>
            resolve(Number(document.querySelector<HTMLInputElement>('.ui-stepper input')?.value)),
          );
        }),
    );
    const carriedOut = value - 1;
    lost += Math.max(0, tapsOfVisit - carriedOut);
    doubled += Math.max(0, carriedOut - tapsOfVisit);
    await context.close();
  }
  const of = `${marked.length} taps on the quantity of a product before its scripts have arrived`;
  return [
    toFloor('tap before hydration to its mark, p95', marked, floor, 1.5, of),
    {
      what: 'taps before hydration, lost or doubled',
      value: lost + doubled,
      goal: 0,
      unit: 'count',
      of: `${of}: ${lost} lost, ${doubled} doubled`,
    },
  ];
}
