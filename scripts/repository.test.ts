/** Rules about files of the whole repository that no compiler or linter checks. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

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
