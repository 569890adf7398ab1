/** `npm run bench:feel`: how fast the loaded shop responds, beside a single-page application of the same source in the same run. */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchBrowser } from '../../e2e/src/browser';
import { startShop } from '../../e2e/src/shop';
import { readOptions } from '../../scripts/setup/options.mjs';
import { openings } from './feel/frames';
import { type Gesture, gestures, skeletons } from './feel/gestures';
import { heapGrowth } from './feel/heap';
import { type Change, observedIn, open, type Rig, type Site, slowdown } from './feel/visitor';
import { signIn } from './measure/sign-in';
import { quantile } from './measure/statistics';
import { report, writeHelp, writeOption } from './report';
import { type Front, startFront } from './rig/front';
import { buildSpa } from './spa/build-spa';

const help = `npm run bench:feel -- [--rounds 20] [--only <name>] [--write]

  --rounds     rounds of each gesture and site (default 20), half of them before and half after those of the other site
  --only       the gestures whose name contains this text
  ${writeHelp}

CHROME_PATH names the browser.`;

/** Event Timing reports no event below 16 ms. */
const unreported = 8;

interface Row {
  what: string;
  /** Values of shop and single-page application. */
  values: number[][];
  share: number;
  /** Limit of the shop's value. */
  goal: number;
  unit: 'ms' | '';
  /** Processor time of the main thread per gesture, ms: sum, script, style, layout. */
  cpu?: number[][][];
}

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: { rounds: { type: 'string', default: '20' }, only: { type: 'string', default: '' }, ...writeOption },
  });
  const rounds = Number(values.rounds);
  const isWanted = ({ what }: { what: string }) => what.includes(values.only);
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  const shop = await startShop();
  const browser = await launchBrowser({ full: true, flags: ['--ignore-certificate-errors'] });
  const fronts: Front[] = [];
  const front = async (...settings: Parameters<typeof startFront>) => {
    const started = await startFront(...settings);
    fronts.push(started);
    return started.url;
  };
  try {
    const spa = await buildSpa(scratch);
    const sites: Site[] = [
      { url: await front(shop.url, undefined, { isSlow: false }), slowUrl: await front(shop.url) },
      { url: await front(shop.url, spa, { isSlow: false }), slowUrl: await front(shop.url, spa) },
    ];
    const rig: Rig = { browser, user: await signIn(shop), shop };
    const rows: Row[] = [];
    const interactions: number[][] = sites.map(() => []);
    for (const gesture of gestures.filter(isWanted))
      rows.push(await measure(rig, sites, gesture, rounds, interactions));
    if (!values.only) {
      rows.push({ what: 'interaction to next paint, p98', values: interactions, share: 0.98, goal: 100, unit: 'ms' });
      const times = await inTurn(sites, (site) => skeletons(rig, site, rounds / 2));
      rows.push({ what: 'skeleton of a page without code, p95', values: times, share: 0.95, goal: 100, unit: 'ms' });
      const heaps = [];
      for (const site of sites) heaps.push([await heapGrowth(rig, site)]);
      rows.push({ what: 'heap after 400 page changes to after 50', values: heaps, share: 0.5, goal: 1.05, unit: '' });
    }
    for (const { what, run } of openings.filter(isWanted)) {
      const longest = await inTurn(sites, async (site) => {
        const frames: number[] = [];
        for (let round = 0; round < rounds / 4; round += 1) frames.push(await run(rig, site));
        return frames;
      });
      rows.push({ what: `longest frame of ${what}`, values: longest, share: 1, goal: 100, unit: 'ms' });
    }
    report('bench:feel', textOf(rows, browser.version()), values.write);
  } finally {
    await browser.close().catch(() => {});
    for (const { close } of fronts) await close();
    await shop.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Measures shop, application, application and shop, so that a load on the machine which changes affects both. */
async function inTurn<Value>(sites: readonly Site[], run: (site: Site) => Promise<Value[]>): Promise<Value[][]> {
  const values: Value[][] = sites.map(() => []);
  for (const index of [0, 1, 1, 0]) values[index]?.push(...(await run(sites[index] as Site)));
  return values;
}

async function measure(
  rig: Rig,
  sites: readonly Site[],
  gesture: Gesture,
  rounds: number,
  interactions: number[][],
): Promise<Row> {
  const visit = async (site: Site, isThrottled: boolean): Promise<Change[]> => {
    const tab = await open(rig, site.url, { signedIn: gesture.signedIn, isThrottled });
    const changes = await gesture.run(tab, rounds / 2, rig.shop.url);
    if (isThrottled) {
      const reported = Object.values((await observedIn(tab.page)).interactions);
      const others = Math.max(0, changes.length - reported.length);
      interactions[sites.indexOf(site)]?.push(...reported, ...Array<number>(others).fill(unreported));
    }
    await tab.context.close();
    return changes;
  };
  const slow = await inTurn(sites, (site) => visit(site, true));
  const fast = await inTurn(sites, (site) => visit(site, false));
  return {
    what: `${gesture.what}, p95`,
    values: slow.map((changes) => changes.map(({ shown }) => shown)),
    share: 0.95,
    goal: gesture.goal,
    unit: 'ms',
    cpu: fast.map((changes) => changes.map(({ cpu }) => cpu)),
  };
}

function textOf(rows: readonly Row[], chromium: string): string {
  const lines = rows.map(({ what, values, share, goal, unit, cpu }) => {
    const amount = (value: number) => (unit === 'ms' ? `${value.toFixed(0)} ms` : value.toFixed(2));
    const [shop = Number.NaN, spa = Number.NaN] = values.map((list) => quantile(list, share));
    const medians = values.map((list) => amount(quantile(list, 0.5))).join(', ');
    const threads = (cpu ?? []).map((list) => [0, 1, 2, 3].map((kind) => medianOf(list, kind)).join(' / '));
    return `| ${what} | ${amount(shop)} | ${amount(spa)} | ${amount(goal)}${shop > goal ? ' **missed**' : ''} | ${medians}; ${values[0]?.length} | ${threads.join(', ')} |`;
  });
  return `Processor slowed ${slowdown} times, ${os.cpus().length} cores, Chromium ${chromium}.

| | shop | SPA | goal | medians of both; measured | main thread, not slowed: all / script / style / layout, ms |
| --- | --- | --- | --- | --- | --- |
${lines.join('\n')}`;
}

const medianOf = (cpu: readonly number[][], kind: number) =>
  quantile(
    cpu.map((times) => times[kind] ?? Number.NaN),
    0.5,
  ).toFixed(kind === 0 ? 0 : 1);

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => process.exit());
