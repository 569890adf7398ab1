import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { commandsIn } from './documented-commands';
import { COMMANDS } from './release/commands';
import { helpOf } from './release/main';

const root = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const template = 'scripts/create-shop-remote/template';
const documents = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter(Boolean);

interface Manifest {
  scripts?: Record<string, string>;
}
const scriptsOf = (file: string) => (JSON.parse(read(file)) as Manifest).scripts ?? {};
const ofRepository = scriptsOf('package.json');
const ofRemote = scriptsOf(`${template}/package-template.json`);

/** Options of `npm run <script> -- …`, by name. */
const optionsIn = (line: string) => [...line.matchAll(/(?<=\s)--([a-z][a-z-]*)/g)].map(([, name = '']) => name);

function faultOf(line: string): string {
  const {
    script,
    workspace,
    args = '',
  } = /^(?:\w+=\S+ |\S+\.sh )*npm (?:run (?:-s )?)?(?<script>[\w:-]+)(?: -w (?<workspace>\S+))?(?: -- (?<args>.*))?/.exec(
    line,
  )?.groups ?? {};
  if (!script || ['install', 'ci', 'create', 'audit', 'publish', 'sbom'].includes(script)) return '';
  if (script === 'release') return faultOfRelease(args);
  const scripts = workspace ? scriptsOf(`${workspace}/package.json`) : { ...ofRemote, ...ofRepository };
  const run = scripts[script];
  if (!run) return `there is no script ${script}${workspace ? ` in ${workspace}` : ''}`;
  const own = ({ 'shop-dev': 'scripts/dev.ts', 'shop-release': 'scripts/release.ts' } as Record<string, string>)[run];
  const file = own ?? /\S+\.(?:ts|mjs)/.exec(run)?.[0].replace(/^(\.\.\/)+/, '');
  // The shop's own commands say what they take when they are run.
  if (!file || script === 'shop') return '';
  const source = existsSync(path.join(root, file)) ? read(file) : '';
  const unknown = optionsIn(` ${args}`).filter((name) => !new RegExp(`\\b${name}'?: \\{|--${name}\\b`).test(source));
  return unknown.map((name) => `${file} has no option --${name}`).join(', ');
}

function faultOfRelease(args: string): string {
  const [command = '', ...rest] = args.match(/"[^"]*"|\S+/g) ?? [];
  if (!command || command.startsWith('--')) return '';
  if (!COMMANDS[command]) return `there is no release command ${command}`;
  const known = new Set(optionsIn(helpOf(command)));
  const unknown = optionsIn(` ${rest.join(' ')}`).filter((name) => !known.has(name));
  return unknown.map((name) => `${command} has no option --${name}`).join(', ');
}

const namedIn = (markdown: string) => [
  ...commandsIn(markdown),
  ...[...markdown.matchAll(/`((?:npm|scripts\/\S+\.sh npm) [^`]+)`/g)].flatMap(([, line = '']) => line.split(' && ')),
];

it.each(documents)('%s names only commands and options that there are', (file) => {
  const commands = namedIn(read(file)).filter((line) => /(^|\s)npm /.test(line));
  expect(commands.flatMap((line) => (faultOf(line) ? [`${line}: ${faultOf(line)}`] : []))).toEqual([]);
});

it('every command of npm run release stands in a document', () => {
  const text = documents.map(read).join('\n');
  const missing = Object.keys(COMMANDS).filter((name) => !new RegExp(`npm run (-s )?release -- ${name}\\b`).test(text));
  expect(missing).toEqual([]);
});

it('the programs of the made remote are those that its tools bring', () => {
  const packed = read('scripts/pack.ts');
  for (const program of Object.values(ofRemote).flatMap((run) => /^shop-\w+/.exec(run) ?? []))
    expect(packed).toContain(`'${program}': './scripts/bin/${program}.mjs'`);
});
