/**
 * `npm run bench:feel`: how the shop responds once it is loaded: page changes, taps and scrolls over a list of a thousand rows.
 * Writes docs/performance.md, "Pages".
 */
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { launchBrowser } from '../../e2e/src/browser';
import { startShop } from '../../e2e/src/shop';
import { readOptions } from '../../scripts/setup/options.mjs';
import { changes } from './feel/changes';
import { filters, taps } from './feel/taps';
import { type Figure, type Rig, slowdown } from './feel/visitor';
import { signIn } from './measure/sign-in';
import { root, saveResult, writeBetween } from './report/report';

const parts: Record<string, (rig: Rig) => Promise<Figure[]>> = {
  change: changes,
  filters,
  taps,
};

const help = `npm run bench:feel -- [--only ${Object.keys(parts).join(',')}] [--share 0.2] [--no-docs]

  --only     some parts; the others keep the figures of their last run. All of them take about four minutes
  --share    of the changes, taps and visits, for a short look; never written to the docs
  --no-docs  leave bench/results and docs/performance.md as they are`;

/** As bench/results/feel.json holds it: a part keeps its figures until it is run again. */
type Results = Record<string, { date: string; figures: Figure[] }>;

function known(): Results {
  const file = path.join(root, 'bench', 'results', 'feel.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Results) : {};
}

const digits = { ms: 0, ratio: 3, count: 0, floor: 2 };

function row({ what, value, goal, unit, of }: Figure, date: string): string {
  const in_ = { ms: ' ms', ratio: '', count: '', floor: ' × floor' }[unit];
  return `| ${what} | ${value.toFixed(digits[unit])}${in_} | ${goal}${in_}${value > goal ? ' **missed**' : ''} | ${of} | ${date} |`;
}

function table(results: Results, chromium: string): string {
  const rows = Object.keys(parts).flatMap((name) =>
    (results[name]?.figures ?? []).map((figure) => row(figure, results[name]?.date ?? '')),
  );
  return `\`npm run bench:feel\`; processor slowed ${slowdown} times unless a row says otherwise, ${os.cpus().length} cores, Chromium ${chromium}.
Floor: p95 of the same gesture on a page with one button and one paragraph, in the same run.

| | measured | goal | of | on |
| --- | --- | --- | --- | --- |
${rows.join('\n')}`;
}

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: {
      only: { type: 'string', default: Object.keys(parts).join(',') },
      share: { type: 'string', default: '1' },
      'no-docs': { type: 'boolean', default: false },
    },
  });
  const wanted = values.only.split(',');
  const unknown = wanted.find((name) => !parts[name]);
  if (unknown) throw new Error(`--only knows ${Object.keys(parts).join(', ')}, not "${unknown}"`);

  const share = Number(values.share);
  if (!(share > 0 && share <= 1)) throw new Error(`--share is above 0 and at most 1, not "${values.share}"`);
  const isShort = values['no-docs'] || share < 1;
  const shop = await startShop();
  const browser = await launchBrowser({ full: true, flags: ['--ignore-certificate-errors'] });
  const results: Results = isShort ? {} : known();
  try {
    const { token } = await signIn(shop);
    for (const name of wanted) {
      const endings: Array<() => Promise<unknown> | unknown> = [];
      const started = Date.now();
      try {
        const figures = (await parts[name]?.({ shop, browser, token, share, later: (end) => endings.push(end) })) ?? [];
        results[name] = { date: new Date().toISOString().slice(0, 10), figures };
        for (const { what, value, of } of figures) process.stderr.write(`${what}: ${value.toFixed(3)} (${of})\n`);
      } catch (error) {
        // The other parts are measured all the same; this one keeps no figure that it has not earned.
        delete results[name];
        process.exitCode = 1;
        process.stderr.write(`${name} failed: ${error instanceof Error ? error.message : error}\n`);
      } finally {
        for (let end = endings.pop(); end; end = endings.pop()) await Promise.resolve(end()).catch(() => {});
      }
      process.stderr.write(`${name}: ${Math.round((Date.now() - started) / 1000)} s\n`);
    }
    const text = table(results, browser.version());
    console.log(text);
    if (isShort) return;
    saveResult('feel', results);
    writeBetween('docs/performance.md', 'feel', text);
  } finally {
    await browser.close().catch(() => {});
    await shop.stop();
  }
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .finally(() => process.exit());
