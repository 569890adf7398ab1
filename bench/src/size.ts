/** `npm run bench:size`: the bytes of each release on the wire (brotli 11), compared with their budgets. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants as zlib } from 'node:zlib';
import type { ReleaseManifest } from '@platform/releases';
import { buildWorkspaces } from '../../scripts/build';
import { readOptions } from '../../scripts/setup/options.mjs';
import { report, writeHelp, writeOption } from './report';

/** `initial` is all that /home needs before it is interactive: code and styles of the shell, the entry and the page. */
const kinds = {
  initial: { budget: 175_600, title: 'code and styles of /home until it is interactive' },
  entry: { budget: 10_000, title: 'entry of a remote' },
  page: { budget: 25_000, title: 'scripts of a page' },
  css: { budget: 12_000, title: 'styles of a page with the shell’s' },
  picture: { budget: 30_000, title: 'picture of the demonstration' },
};

/** Images of the seed: modern formats, no larger than their display size. The brand image is PNG, which other programs can read too. */
const pictures = path.resolve(__dirname, '..', '..', 'server', 'seed', 'media');
const modernFormats = /\.(webp|avif|svg)$|^brand-/;

const help = `npm run bench:size -- [--write]

  ${writeHelp}

Prints the bytes of releases and pictures; exit code 1 when one is over its budget.`;

interface Size {
  kind: keyof typeof kinds;
  what: string;
  bytes: number;
}

async function main(): Promise<void> {
  const { values } = readOptions(help, { options: writeOption });
  const releases = (await buildWorkspaces()).map(({ directory }) => read(directory));
  const files = readdirSync(pictures).filter((name) => !name.endsWith('.json'));
  const sizes = [
    ...sizesOf(releases),
    ...files.map((what): Size => ({ kind: 'picture', what, bytes: statSync(path.join(pictures, what)).size })),
  ];
  report('bench:size', tableOf(sizes), values.write);
  const faults = [
    ...sizes
      .filter(({ kind, bytes }) => bytes > kinds[kind].budget)
      .map(({ kind, what, bytes }) => `${what}: ${bytes} bytes of ${kinds[kind].budget}`),
    ...fontsOf(releases),
    ...files.filter((file) => !modernFormats.test(file)).map((file) => `${file} is not of a modern format`),
  ];
  for (const fault of faults) console.error(fault);
  if (faults.length > 0) process.exitCode = 1;
}

function tableOf(sizes: readonly Size[]): string {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
  const rows = Object.entries(kinds).map(([kind, { budget, title }]) => {
    const largest = Math.max(...sizes.filter((size) => size.kind === kind).map(({ bytes }) => bytes));
    return `| ${title} | ${kilobytes(largest)} | ${kilobytes(budget)} |`;
  });
  return `Compressed by brotli, pictures as they are.\n\n| largest | size | limit |\n| --- | --- | --- |\n${rows.join('\n')}`;
}

interface Release {
  manifest: ReleaseManifest;
  bytes(files: readonly string[]): number;
}

function read(folder: string): Release {
  const params = { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT };
  const compressed = (file: string) => brotliCompressSync(readFileSync(path.join(folder, file)), { params }).length;
  return {
    manifest: JSON.parse(readFileSync(path.join(folder, 'release.json'), 'utf8')) as ReleaseManifest,
    bytes: (files) => files.reduce((sum, file) => sum + compressed(file), 0),
  };
}

function sizesOf(releases: readonly Release[]): Size[] {
  const shell = releases.find(({ manifest }) => manifest.name === 'shell');
  if (!shell) throw new Error('the shell is not among the releases');
  const initial = shell.manifest.initial;
  const shellCss = shell.bytes(initial.css);
  return releases
    .filter((release) => release !== shell)
    .flatMap(({ manifest: { name, entry, exposes }, bytes }) => {
      const pages = Object.entries(exposes).flatMap(([page, files]): Size[] => {
        const js = bytes(files.js.filter((file) => file !== entry));
        const css = shellCss + bytes(files.css);
        const all = shell.bytes(initial.js) + bytes([entry]) + js + css;
        const sizes: Size[] = [
          { kind: 'page', what: `${name} ${page}`, bytes: js },
          { kind: 'css', what: `styles of ${name} ${page} with the shell's`, bytes: css },
        ];
        return page === './home' ? [...sizes, { kind: 'initial', what: 'all of /home', bytes: all }] : sizes;
      });
      return [{ kind: 'entry', what: `${name}'s entry`, bytes: bytes([entry]) }, ...pages];
    });
}

const fontsOf = (releases: readonly Release[]) =>
  releases.flatMap(({ manifest: { name, files } }) =>
    Object.keys(files)
      .filter((file) => /\.(woff2?|ttf|otf|eot)$/.test(file))
      .map((file) => `${name}: ${file} is a font, and the shop uses the device's`),
  );

main()
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  })
  .then(() => process.exit(process.exitCode));
