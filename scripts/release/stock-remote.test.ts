/**
 * Builds a remote with Module Federation's own plugin and options that others use. Each build either runs with the React of the
 * share scope that it gets, or is refused with what to change.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { entryPoints } from '@shop/shared/package.json';
import { version } from 'react/package.json';
import { describeOfficialBuild } from '../../platform/releases/src/official-build';

const folder = mkdtempSync(path.join(tmpdir(), 'stock-remote-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Options {
  plugin?: Record<string, unknown>;
  react?: Record<string, unknown>;
  shared?: Record<string, unknown>;
}

function build(name: string, options: Options): string {
  const output = path.join(folder, name);
  const args = [path.join(__dirname, 'testing/stock-remote.cjs'), output, name, JSON.stringify(options)];
  execFileSync(process.execPath, args, { stdio: 'pipe' });
  return output;
}

/** Runs the container as the shell does. Returns the names of the modules that it takes from the share scope. */
async function run(name: string, output: string): Promise<string[]> {
  const page = createContext({ URL, console, setTimeout, clearTimeout, location: { href: 'http://localhost/promo' } });
  const execute = (file: string) => runInContext(readFileSync(path.join(output, file), 'utf8'), page);
  const appendChild = (element: { src?: string; onload?(event: object): void }) => {
    setTimeout(() => {
      if (element.src) execute(path.basename(new URL(element.src).pathname));
      element.onload?.({ type: 'load' });
    });
  };
  const element = (tagName: string) => ({ tagName, setAttribute() {}, removeAttribute() {}, getAttribute: () => null });
  const document = {
    currentScript: { tagName: 'SCRIPT', src: 'http://localhost/r/promo/1/remoteEntry.js' },
    head: { appendChild },
    createElement: element,
    getElementsByTagName: () => [],
    querySelectorAll: () => [],
  };
  Object.assign(page, { document: { ...document, defaultView: page }, window: page, self: page });
  const taken: string[] = [];
  const provide = (module: string, version: string) => ({
    [module]: { [version]: { version, scope: ['default'], get: () => () => taken.push(module) && {} } },
  });
  const scope = {
    ...provide('react', version),
    ...provide('react/jsx-runtime', version),
    ...provide('@shop/shared/session', entryPoints.session),
    ...provide('@shop/shared/router', entryPoints.router),
  };
  execute('remoteEntry.js');
  const container = runInContext(name, page) as {
    init(scope: unknown): unknown;
    get(page: string): Promise<() => unknown>;
  };
  await container.init(scope);
  (await container.get('./promo'))();
  return taken.sort();
}

const scope = { shareScope: 'react-19' };

it.each<[string, Options]>([
  ['the defaults', {}],
  ['a share scope of its own', { plugin: scope }],
  ['a share scope at the plugin and at each module', { plugin: scope, shared: scope }],
  ['requiredVersion ^18 || ^19', { react: { requiredVersion: '^18.0.0 || ^19.0.0' } }],
  ['shareStrategy loaded-first', { plugin: { shareStrategy: 'loaded-first' } }],
])('a remote of the official plugin with %s runs with the shared React', async (_, options) => {
  const name = `accepted_${expect.getState().assertionCalls}_${Date.now()}`;
  const output = build(name, options);
  expect(await describeOfficialBuild(output)).toMatchObject({ name: 'promo', container: name });
  expect(await run(name, output)).toEqual([
    '@shop/shared/router',
    '@shop/shared/session',
    'react',
    'react/jsx-runtime',
  ]);
});

it.each<[string, Options, string]>([
  [
    'a share scope at the modules only',
    { shared: scope },
    'is in the share scope "react-19", but the container is not: set shareScope at the top level of the plugin, too',
  ],
  ['a share scope at React only', { react: scope }, '" is in the share scope "react-19", but the container is not'],
  [
    'treeShaking of all modules',
    { shared: { treeShaking: { mode: 'runtime-infer' } } },
    'the shell provides shared modules whole: remove treeShaking from shared',
  ],
  ['treeShaking of React', { react: { treeShaking: { mode: 'server-calc' } } }, 'remove treeShaking from shared'],
  [
    'a React that is no singleton',
    { react: { singleton: false } },
    'the page would run a second React: add react: { singleton: true } to shared',
  ],
  ['no shared modules', { plugin: { shared: {} } }, 'the page would run a second React'],
])('a remote of the official plugin with %s is refused with what to change', async (_, options, sentence) => {
  await expect(describeOfficialBuild(build(`refused_${Date.now()}`, options))).rejects.toThrow(sentence);
});
