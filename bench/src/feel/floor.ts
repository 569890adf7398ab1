/** What the rig itself takes: the same gestures on a page with nothing but a button and a paragraph. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { quantile } from '../measure/statistics';
import { change, type Figure, open, type Rig } from './visitor';

const floorPage = `<!doctype html><meta name="viewport" content="width=device-width"><title>floor</title>
<body style="min-height:3000px"><button style="width:200px;height:60px">show</button><p hidden>shown</p>
<script>
  const paragraph = document.querySelector('p');
  document.querySelector('button').addEventListener('click', () => { paragraph.hidden = !paragraph.hidden; });
</script>`;

/** The address of that page, on a server of its own. */
export async function serveFloor(rig: Rig): Promise<string> {
  const server = http.createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(floorPage);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  rig.later(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** From a tap on the button to the frame that shows the paragraph, ms, so many times. */
export async function floorOfChanges(rig: Rig, count: number): Promise<number[]> {
  const { context, page } = await open(rig);
  await page.goto(await serveFloor(rig));
  const found: number[] = [];
  for (let turn = 0; turn <= count; turn += 1) {
    await page.evaluate(() => document.querySelector('p')?.setAttribute('hidden', ''));
    const { shown } = await change(page, 'button', 'p');
    // The first compiles the handler.
    if (turn > 0) found.push(shown);
  }
  await context.close();
  return found;
}

/** The centre of its button. */
export async function floorButton(page: Page): Promise<{ x: number; y: number }> {
  const box = await page.locator('button').boundingBox();
  if (!box) throw new Error('the page for the floor has no button');
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** The p95 of what was measured as a ratio to that of the floor. */
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
