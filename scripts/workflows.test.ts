/** The workflows of CI agree with each other, with the commands that they run and with the one that squads outside are given. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Step {
  if?: string;
  uses?: string;
  run?: string;
  with?: Record<string, string>;
}
interface Job {
  needs?: string | string[];
  name?: string;
  if?: string;
  steps: Step[];
  strategy?: { matrix: { name?: string[] } };
}
const root = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const jobsOf = (file: string): Record<string, Job> => parse(read(file)).jobs;
const ci = jobsOf('.github/workflows/ci.yml');
const nightly = jobsOf('.github/workflows/nightly.yml');
const commandsOf = (job?: Job) => (job?.steps ?? []).flatMap(({ run }) => run ?? []);

it('releases the shell and every remote as a squad outside does, after tests and audit', () => {
  const names = readdirSync(root).flatMap((folder) => /^mfe-(.+)$/.exec(folder)?.[1] ?? []);
  expect(ci.release?.strategy?.matrix.name).toEqual(['shell', ...names.sort()]);
  expect(ci.release?.needs).toEqual(expect.arrayContaining(['test', 'audit']));
  const template = jobsOf('scripts/create-shop-remote/template/github/workflows/ci.yml').release;
  const releaseSteps = (job?: Job) =>
    commandsOf(job)
      .filter((command) => command.startsWith('npm run release -- ') && !/ build /.test(command))
      .map((command) => command.replace(/\$\{\{ matrix\.name \}\}|__name__/, '<name>'));
  const ours = releaseSteps(ci.release);
  expect(ours.length).toBeGreaterThan(1);
  expect(ours).toEqual(releaseSteps(template));
});

it('gates a release once: promote runs the gate', () => {
  const template = jobsOf('scripts/create-shop-remote/template/github/workflows/ci.yml').release;
  const commands = commandsOf(template).filter((command) => command.startsWith('npm run release -- '));
  expect(commands).toEqual([
    'npm run release -- publish __name__',
    'npm run release -- promote __name__ --canary auto',
  ]);
});

it('has one check for branch protection, which fails when a job before a release failed or was cancelled', () => {
  const job = ci['tests-passed'];
  const before = Object.keys(ci).filter((name) => name !== 'tests-passed' && name !== 'release');
  expect(job).toMatchObject({ name: 'all tests passed', needs: before, if: 'always()' });
  const [step] = job?.steps ?? [];
  expect(step).toEqual({
    if: "contains(needs.*.result, 'failure') || contains(needs.*.result, 'cancelled')",
    run: 'exit 1',
  });
});

it.each([
  ['ci', ci.test],
  ['nightly', nightly.full],
  ['nightly beside other work', nightly.shared],
])('%s keeps traces and pictures of browser tests that fail', (_, job) => {
  const upload = job?.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact@'));
  const config = read('e2e/playwright.config.ts');
  expect(upload?.with?.path).toBe(`e2e/${/outputDir: '([^']+)'/.exec(config)?.[1]}`);
  expect(config).toMatch(/trace: .*'retain-on-failure'/);
  expect(config).toMatch(/screenshot: 'only-on-failure'/);
});
