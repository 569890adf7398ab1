/**
 * `npm run bench:load`: opens the shop and a single-page application of the same source in turn, cold, on a simulated slow line. Reports
 * ratios to that application.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../e2e/src/browser';
import { startShop } from '../../e2e/src/shop';
import { readOptions } from '../../scripts/setup/options.mjs';
import { type Visit, visit, visitSettings } from './measure/open-page';
import { routes as allRoutes, type MeasuredRoute } from './measure/routes';
import { type SignedIn, signIn } from './measure/sign-in';
import { quantile } from './measure/statistics';
import { report, writeHelp, writeOption } from './report';
import { type Front, startFront } from './rig/front';
import { line } from './rig/shaped-socket';
import { buildSpa } from './spa/build-spa';

const variants = ['one SPA', 'this composition'] as const;

const help = `npm run bench:load -- [--runs 15] [--routes /home,/user] [--write]

  --runs       visits of each route and composition, in turn (default 15); one more before them is not counted
  --routes     some of ${allRoutes.map(({ path: route }) => route).join(', ')} (default: all)
  ${writeHelp}

CHROME_PATH names the browser.`;

const columns = [
  ['lcpMs', 'LCP, ms'],
  ['firstPaintMs', 'first paint, ms'],
  ['interactiveMs', 'interactive, ms'],
  ['kilobytesUntilInteractive', 'kB'],
  ['criticalRequests', 'requests in a chain'],
] as const;
type Measure = (typeof columns)[number][0];

interface Row {
  route: string;
  /** In the order of `variants`. */
  visits: Visit[][];
}

function readArguments(): { runs: number; routes: MeasuredRoute[]; write: boolean } {
  const { values } = readOptions(help, {
    options: {
      runs: { type: 'string', default: '15' },
      routes: { type: 'string', default: allRoutes.map((route) => route.path).join(',') },
      ...writeOption,
    },
  });
  const paths = values.routes.split(',');
  const routes = allRoutes.filter((route) => paths.includes(route.path));
  const runs = Number(values.runs);
  if (!(runs >= 1) || routes.length < paths.length) throw new Error(help);
  return { runs, routes, write: values.write };
}

async function main(): Promise<void> {
  const { runs, routes, write } = readArguments();
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  const shop = await startShop();
  const browser = await launchBrowser({ full: true, flags: ['--ignore-certificate-errors'] });
  try {
    const fronts = [await startFront(shop.url, await buildSpa(scratch)), await startFront(shop.url)];
    const user = await signIn(shop);
    const rows: Row[] = [];
    for (const route of routes)
      rows.push({ route: route.path, visits: await visitInTurn(browser, fronts, route, user, runs) });
    report('bench:load', textOf(rows, runs, browser.version()), write);
  } finally {
    await browser.close().catch(() => {});
    await shop.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Alternates the variants (A B A B …), so that other load on the machine affects both. */
async function visitInTurn(
  browser: Browser,
  fronts: readonly Front[],
  route: MeasuredRoute,
  user: SignedIn,
  runs: number,
): Promise<Visit[][]> {
  const visits: Visit[][] = fronts.map(() => []);
  let shown = '';
  for (let run = 0; run <= runs; run += 1) {
    for (const [index, front] of fronts.entries()) {
      const current = await visit(browser, front.url, route, user);
      shown ||= current.shown;
      if (current.shown !== shown)
        throw new Error(`the compositions differ at ${route.path}:\n${shown}\n${current.shown}`);
      console.error(
        `${run}/${runs} ${route.path} ${variants[index]}: LCP ${Math.round(current.lcpMs)} ms (${current.lcpElement}), ${current.bytes} bytes`,
      );
      if (run > 0) visits[index]?.push(current);
    }
  }
  return visits;
}

/** Medians of both variants. */
const mediansOf = ({ visits }: Row, measure: Measure): number[] =>
  visits.map((list) =>
    quantile(
      list.map((visit) => visit[measure]),
      0.5,
    ),
  );

const ratioOf = ([spa = Number.NaN, shop = Number.NaN]: number[]) => shop / spa;

function textOf(rows: readonly Row[], runs: number, chromium: string): string {
  const { roundTripMs, downBitsPerSecond, upBitsPerSecond } = line;
  const { cpuSlowdown, viewport } = visitSettings;
  return `${os.cpus().length} cores, Node ${process.version}, Chromium ${chromium}, ${runs} cold visits each.
Line: ${roundTripMs} ms round trip, ${downBitsPerSecond / 1e6} Mbit/s down, ${upBitsPerSecond / 1e6} Mbit/s up. Processor slowed ${cpuSlowdown} times; ${viewport.width} × ${viewport.height}.

${summaryOf(rows)}

${tableOf(rows)}

Largest layout shift of the shop: ${largestShift(rows).toFixed(4)}.`;
}

const largestShift = (rows: readonly Row[]) =>
  Math.max(...rows.flatMap(({ visits }) => visits[1]?.map(({ shift }) => shift) ?? []));

const titles = columns.map(([, title]) => title).join(' | ');
const separators = columns.map(() => '---').join(' | ');

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const cells = columns.map(([measure]) => {
      const medians = mediansOf(row, measure);
      const [spa, shop] = medians.map((median) => median.toFixed(0));
      return `**${ratioOf(medians).toFixed(2)}** ${shop}/${spa}`;
    });
    return [row.route, ...cells].join(' | ');
  });
  return `| page | ${titles} |
| --- | ${separators} |
${lines.map((text) => `| ${text} |`).join('\n')}`;
}

function summaryOf(rows: readonly Row[]): string {
  const ranges = columns.map(([measure]) => {
    const values = rows.map((row) => ratioOf(mediansOf(row, measure)));
    return `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
  });
  return `| to one SPA = 1 | ${titles} |
| --- | ${separators} |
| this shop, ${rows.length} pages | ${ranges.join(' | ')} |`;
}

main().then(() => process.exit());
