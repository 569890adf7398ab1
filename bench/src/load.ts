/**
 * `npm run bench:load`: the shop and one application of the same source, opened cold behind one slow line, in turn. Prints the tables
 * of README.md and docs/performance.md, with ratios to that application.
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
import { type Front, startFront } from './rig/front';
import { line } from './rig/shaped-socket';
import { buildSpa } from './spa/build-spa';

const variants = ['one SPA', 'this composition'] as const;

const help = `npm run bench:load -- [--runs 15] [--routes /home,/user]

  --runs      visits of each route and composition, in turn (default 15); one more before them is not counted
  --routes    of ${allRoutes.map(({ path: route }) => route).join(', ')} (default: all)

CHROME_PATH names the browser.`;

const measures = [
  'criticalRequests',
  'requestsUntilInteractive',
  'bytes',
  'bytesUntilInteractive',
  'firstPaintMs',
  'lcpMs',
  'interactiveMs',
] as const;
type Measure = (typeof measures)[number];

interface Row {
  route: string;
  variant: (typeof variants)[number];
  visits: Visit[];
  /** Medians as ratios to the single application. */
  ratios: Record<Measure, number>;
}

function readArguments(): { runs: number; routes: MeasuredRoute[] } {
  const { values } = readOptions(help, {
    options: {
      runs: { type: 'string', default: '15' },
      routes: { type: 'string', default: allRoutes.map((route) => route.path).join(',') },
    },
  });
  const wanted = values.routes.split(',');
  const routes = allRoutes.filter((route) => wanted.includes(route.path));
  const runs = Number(values.runs);
  if (!(runs >= 1) || routes.length < wanted.length) throw new Error(help);
  return { runs, routes };
}

async function main(): Promise<void> {
  const { runs, routes } = readArguments();
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  const shop = await startShop();
  const browser = await launchBrowser({ full: true, flags: ['--ignore-certificate-errors'] });
  try {
    const fronts = [await startFront(shop.url, await buildSpa(scratch)), await startFront(shop.url)];
    const user = await signIn(shop);
    const rows: Row[] = [];
    for (const route of routes) rows.push(...rowsOf(route, await visitInTurn(browser, fronts, route, user, runs)));
    console.log(`${summaryOf(rows)}

\`npm run bench:load\`; ${os.cpus().length} cores, Node ${process.version}, Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}.

${tableOf(rows, runs)}`);
  } finally {
    await browser.close().catch(() => {});
    await shop.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A B A B …, so that whatever else the machine does falls on both. */
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

function quantileOf(visits: readonly Visit[], measure: Measure, share = 0.5): number {
  return quantile(
    visits.map((current) => current[measure]),
    share,
  );
}

function rowsOf({ path: route }: MeasuredRoute, visits: readonly Visit[][]): Row[] {
  const [single = []] = visits;
  return visits.map((list, index) => ({
    route,
    variant: variants[index] as Row['variant'],
    visits: list,
    ratios: Object.fromEntries(
      measures.map((measure) => [measure, quantileOf(list, measure) / quantileOf(single, measure)]),
    ) as Row['ratios'],
  }));
}

function tableOf(rows: readonly Row[], runs: number): string {
  const lines = rows.map(({ route, variant, visits, ratios }) => {
    const median = (measure: Measure) => quantileOf(visits, measure);
    const kilobytes = (measure: Measure) =>
      `**${ratios[measure].toFixed(2)}** ${(median(measure) / 1000).toFixed(1)} kB`;
    const milliseconds = (measure: Measure) => {
      const quartiles = [0.25, 0.75].map((share) => Math.round(quantileOf(visits, measure, share)));
      return `**${ratios[measure].toFixed(2)}** ${Math.round(median(measure))} ms (${quartiles.join('–')})`;
    };
    return [
      route,
      variant,
      median('criticalRequests'),
      median('requestsUntilInteractive'),
      kilobytes('bytesUntilInteractive'),
      kilobytes('bytes'),
      milliseconds('firstPaintMs'),
      milliseconds('lcpMs'),
      milliseconds('interactiveMs'),
      Math.max(...visits.map(({ shift }) => shift)).toFixed(4),
    ].join(' | ');
  });
  return `| page | composition | requests in a chain | requests | bytes | bytes with what follows | first paint | LCP | interactive | layout shift |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${lines.map((text) => `| ${text} |`).join('\n')}

${runs} cold visits each, in turn; medians, in bold as ratios to the single application, with quartiles in brackets. Line:
${line.roundTripMs} ms round trip, ${line.downBitsPerSecond / 1e6} Mbit/s down, ${line.upBitsPerSecond / 1e6} Mbit/s up, one queue for all connections, window of ${line.initialWindow} segments with slow start up to
${line.largestWindow}, no loss; TLS and HTTP/2; processor slowed ${visitSettings.cpuSlowdown} times; ${visitSettings.viewport.width} × ${visitSettings.viewport.height}. Requests and bytes are those sent before the page
was interactive; what follows is the rest until the network is idle, likely next pages above all. Requests in a chain: the longest row of requests up
to the largest paint, each sent after the one before had arrived. Interactive: the main content is there, and from then on no task over 50 ms
has run for ${visitSettings.quietMs} ms (the moment that this quiet begins). Layout shift: all shifts of a visit until the network is idle, of the visit with most.`;
}

/** The README's table: five ratios of this shop to one SPA of the same source, lowest and highest of the pages. */
function summaryOf(rows: readonly Row[]): string {
  const composed = rows.filter(({ variant }) => variant === 'this composition');
  const columns: Array<[measure: Measure, title: string]> = [
    ['lcpMs', 'LCP'],
    ['firstPaintMs', 'first paint'],
    ['interactiveMs', 'interactive'],
    ['bytesUntilInteractive', 'bytes'],
    ['criticalRequests', 'requests in a chain'],
  ];
  const ranges = columns.map(([measure]) => {
    const values = composed.map(({ ratios }) => ratios[measure]);
    return `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
  });
  return `| to one SPA = 1 | ${columns.map(([, title]) => title).join(' | ')} |
| --- | ${columns.map(() => '---').join(' | ')} |
| this shop, ${composed.length} pages | ${ranges.join(' | ')} |`;
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => process.exit());
