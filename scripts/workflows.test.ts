/** The CI workflow releases with the same commands as the template for squads outside this repository. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

interface Step {
  run?: string;
}
interface Job {
  needs?: string | string[];
  steps: Step[];
  strategy?: { matrix: { name?: string[] } };
}
const root = path.resolve(__dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
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
