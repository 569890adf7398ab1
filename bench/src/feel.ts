/** `npm run bench:feel`: how fast the loaded shop responds, beside a single-page application of the same source in the same run. */
import os from 'node:os';
import { readOptions } from '../../scripts/setup/options.mjs';
import { type Part, parts } from './feel/parts';
import { type Change, type Site, slowdown } from './feel/visitor';
import { quantile } from './measure/statistics';
import { report, writeHelp, writeOption } from './report';
import { startFront } from './rig/front';
import { signIn, withShop } from './rig/shop';

const help = `npm run bench:feel -- [--rounds 20] [--only <texts>] [--beside <address>] [--write]

  --rounds     rounds of each gesture and site (default 20), half of them before and half after those of the other site
  --only       the rows whose name contains one of these texts, such as kept,filter
  --beside     a running shop of another commit, instead of the single-page application
  ${writeHelp}

CHROME_PATH names the browser.`;

interface Row extends Pick<Part, 'what' | 'goal' | 'share' | 'isRatio'> {
  /** Of the shop and of the single-page application. */
  values: number[][];
  /** Medians of the main thread's processor time, also of both. */
  threads?: string[];
}

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      rounds: { type: 'string', default: '20' },
      only: { type: 'string', default: '' },
      beside: { type: 'string', default: '' },
      ...writeOption,
    },
  });
  await withShop({ backForwardCache: true }, async ({ shop, browser, buildSpa }) => {
    const sites: Site[] = [];
    const build = values.beside ? undefined : await buildSpa();
    for (const [server, files] of [[shop.url], [values.beside || shop.url, build]] as const) {
      const [url, slowUrl] = [await startFront(server, files, { isSlow: false }), await startFront(server, files)];
      sites.push({ url, slowUrl, server, browser, user: await signIn({ url: server }), interactions: [] });
    }
    const rows: Row[] = [];
    const names = values.only.split(',');
    for (const part of parts.filter(({ what }) => names.some((name) => what.includes(name)))) {
      const row = await measure(sites, part, Number(values.rounds)).catch((error: Error) =>
        console.error(`${part.what} could not be measured: ${error.message}`),
      );
      if (row) rows.push(row);
    }
    const taps = sites.map(({ interactions }) => interactions);
    const goal = Math.min(100, quantile(taps[1] ?? [], 0.98));
    rows.push({ what: 'interaction to next paint, all taps', values: taps, share: 0.98, goal });
    const [section, other] = values.beside ? ['bench:beside', 'beside'] : ['bench:feel', 'SPA'];
    report(section, textOf(rows, browser.version(), other), values.write);
  });
}

async function measure(sites: readonly Site[], part: Part, rounds: number): Promise<Row> {
  /** Shop, application, application and shop, so that a load on the machine which changes affects both. */
  const inTurn = async (isThrottled: boolean, order: number[]): Promise<Change[][]> => {
    const changes: Change[][] = sites.map(() => []);
    for (const index of order) {
      const site = { ...(sites[index] as Site), isThrottled };
      changes[index]?.push(...(await part.run(site, rounds / 2)));
      for (const context of site.browser.contexts()) await context.close();
    }
    return changes;
  };
  const slow = await (part.isRatio ? inTurn(false, [0, 1]) : inTurn(true, [0, 1, 1, 0]));
  const fast = part.countsThread ? await inTurn(false, [0, 1]) : [];
  console.error(part.what);
  return {
    ...part,
    values: slow.map((changes) => changes.map((change) => change[part.measure ?? 'shown'])),
    threads: fast.map((changes) => {
      const median = (kind: number) =>
        quantile(
          changes.map(({ cpu }) => cpu[kind] ?? 0),
          0.5,
        );
      return [0, 1, 2, 3].map((kind) => median(kind).toFixed(kind ? 1 : 0)).join(' / ');
    }),
  };
}

function textOf(rows: readonly Row[], chromium: string, other: string): string {
  const lines = rows.map(({ what, values, share, goal, isRatio, threads = [] }) => {
    const amounts = (part: number) =>
      values.map((list) => quantile(list, part).toFixed(isRatio ? 2 : 0) + (isRatio ? '' : ' ms'));
    const [shop = 0, spa = 0] = values.map((list) => quantile(list, share));
    const name = `${what}, ${share === 1 ? 'longest' : share === 0.5 ? 'median' : `p${share * 100}`}`;
    const limit = `${goal ?? other}${shop > (goal ?? spa) ? ' **missed**' : ''}`;
    const cells = [name, ...amounts(share), limit, amounts(0.5).join(', '), values[0]?.length, threads.join(', ')];
    return `| ${cells.join(' | ')} |`;
  });
  return `Processor slowed ${slowdown} times, ${os.cpus().length} cores, Chromium ${chromium}.

| | shop | ${other} | goal | medians | measured | main thread, not slowed: all / script / style / layout, ms |
| --- | --- | --- | --- | --- | --- | --- |
${lines.join('\n')}`;
}

main().then(() => process.exit());
