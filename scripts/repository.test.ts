/** Rules about files of the whole repository that no compiler or linter checks. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readFlows } from '@platform/build/build-release';
import { flowFaults, type RemoteContract } from '@platform/releases';
import { scratch } from '@platform/releases/testing';
import { parse } from 'yaml';
import { configurationDocument, generated } from './configuration';
import { directoryOf, project } from './project';

const root = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const manifestOf = (folder: string) =>
  JSON.parse(read(`${folder}/package.json`)) as {
    name: string;
    version: string;
    entryPoints?: Record<string, string>;
  };

const packed = [
  'shared',
  'server',
  'scripts/create-shop-remote',
  ...['build', 'gate', 'pages', 'releases', 'watch'].map((name) => `platform/${name}`),
].map(manifestOf);
const versions = packed.flatMap(({ name, version, entryPoints = {} }) => [
  [name, version],
  ...Object.entries(entryPoints),
]);

it.each([...versions, ['@shop/tools', manifestOf('.').version]])(
  'CHANGELOG.md has an entry for %s %s',
  (name, version) => {
    expect(read('CHANGELOG.md')).toContain(`| \`${name}\` | ${version} |`);
  },
);

it('every document with a viewport lets the on-screen keyboard resize it, so that the keyboard covers no field', () => {
  const args = ['grep', '-h', 'name="viewport"', '--', '*.ts', '*.html', ':!*.test.ts', ':!bench'];
  const documents = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(documents.length).toBeGreaterThan(4);
  expect(documents.filter((line) => !line.includes('interactive-widget=resizes-content'))).toEqual([]);
});

/**
 * On a busy machine the expected event may come later, so a test waits for the event itself or controls the clock. `until` polls for
 * conditions that emit no event.
 */
it('no test waits for a number of milliseconds, and a timer that no test waits for has its reason in the line before', () => {
  const waits = String.raw`waitForTimeout\(|new Promise(<[^>]*>)?\(\(?\w+\)? => setTimeout\(\w+, *[1-9A-Za-z_]|\bsleep\([^)]|setTimeout\b.*timers/promises`;
  const places = [
    '*.test.ts',
    '*.test.tsx',
    '**/testing/**',
    '**/test/**',
    'e2e/src/*.ts',
    ':!scripts/repository.test.ts',
  ];
  const args = ['grep', '--untracked', '-nE', waits, '--', ...places];
  const found = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const fixed = found.filter((line) => {
    const [file = '', number] = line.split(':');
    return !/not a wait of the test: \S/i.test(read(file).split('\n')[Number(number) - 2] ?? '');
  });
  expect(fixed).toEqual([]);
});

interface Step {
  run?: string;
}
interface Job {
  needs?: string | string[];
  steps: Step[];
  strategy?: { matrix: { name?: string[] } };
}
const jobsOf = (file: string): Record<string, Job> => parse(read(file)).jobs;
const ci = jobsOf('.github/workflows/ci.yml');
const commandsOf = (job?: Job) => (job?.steps ?? []).flatMap(({ run }) => run ?? []);

it('the CI workflow releases the shell and every remote like the template, after tests and audit', () => {
  const names = readdirSync(root).flatMap((folder) => /^mfe-(.+)$/.exec(folder)?.[1] ?? []);
  expect(ci.release?.strategy?.matrix.name).toEqual(['shell', ...names.sort()]);
  expect(ci.release?.needs).toEqual(expect.arrayContaining(['test', 'audit']));
  const template = jobsOf('scripts/create-shop-remote/template/github/workflows/ci.yml').release;
  const releaseSteps = (job?: Job) =>
    commandsOf(job)
      .filter((command) => command.startsWith('npm run release -- ') && !/ build /.test(command))
      .map((command) => command.replace(/\$\{\{ matrix\.name \}\}|__name__/, '<name>'));
  const ours = releaseSteps(ci.release);
  expect(ours).toEqual(['npm run release -- publish <name>', 'npm run release -- promote <name> --canary auto']);
  expect(releaseSteps(template)).toEqual(ours);
});

it.each(Object.entries(generated))('npm run configuration has been run: %s is current', (file, content) => {
  expect(read(file)).toBe(content());
});

it('docs/operations/configuration.md contains only variables that a program reads', () => {
  const names = [...configurationDocument().matchAll(/^\| `([A-Z][A-Z0-9_]+)` /gm)].map(([, name = '']) => name);
  const places = ['server/src', 'backoffice/api/src', 'platform', 'scripts', ':!scripts/configuration.ts'];
  const args = ['grep', '-ohwE', '[A-Z][A-Z0-9_]{2,}', '--', ...places];
  const sources = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 });
  const words = new Set(sources.split('\n'));
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});

const workspaces = ['shared', 'shell', 'mfe-catalog', 'mfe-account', 'mfe-orders', 'mfe-content'];
const stylesOf = (workspace: string) =>
  readdirSync(path.join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => read(`${workspace}/src/${file}`))
    .join('\n');
const defined = (css: string) => [...css.matchAll(/(?<![\w-])(--[\w-]+)\s*:/g)].map(([, name]) => name);
const tokens = defined(read('shared/src/ui/tokens.css'));
const dynamic = ['--ui-picture-width', '--ui-picture-ratio', '--ui-scrollbar'];

// A browser silently drops a declaration with an unknown custom property, and no linter here checks across files.
it.each(workspaces)('%s uses only custom properties that it or the tokens define', (workspace) => {
  const css = stylesOf(workspace);
  const known = new Set([...tokens, ...dynamic, ...defined(css)]);
  const used = [...css.matchAll(/var\((--[\w-]+)\s*\)/g)].map(([, name]) => name);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

it.each(workspaces)('%s writes colours and layers as custom properties', (workspace) => {
  const declarations = stylesOf(workspace)
    .replace(/\/\*.*?\*\//gs, '')
    .matchAll(/(?<=[{;]\s*)([\w-]+):([^;{}]+);/g);
  const raw = [...declarations].filter(
    ([, property = '', value = '']) =>
      !property.startsWith('--') &&
      (/#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\(/i.test(value) || (property === 'z-index' && Number(value) > 2)),
  );
  expect(raw.map(([declaration]) => declaration)).toEqual([]);
});

interface Package {
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
}
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Package> };

/** The folder in which Node would find `name` for the package in `place`, by the lockfile. */
function resolve(place: string, name: string): string | undefined {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (!folder) return undefined;
  }
}

it('package-lock.json contains every optional package of every platform, so that npm ci works on each of them', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !resolve(place, name))
      .map((name) => `${place} names ${name}`),
  );
  expect(missing).toEqual([]);
});

it.each(['@biomejs/cli', '@rspack/binding', '@swc/core', '@esbuild/', '@img/sharp', '@node-rs/argon2'])(
  'package-lock.json has packages of %s for Linux, macOS and Windows on x64 and arm64',
  (prefix) => {
    const found = Object.entries(packages)
      .filter(([place]) => place.includes(`node_modules/${prefix}`))
      .flatMap(([, { os = [], cpu = [] }]) => os.flatMap((system) => cpu.map((processor) => `${system} ${processor}`)));
    const wanted = ['linux', 'darwin', 'win32'].flatMap((system) => [`${system} x64`, `${system} arm64`]);
    expect(found).toEqual(expect.arrayContaining(wanted));
  },
);

const { shell: _, ...remotes } = project.folders;
const contractOf = (name: string): RemoteContract => require(path.join(directoryOf(name), 'remote.json'));

it.each(Object.keys(project.folders))('readFlows returns the flows of %s, which name its own routes', (name) => {
  const routes = name === 'shell' ? null : contractOf(name).routes.map((route) => route.path);
  const flows = readFlows(directoryOf(name)) ?? [];
  expect(flows.length).toBeGreaterThan(0);
  expect(flowFaults(flows, routes)).toEqual([]);
});

it('readFlows returns no flows without a folder, and refuses a file that exports no list', async () => {
  const directory = await scratch();
  expect(readFlows(directory)).toBeUndefined();
  mkdirSync(path.join(directory, 'gate'));
  writeFileSync(path.join(directory, 'gate', 'empty.ts'), 'export const flows = [];\n');
  expect(() => readFlows(directory)).toThrow('must export a list of flows by default');
});

/** Each of these steps needs a phone that received a code, so an attacker cannot reach it cheaply from 200 networks. */
const OF_ACCOUNTS = ['sign-in', 'order', 'paid', 'code', 'recharge'];

it('a rule that can roll back a canary ends in a step that needs an account', () => {
  const rules = Object.keys(remotes).flatMap((name) => (contractOf(name).steps ?? []).filter(({ dryRun }) => !dryRun));
  expect(rules.length).toBeGreaterThan(0);
  expect(rules.filter(({ to }) => !OF_ACCOUNTS.includes(to))).toEqual([]);
});
