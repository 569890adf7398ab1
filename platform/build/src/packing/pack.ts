/**
 * `npm run pack [-- <folder>]`: packs what a squad outside this repository installs (docs/squads.md) as files of npm, into
 * dist/packages by default. Packages hold sources, which the tools compile, and declarations with maps to them.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readOptions } from '../setup/options.mjs';
import { emitDeclarations, root, surfacesOf } from './declarations';

interface Manifest {
  name: string;
  version: string;
  exports?: Record<string, unknown>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  [field: string]: unknown;
}

const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(root, folder, 'package.json'), 'utf8')) as Manifest;

const own = readManifest('.');
const shared = readManifest('shared');
const release = readManifest('platform/releases');
const pages = readManifest('platform/pages');
const build = readManifest('platform/build');
const server = readManifest('server');

/** The versions of the lockfile, so that a squad builds and tests with what the shop does. */
function versionsOf(names: readonly string[]): Record<string, string> {
  const known = [server, release, pages, build, shared, own].reduce(merged, {});
  return Object.fromEntries(
    names.map((name) => {
      const version = known[name];
      if (!version) throw new Error(`no package.json names ${name}, which a packed package needs`);
      return [name, version];
    }),
  );
}
const merged = (all: Record<string, string>, { dependencies, devDependencies }: Manifest) => ({
  ...all,
  ...devDependencies,
  ...dependencies,
});

const platform = Object.fromEntries(
  [shared, release, pages, build, server]
    .map(({ name, version }) => [name, version])
    .concat([['@shop/tools', own.version]]),
);

const common = { license: own.license, engines: own.engines };
const isTest = (file: string) => /\.test\.tsx?$/.test(file);
const isTestFolder = (file: string) => /[\\/]testing$/.test(file);

/** Copies what is no test, below the same path. */
function copy(staged: string, from: string, leaveOut: (file: string) => boolean = () => false): void {
  const filter = (file: string) => !isTest(file) && !/[\\/](node_modules|dist)$/.test(file) && !leaveOut(file);
  cpSync(path.join(root, from), staged, { recursive: true, filter });
}

/** Copies declarations, whose maps then name the sources of the package. */
function copyDeclarations(emitted: string, types: string, sources: string | null, files: readonly string[]): void {
  for (const file of files) {
    const target = path.join(types, path.relative(emitted, file));
    mkdirSync(path.dirname(target), { recursive: true });
    const text = readFileSync(file, 'utf8');
    if (!sources) {
      writeFileSync(target, text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
      continue;
    }
    writeFileSync(target, text);
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
    const [source = ''] = map.sources;
    const original = path.join(sources, path.dirname(path.relative(emitted, file)), path.basename(source));
    writeFileSync(
      `${target}.map`,
      JSON.stringify({ ...map, sources: [path.relative(path.dirname(target), original)] }),
    );
  }
}

const declarationsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => path.join(folder, file));

/** './ui' → its source, and its declarations where there are some. */
function withTypes(exports: Record<string, unknown> = {}): Record<string, unknown> {
  const entries = Object.entries(exports).map(([key, file]) => {
    const isModule = typeof file === 'string' && /^\.\/src\/.*\.tsx?$/.test(file);
    return [
      key,
      isModule ? { types: file.replace('./src/', './types/').replace(/\.tsx?$/, '.d.ts'), default: file } : file,
    ];
  });
  return Object.fromEntries(entries);
}

function writeManifest(staged: string, manifest: Manifest): void {
  writeFileSync(path.join(staged, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}

function stageShared(staged: string, emitted: string): void {
  copy(path.join(staged, 'src'), 'shared/src');
  const from = path.join(emitted, 'shared', 'src');
  copyDeclarations(from, path.join(staged, 'types'), path.join(staged, 'src'), declarationsIn(from));
  const { devDependencies, scripts: _, private: __, ...manifest } = shared;
  const dependencies = { ...shared.dependencies, ...devDependencies, [server.name]: server.version };
  writeManifest(staged, { ...manifest, ...common, dependencies, exports: withTypes(shared.exports) });
}

function stageRelease(staged: string, emitted: string): void {
  copy(path.join(staged, 'README.md'), 'platform/releases/README.md');
  copy(path.join(staged, 'src'), 'platform/releases/src');
  const from = path.join(emitted, 'platform', 'releases', 'src');
  copyDeclarations(from, path.join(staged, 'types'), path.join(staged, 'src'), declarationsIn(from));
  const { devDependencies: _, scripts: __, private: ___, ...manifest } = release;
  const contract = withTypes({ './contract': release.exports?.['./contract'] });
  // Of the gate in a browser.
  const dependencies = { ...release.dependencies, ...versionsOf(['axe-core', 'playwright-core']) };
  writeManifest(staged, { ...manifest, ...common, dependencies, exports: { ...release.exports, ...contract } });
}

function stagePages(staged: string): void {
  copy(path.join(staged, 'README.md'), 'platform/pages/README.md');
  copy(path.join(staged, 'src'), 'platform/pages/src', isTestFolder);
  const { devDependencies: _, scripts: __, private: ___, ...manifest } = pages;
  writeManifest(staged, { ...manifest, ...common });
}

function stageBuild(staged: string): void {
  copy(path.join(staged, 'README.md'), 'platform/build/README.md');
  copy(path.join(staged, 'src'), 'platform/build/src');
  // A server that sends what was compiled before needs no compiler; who builds does.
  const { devDependencies, scripts: _, private: __, ...manifest } = build;
  writeManifest(staged, { ...manifest, ...common, dependencies: { ...build.dependencies, ...devDependencies } });
}

/** Of the server only the types of the wire. */
function stageServer(staged: string, emitted: string): void {
  const from = path.join(emitted, 'server', 'src');
  const [wire] = surfacesOf([path.join(from, 'wire.d.ts')]);
  copyDeclarations(from, path.join(staged, 'types'), null, wire?.files ?? []);
  writeManifest(staged, {
    name: server.name,
    version: server.version,
    description: 'The types of the API',
    ...common,
    exports: { './wire': { types: './types/wire.d.ts' }, './package.json': './package.json' },
    dependencies: versionsOf(['typebox']),
  });
}

const toolPackages = [
  '@rspack/core',
  '@swc/core',
  '@swc/jest',
  '@testing-library/dom',
  '@testing-library/jest-dom',
  '@types/jest',
  '@types/node',
  'jest',
  'jest-environment-jsdom',
  'jest-environment-node',
  'react',
  'tsx',
];
const notOfTools = ['packages', 'imports', 'create-shop-remote', 'stock-host', 'testing'];

function stageTools(staged: string): void {
  copy(path.join(staged, 'scripts'), 'scripts', (file) => notOfTools.includes(path.basename(file)));
  for (const file of ['rspack.base.js', 'jest.base.js', 'tsconfig.base.json']) copy(path.join(staged, file), file);
  const { '@shop/tools': _, ...others } = platform;
  writeManifest(staged, {
    name: '@shop/tools',
    version: own.version,
    description: 'Builds, tests, serves and releases a remote of the shop',
    ...common,
    bin: { 'shop-dev': './scripts/bin/shop-dev.mjs', 'shop-release': './scripts/bin/shop-release.mjs' },
    dependencies: { ...others, ...versionsOf(toolPackages) },
  });
}

/** What the made repository names besides the platform's packages. */
const remotePackages = [
  '@testing-library/dom',
  '@testing-library/jest-dom',
  '@testing-library/react',
  '@testing-library/user-event',
  '@types/jest',
  '@types/node',
  '@types/react',
  '@types/react-dom',
  'jest',
  'react',
  'react-dom',
];

function stageCreate(staged: string): void {
  copy(staged, 'scripts/create-shop-remote');
  const typescript = own.devDependencies?.['@typescript/native']?.split('@').at(-1);
  const versions = { platform, tools: { ...versionsOf(remotePackages), typescript } };
  writeFileSync(path.join(staged, 'versions.json'), `${JSON.stringify(versions, null, 2)}\n`);
  const { private: _, ...manifest } = readManifest('scripts/create-shop-remote');
  writeManifest(staged, manifest as Manifest);
}

/** Returns the packed files' absolute paths. */
export function pack(output: string): string[] {
  const scratch = mkdtempSync(path.join(tmpdir(), 'shop-pack-'));
  try {
    const emitted = path.join(scratch, 'declarations');
    emitDeclarations(emitted);
    const stages: Record<string, (staged: string) => void> = {
      shared: (staged) => stageShared(staged, emitted),
      releases: (staged) => stageRelease(staged, emitted),
      pages: stagePages,
      build: stageBuild,
      server: (staged) => stageServer(staged, emitted),
      tools: stageTools,
      'create-shop-remote': stageCreate,
    };
    const folders = Object.entries(stages).map(([name, stage]) => {
      const staged = path.join(scratch, name);
      mkdirSync(staged);
      stage(staged);
      return staged;
    });
    mkdirSync(output, { recursive: true });
    const windows = process.platform === 'win32';
    const args = ['pack', ...folders, '--pack-destination', output, '--json', '--ignore-scripts', '--loglevel=error'];
    const printed = execFileSync(windows ? 'npm.cmd' : 'npm', args, { cwd: scratch, encoding: 'utf8', shell: windows });
    return (JSON.parse(printed) as Array<{ filename: string }>).map(({ filename }) => path.join(output, filename));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

if (require.main === module) {
  const { positionals } = readOptions(
    'npm run pack [-- <folder>]\n\nPacks what a remote outside this repository needs; without a folder into dist/packages.',
    { allowPositionals: true },
  );
  for (const file of pack(path.resolve(positionals[0] ?? path.join(root, 'dist', 'packages')))) console.log(file);
}
