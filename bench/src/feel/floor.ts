import type { Page } from 'playwright-core';
import { quantile } from '../measure/statistics';
import { change, type Figure, open, type Rig } from './visitor';

const floorPage = `<!doctype html><meta name="viewport" content="width=device-width"><title>floor</title>
<body style="min-height:3000px"><button style="width:200px;height:60px">show</button><p hidden>shown</p>
<script>
  const paragraph = document.querySelector('p');
  document.querySelector('button').addEventListener('click', () => { paragraph.hidden = !paragraph.hidden; });
</script>`;

export async function openFloor(page: Page): Promise<void> {
  await page.route('**/floor', (route) => route.fulfill({ contentType: 'text/html', body: floorPage }));
  await page.goto('/floor');
}

export async function floorOfChanges(rig: Rig, count: number): Promise<number[]> {
  const { context, page } = await open(rig);
  await openFloor(page);
  const times: number[] = [];
  for (let turn = 0; turn <= count; turn += 1) {
    await page.evaluate(() => document.querySelector('p')?.setAttribute('hidden', ''));
    const { shown } = await change(page, 'button', 'p');
    // The first tap compiles the handler, so it is not counted.
    if (turn > 0) times.push(shown);
  }
  await context.close();
  return times;
}

export async function floorButton(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.locator('button').boundingBox();
  if (!box) throw new Error('the page for the floor has no button');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Ratio of a gesture's p95 to the p95 of the same gesture on the empty page. */
export function toFloor(
  what: string,
  measured: readonly number[],
  floor: readonly number[],
  goal: number,
  of: string,
): Figure {
  const [value, least] = [quantile(measured, 0.95), quantile(floor, 0.95)];
  return {
    what,
    value: value / least,
    goal,
    unit: 'floor',
    of: `${Math.round(value)} ms beside ${Math.round(least)} (medians ${Math.round(quantile(measured, 0.5))} and ${Math.round(quantile(floor, 0.5))}); ${of}`,
  };
}
