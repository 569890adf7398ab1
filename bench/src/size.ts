/** `npm run bench:size`: the size of each release on the wire (brotli 11). Writes bench/results/size.json and docs/performance.md, "Bytes". */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants as zlib } from 'node:zlib';
import type { ReleaseManifest } from '@platform/releases';
import { buildWorkspaces } from '../../scripts/build';
import { readOptions } from '../../scripts/setup/options.mjs';
import { saveResult, writeBetween } from './report/report';
import { type ScriptPart, shellParts } from './report/script-parts';

const help = `npm run bench:size -- [--check]

  --check  only say what is over its budget, and fail if anything is

Results: bench/results/size.json, docs/performance.md.`;

/** Bytes of brotli that `npm test` allows. `initial` is all that /home needs before it is interactive: shell, entry and page. */
const budgets = { initial: 174_200, entry: 10_000, page: 25_000, css: 12_000 };
/** Pictures that a shop starts with: modern formats, no larger than they are drawn. The brand is PNG, which other programs read too. */
const pictures = {
  folder: path.resolve(__dirname, '..', '..', 'server', 'seed', 'media'),
  formats: /\.(webp|avif|svg)$|^brand-/,
  largest: 30_000,
};

interface PageSize {
  page: string;
  js: number;
  css: number;
}

interface ReleaseSize {
  name: string;
  version: string;
  entry: number;
  initial: { js: number; css: number };
  pages: PageSize[];
  fonts: string[];
}

async function main(): Promise<void> {
  const { values } = readOptions(help, { options: { check: { type: 'boolean', default: false } } });
  const releases: ReleaseSize[] = [];
  for (const { directory } of await buildWorkspaces()) releases.push(sizeOf(directory));
  if (values.check) return check(releases);
  const parts = await shellParts(compressed);
  saveResult('size', { budgets, releases, parts });
  writeBetween('docs/performance.md', 'size', `\`npm run bench:size\`; ${tableOf(releases)}`);
  writeBetween('docs/performance.md', 'size:parts', partsTable(parts));
  console.log(`${tableOf(releases)}\n\n${partsTable(parts)}`);
}

/** What a first visit to a page needs of code and styles. */
const firstVisit = (shell: ReleaseSize, remote: ReleaseSize, page: PageSize) =>
  shell.initial.js + shell.initial.css + remote.entry + page.js + page.css;

function faultsOf(releases: readonly ReleaseSize[]): string[] {
  const faults: string[] = [];
  const hold = (what: string, bytes: number, budget: number) => {
    if (bytes > budget) faults.push(`${what}: ${bytes} bytes, budget ${budget}`);
  };
  const shell = releases.find(({ name }) => name === 'shell');
  for (const remote of releases) {
    for (const font of remote.fonts) faults.push(`${remote.name}: ${font} is a font, and the shop uses the device's`);
    if (remote.name === 'shell') continue;
    hold(`${remote.name}'s entry`, remote.entry, budgets.entry);
    for (const page of remote.pages) {
      hold(`${remote.name} ${page.page}`, page.js, budgets.page);
      hold(`styles of ${remote.name} ${page.page} with the shell's`, page.css + (shell?.initial.css ?? 0), budgets.css);
      if (shell && page.page === './home') hold('all of /home', firstVisit(shell, remote, page), budgets.initial);
    }
  }
  for (const file of readdirSync(pictures.folder).filter((name) => !name.endsWith('.json'))) {
    if (!pictures.formats.test(file)) faults.push(`${file} is not of a modern format`);
    hold(file, statSync(path.join(pictures.folder, file)).size, pictures.largest);
  }
  return faults;
}

function check(releases: readonly ReleaseSize[]): void {
  const faults = faultsOf(releases);
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
  else console.log(`Everything is within its budget (brotli): ${JSON.stringify(budgets)}`);
}

function compressed(content: Buffer): number {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT };
  return brotliCompressSync(content, { params }).length;
}

function sizeOf(dist: string): ReleaseSize {
  const manifest = JSON.parse(readFileSync(path.join(dist, 'release.json'), 'utf8')) as ReleaseManifest;
  const bytes = (files: readonly string[]) =>
    files.reduce((sum, file) => sum + compressed(readFileSync(path.join(dist, file))), 0);
  return {
    name: manifest.name,
    version: manifest.version,
    entry: bytes([manifest.entry]),
    initial: { js: bytes(manifest.initial.js), css: bytes(manifest.initial.css) },
    pages: Object.entries(manifest.exposes).map(([page, { js, css }]) => ({
      page,
      js: bytes(js.filter((file) => file !== manifest.entry)),
      css: bytes(css),
    })),
    fonts: Object.keys(manifest.files).filter((file) => /\.(woff2?|ttf|otf|eot)$/.test(file)),
  };
}

const kilobytes = (bytes: number, budget = Number.POSITIVE_INFINITY) =>
  `${(bytes / 1000).toFixed(1)}${bytes > budget ? ' **over**' : ''}`;

function tableOf(releases: readonly ReleaseSize[]): string {
  const shell = releases.find(({ name }) => name === 'shell');
  const remotes = releases.filter(({ name }) => name !== 'shell');
  const rows = remotes.flatMap((remote) =>
    remote.pages.map(
      (page) =>
        `| ${remote.name} | ${page.page} | ${kilobytes(remote.entry, budgets.entry)} | ${kilobytes(page.js, budgets.page)} | ${kilobytes(page.css, budgets.css)} | ${shell ? kilobytes(firstVisit(shell, remote, page), page.page === './home' ? budgets.initial : undefined) : ''} |`,
    ),
  );
  return `kB, brotli 11. The shell: ${kilobytes(shell?.initial.js ?? 0)} scripts, ${kilobytes(shell?.initial.css ?? 0, budgets.css)} styles.

| remote | page | entry | page's scripts | page's styles | all of code and styles |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

Budgets: entry ${budgets.entry / 1000}, scripts of a page ${budgets.page / 1000}, styles of a first page ${budgets.css / 1000}, /home in all ${budgets.initial / 1000}.`;
}

function partsTable(parts: readonly ScriptPart[]): string {
  const rows = parts.map((part) => `| ${part.name} | ${kilobytes(part.characters)} | ${kilobytes(part.compressed)} |`);
  return `\`npm run bench:size\`; kB of the shell's first script, minimised, and what the script compressed (brotli 11) loses without it.

| part | minimised | compressed |
| --- | --- | --- |
${rows.join('\n')}`;
}

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .then(() => process.exit(process.exitCode));
