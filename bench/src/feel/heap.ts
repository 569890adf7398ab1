import { change, goHome, open, type Rig, type Site, tabs } from './visitor';

/** Used heap after 400 page changes, divided by that after 50. */
export async function heapGrowth(rig: Rig, { url }: Site): Promise<number> {
  const tab = await open(rig, url, { signedIn: true, isThrottled: false });
  const used = async () => {
    await tab.cdp.send('HeapProfiler.collectGarbage');
    const { metrics } = await tab.cdp.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN;
  };
  await goHome(tab.page);
  let early = Number.NaN;
  for (let count = 0; count < 400; count += 1) {
    if (count === 50) early = await used();
    const { link, ready } = tabs[count % tabs.length] as (typeof tabs)[number];
    await change(tab, link, ready);
  }
  const late = await used();
  await tab.context.close();
  return late / early;
}
