/** Memory over two hundred changes of page. */
import { change, type Figure, goHome, open, type Rig, stops } from './visitor';

const turns = 200;
const early = 50;

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
  let before = await used();
  for (let turn = 1; turn <= turns; turn += 1) {
    const { link, ready } = stops[(turn - 1) % stops.length] as (typeof stops)[number];
    await change(page, link, ready);
    if (turn === early) before = await used();
  }
  const after = await used();
  await context.close();
  return [
    {
      what: `heap after ${turns} page changes to that after ${early}`,
      value: after.heap / before.heap,
      goal: 1.05,
      unit: 'ratio',
      of: `${(before.heap / 1e6).toFixed(2)} MB, then ${(after.heap / 1e6).toFixed(2)} MB; nodes ${before.nodes} → ${after.nodes}, listeners ${before.listeners} → ${after.listeners}`,
    },
  ];
}
