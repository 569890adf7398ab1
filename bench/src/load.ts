/**
 * `npm run bench:load`: opens the shop and a single-page application of the same source in turn, cold, on a simulated slow line. Reports
 * ratios to that application.
 */
import os from 'node:os';
import type { Browser } from 'playwright-core';
import { phone } from '../../e2e/src/browser';
import { readOptions } from '../../scripts/setup/options.mjs';
import { cpuSlowdown, type MeasuredRoute, type Visit, visit } from './measure/open-page';
import { quantile } from './measure/statistics';
import { report, writeHelp, writeOption } from './report';
import { startFront } from './rig/front';
import { line } from './rig/shaped-socket';
import { type SignedIn, signIn, withShop } from './rig/shop';

const variants = ['one SPA', 'this composition'] as const;

const allRoutes: readonly MeasuredRoute[] = [
  { path: '/home', content: 'main section.catalog-module' },
  { path: '/goods', content: 'main a[href^="/goods/"]' },
  { path: '/goods/1', content: 'main .catalog-hero' },
  { path: '/search', content: 'main .catalog-words button' },
  { path: '/article/privacy', content: 'main .content-article__text' },
  { path: '/business', content: 'main .content-business__lead' },
  { path: '/youxi', content: '.content-youxi main a' },
  { path: '/user/wallet', signedIn: true, content: 'main .account-card__amount' },
  { path: '/order', signedIn: true, content: 'main a[href^="/order/detail/"]' },
  { path: '/order/detail/:id', signedIn: true, content: 'main .orders-facts__row' },
  { path: '/user', signedIn: true, content: 'main .account-card__amount' },
];

const help = `npm run bench:load -- [--runs 15] [--routes /home,/user] [--write]

  --runs       visits of each route and composition, in turn (default 15); one more before them is not counted
  --routes     some of ${allRoutes.map(({ path: route }) => route).join(', ')} (default: all)
  ${writeHelp}

CHROME_PATH names the browser.`;

const columns = { lcpMs: 'LCP, ms', interactiveMs: 'interactive, ms', kilobytes: 'kB' } as const;
const measures = Object.keys(columns) as Array<keyof typeof columns>;

interface Row {
  route: string;
  /** In the order of `variants`. */
  visits: Visit[][];
}

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      runs: { type: 'string', default: '15' },
      routes: { type: 'string', default: allRoutes.map((route) => route.path).join(',') },
      ...writeOption,
    },
  });
  const routes = allRoutes.filter(({ path: route }) => values.routes.split(',').includes(route));
  const runs = Number(values.runs);
  if (!(runs >= 1) || routes.length === 0) throw new Error(help);
  await withShop({ full: true }, async ({ shop, browser, buildSpa }) => {
    const fronts = [await startFront(shop.url, await buildSpa()), await startFront(shop.url)];
    const user = await signIn(shop);
    const rows: Row[] = [];
    for (const route of routes)
      rows.push({ route: route.path, visits: await visitInTurn(browser, fronts, route, user, runs) });
    report('bench:load', textOf(rows, runs, browser.version()), values.write);
  });
}

/** Alternates the variants (A B A B …), so that other load on the machine affects both. */
async function visitInTurn(
  browser: Browser,
  fronts: readonly string[],
  route: MeasuredRoute,
  user: SignedIn,
  runs: number,
): Promise<Visit[][]> {
  const visits: Visit[][] = fronts.map(() => []);
  let shown = '';
  for (let run = 0; run <= runs; run += 1) {
    for (const [index, front] of fronts.entries()) {
      const current = await visit(browser, front, route, user);
      shown ||= current.shown;
      if (current.shown !== shown)
        throw new Error(`the compositions differ at ${route.path}:\n${shown}\n${current.shown}`);
      console.error(
        `${run}/${runs} ${route.path} ${variants[index]}: LCP ${Math.round(current.lcpMs)} ms (${current.lcpElement})`,
      );
      if (run > 0) visits[index]?.push(current);
    }
  }
  return visits;
}

/** Medians of the single-page application and of the shop. */
function mediansOf({ visits }: Row, measure: (typeof measures)[number]): { spa: number; shop: number; ratio: number } {
  const [spa = 0, shop = 0] = visits.map((list) =>
    quantile(
      list.map((visit) => visit[measure]),
      0.5,
    ),
  );
  return { spa, shop, ratio: shop / spa };
}

function textOf(rows: readonly Row[], runs: number, chromium: string): string {
  const { roundTripMs, downBitsPerSecond, upBitsPerSecond } = line;
  const shifts = rows.flatMap(({ visits }) => visits[1]?.map(({ shift }) => shift) ?? []);
  return `${os.cpus().length} cores, Node ${process.version}, Chromium ${chromium}, ${runs} cold visits each.
Line: ${roundTripMs} ms round trip, ${downBitsPerSecond / 1e6} Mbit/s down, ${upBitsPerSecond / 1e6} Mbit/s up. Processor slowed ${cpuSlowdown} times; ${phone.width} × ${phone.height}.

| page | ${Object.values(columns).join(' | ')} |
| --- | ${measures.map(() => '---').join(' | ')} |
${rows.map((row) => `| ${row.route} | ${cellsOf(row).join(' | ')} |`).join('\n')}
| all ${rows.length} pages | ${rangesOf(rows).join(' | ')} |

Largest layout shift of the shop: ${Math.max(...shifts).toFixed(4)}.`;
}

const cellsOf = (row: Row) =>
  measures.map((measure) => {
    const { spa, shop, ratio } = mediansOf(row, measure);
    return `**${ratio.toFixed(2)}** ${shop.toFixed(0)}/${spa.toFixed(0)}`;
  });

const rangesOf = (rows: readonly Row[]) =>
  measures.map((measure) => {
    const ratios = rows.map((row) => mediansOf(row, measure).ratio);
    return `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`;
  });

main().then(() => process.exit());
