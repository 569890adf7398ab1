/**
 * Builds a remote with Module Federation's own plugin and options that others use. Each build is accepted, or refused with what to
 * change. e2e/src/day-of-squads.test.ts runs one in the shop.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describeOfficialBuild } from '../../platform/releases/src/official-build';

const folder = mkdtempSync(path.join(tmpdir(), 'stock-remote-'));

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

const scope = { shareScope: 'react-19' };

it.each<[string, Options]>([
  ['the defaults', {}],
  ['a share scope of its own', { plugin: scope }],
  ['a share scope at the plugin and at each module', { plugin: scope, shared: scope }],
  ['requiredVersion ^18 || ^19', { react: { requiredVersion: '^18.0.0 || ^19.0.0' } }],
  ['shareStrategy loaded-first', { plugin: { shareStrategy: 'loaded-first' } }],
])('a remote of the official plugin with %s can be published', async (_, options) => {
  const name = `accepted_${Date.now()}`;
  expect(await describeOfficialBuild(build(name, options))).toMatchObject({ name: 'promo', container: name });
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
