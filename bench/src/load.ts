/**
 * `npm run bench:load`: the shop and one application of the same source, opened cold behind one slow line, in turn. Prints a table
 * of ratios to that application and writes every figure to bench/results/load.json.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../e2e/src/browser';
import { startShop } from '../../e2e/src/shop';
import { readOptions } from '../../scripts/setup/options.mjs';
import { type Visit, type VisitSettings, visit } from './measure/open-page';
import { routes as allRoutes, type MeasuredRoute } from './measure/routes';
import { type SignedIn, signIn } from './measure/sign-in';
import { type Spread, spreadOf } from './measure/statistics';
import { saveResult, writeBetween } from './report/report';
import { type Front, makeCertificate, startFront } from './rig/front';
import { slowLine } from './rig/slow-line';
import { buildSpa } from './spa/build-spa';

const variantTitles = { spa: 'one SPA', composed: 'this composition' } as const;
type Variant = keyof typeof variantTitles;

const help = `npm run bench:load -- [--runs 15] [--routes /home,/user] [--trace] [--no-docs]

  --runs      visits of each route and composition, in turn (default 15); one more before them is not counted
  --routes    of ${allRoutes.map(({ path: route }) => route).join(', ')} (default: all)
  --trace     print the requests of the first visits
  --no-docs   leave bench/results, the README and docs/performance.md as they are

CHROME_PATH names the browser. Results: bench/results/load.json.`;

const line = slowLine;

const visitSettings: VisitSettings = {
  cpuSlowdown: 4,
  quietMs: 500,
  viewport: { width: 390, height: 844 },
  timeoutMs: 45_000,
};

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
  variant: Variant;
  runs: number;
  figures: Record<Measure, Spread>;
  /** Medians as ratios to the single application. */
  ratios: Partial<Record<Measure, number>>;
  lcpElement: string;
  /** Of all visits. */
  worstShift: number;
}

interface Arguments {
  runs: number;
  routes: MeasuredRoute[];
  trace: boolean;
  docs: boolean;
}

function readArguments(): Arguments {
  const { values } = readOptions(help, {
    options: {
      runs: { type: 'string', default: '15' },
      routes: { type: 'string', default: allRoutes.map((route) => route.path).join(',') },
      trace: { type: 'boolean', default: false },
      'no-docs': { type: 'boolean', default: false },
    },
  });
  const runs = Number(values.runs);
  if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs takes a number from 1, not "${values.runs}"`);
  const chosenRoutes = values.routes.split(',').map((wanted) => {
    const found = allRoutes.find(({ path: route }) => route === wanted);
    if (!found) throw new Error(`--routes knows ${allRoutes.map((route) => route.path).join(', ')}, not "${wanted}"`);
    return found;
  });
  return { runs, routes: chosenRoutes, trace: values.trace, docs: !values['no-docs'] };
}

/** What has been started, ended in reverse; nothing else is. */
const endings: Array<() => Promise<unknown> | unknown> = [];
async function endAll(): Promise<void> {
  for (let end = endings.pop(); end; end = endings.pop()) await Promise.resolve(end()).catch(() => {});
}

async function main(): Promise<void> {
  const given = readArguments();
  const say = (text: string) => process.stderr.write(`${text}\n`);

  const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-bench-'));
  endings.push(() => rmSync(scratch, { recursive: true, force: true }));
  say('building …');
  const shop = await startShop();
  endings.push(() => shop.stop());
  const spa = await buildSpa(path.join(scratch, 'spa'));
  const certificate = await makeCertificate();
  const open = async (files?: typeof spa) => {
    const front = await startFront({ certificate, line, upstream: shop.url, ...files });
    endings.push(() => front.close());
    return front;
  };
  const fronts = new Map<Variant, Front>([
    ['spa', await open(spa)],
    ['composed', await open()],
  ]);
  const browser = await launchBrowser({ full: true, flags: ['--ignore-certificate-errors'] });
  endings.push(() => browser.close());
  const person = given.routes.some(({ signedIn }) => signedIn) ? await signIn(shop) : undefined;

  const rows: Row[] = [];
  for (const route of given.routes) {
    const visits = await visitInTurn(browser, fronts, route, person, given, say);
    rows.push(...rowsOf(route, visits));
  }

  const result = {
    settings: { line, visit: visitSettings, runs: given.runs },
    machine: { node: process.version, browser: browser.version(), cores: os.cpus().length, platform: process.platform },
    rows,
  };
  const table = tableOf(rows, given.runs);
  console.log(table);
  if (!given.docs) return;
  saveResult('load', result);
  const on = `${os.cpus().length} cores, Node ${process.version}, Chromium ${browser.version()}, ${new Date().toISOString().slice(0, 10)}`;
  const text = `${on}.\n\n${table}`;
  writeBetween('README.md', 'bench:load', summaryOf(rows));
  writeBetween('docs/performance.md', 'load', `\`npm run bench:load\`; ${text}`);
}

/** A B A B …, so that whatever else the machine does falls on all of them. */
async function visitInTurn(
  browser: Browser,
  fronts: ReadonlyMap<Variant, Front>,
  route: MeasuredRoute,
  person: SignedIn | undefined,
  { runs, trace }: Arguments,
  say: (text: string) => void,
): Promise<Map<Variant, Visit[]>> {
  const visits = new Map<Variant, Visit[]>([...fronts.keys()].map((variant) => [variant, []]));
  let shown = '';
  for (let run = 0; run <= runs; run += 1) {
    for (const [variant, front] of fronts) {
      const one = await visit(browser, front.url, route, person, visitSettings);
      shown ||= one.shown;
      if (one.shown !== shown) {
        throw new Error(
          `${variant} shows another page at ${route.path}, so nothing is comparable:\n${shown}\n${one.shown}`,
        );
      }
      if (run === 0 && trace) say(`${variant} ${route.path}\n  ${one.addresses.join('\n  ')}`);
      say(
        `${run === 0 ? 'not counted' : `${run}/${runs}`} ${route.path} ${variant}: LCP ${Math.round(one.lcpMs)} ms (${one.lcpElement}), interactive ${Math.round(one.interactiveMs)} ms, ${one.requests} requests, ${one.bytes} bytes`,
      );
      if (run > 0) visits.get(variant)?.push(one);
    }
  }
  return visits;
}

function rowsOf(route: MeasuredRoute, visits: ReadonlyMap<Variant, Visit[]>): Row[] {
  const rows = [...visits].map(([variant, list]): Row => {
    const figures = Object.fromEntries(
      measures.map((measure) => [measure, spreadOf(list.map((one) => one[measure]))]),
    ) as Record<Measure, Spread>;
    return {
      route: route.path,
      variant,
      runs: list.length,
      figures,
      ratios: {},
      lcpElement: list[0]?.lcpElement ?? '',
      worstShift: Math.max(...list.map(({ shift }) => shift)),
    };
  });
  const [single] = rows;
  for (const row of rows)
    for (const measure of measures) {
      const ratio = row.figures[measure].median / (single?.figures[measure].median ?? 0);
      row.ratios[measure] = Math.round(ratio * 1000) / 1000;
    }
  return rows;
}

function tableOf(rows: readonly Row[], runs: number): string {
  const milliseconds = ({ figures, ratios }: Row, measure: Measure) => {
    const { median, low, high } = figures[measure];
    return `${ratio(ratios[measure])} ${Math.round(median)} ms (${Math.round(low)}–${Math.round(high)})`;
  };
  const kilobytes = ({ figures, ratios }: Row, measure: Measure) =>
    `${ratio(ratios[measure])} ${(figures[measure].median / 1000).toFixed(1)} kB`;
  const ratio = (value: number | undefined) => (value === undefined ? '' : `**${value.toFixed(2)}**`);
  const lines = rows.map((row) =>
    [
      row.route,
      variantTitles[row.variant],
      `${row.figures.criticalRequests.median}`,
      `${row.figures.requestsUntilInteractive.median}`,
      kilobytes(row, 'bytesUntilInteractive'),
      kilobytes(row, 'bytes'),
      milliseconds(row, 'firstPaintMs'),
      milliseconds(row, 'lcpMs'),
      milliseconds(row, 'interactiveMs'),
      row.worstShift.toFixed(4),
    ].join(' | '),
  );
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

/** Returns the README's table: five ratios of this shop to one SPA of the same source, lowest and highest of the pages. */
function summaryOf(rows: readonly Row[]): string {
  const composed = rows.filter(({ variant }) => variant === 'composed');
  const columns: Array<[measure: Measure, title: string]> = [
    ['lcpMs', 'LCP'],
    ['firstPaintMs', 'first paint'],
    ['interactiveMs', 'interactive'],
    ['bytesUntilInteractive', 'bytes'],
    ['criticalRequests', 'requests in a chain'],
  ];
  const ranges = columns.map(([measure]) => {
    const values = composed.flatMap(({ ratios }) => ratios[measure] ?? []);
    return `${Math.min(...values).toFixed(2)}–${Math.max(...values).toFixed(2)}`;
  });
  return `| to one SPA = 1 | ${columns.map(([, title]) => title).join(' | ')} |
| --- | ${columns.map(() => '---').join(' | ')} |
| this shop, ${composed.length} pages | ${ranges.join(' | ')} |`;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void endAll().finally(() => process.exit(130)));
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(endAll)
  .then(() => process.exit());
