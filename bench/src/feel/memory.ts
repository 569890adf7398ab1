/** Memory over hundreds of changes of page. */
import { change, type Figure, goHome, open, type Rig, stops } from './visitor';

/** After how many changes the heap is looked at: the browser still compiles the shop's code in the first ones. */
const looks = [50, 200, 400] as const;

export async function memory(rig: Rig): Promise<Figure[]> {
  const { context, page, cdp } = await open(rig, { signedIn: true, cpuSlowdown: 1 });
  await goHome(page);
  await cdp.send('Performance.enable');
  const used = async () => {
    for (let pass = 0; pass < 3; pass += 1) await cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await cdp.send('Performance.getMetrics');
    const value = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
    return { heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') };
  };
  const seen = new Map<number, Awaited<ReturnType<typeof used>>>();
  for (let turn = 1; turn <= Math.max(...looks); turn += 1) {
    const { link, ready } = stops[(turn - 1) % stops.length] as (typeof stops)[number];
    await change(page, link, ready);
    if (looks.some((look) => look === turn)) seen.set(turn, await used());
  }
  await context.close();
  const [early, middle, late] = looks;
  return [between(seen, early, middle), between(seen, middle, late)];
}

function between(
  seen: Map<number, { heap: number; nodes: number; listeners: number }>,
  from: number,
  to: number,
): Figure {
  const before = seen.get(from);
  const after = seen.get(to);
  if (!before || !after) throw new Error(`the heap was not looked at after ${from} and ${to} changes`);
  return {
    what: `heap after ${to} page changes to that after ${from}`,
    value: after.heap / before.heap,
    goal: 1.05,
    unit: 'ratio',
    of: `${(before.heap / 1e6).toFixed(2)} MB, then ${(after.heap / 1e6).toFixed(2)} MB; nodes ${before.nodes} → ${after.nodes}, listeners ${before.listeners} → ${after.listeners}`,
  };
}
