import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Outcome } from './results';
import type { Target } from './targets';

const root = path.resolve(__dirname, '../..');
const strykerCli = path.join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');

/** Of the report that Stryker writes: https://github.com/stryker-mutator/mutation-testing-elements */
interface Report {
  files: Record<string, { source: string; mutants: ReportedMutant[] }>;
}
interface ReportedMutant {
  status: string;
  replacement: string;
  location: Record<'start' | 'end', { line: number; column: number }>;
}

const outcomeOf: Record<string, Outcome['result']> = {
  Killed: 'killed',
  Timeout: 'killed',
  Survived: 'survived',
  NoCoverage: 'survived',
  CompileError: 'skipped',
};

/** Mutants of a program. `sample`: how many of 100 are tried. */
export function mutateProgram(target: Target, sample: number, scratch: string): Outcome[] {
  const report = path.join(scratch, `${target.name}-report.json`);
  const config = path.join(scratch, `${target.name}.json`);
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'suites',
      plugins: ['suites-runner.mjs', 'sample-checker.mjs'].map((name) => path.join(__dirname, name)),
      coverageAnalysis: 'perTest',
      checkers: sample < 100 ? ['sample'] : [],
      // Tables of constants, schemas and routes: read once for all tests, each of which would have to run for each of their mutants.
      ignoreStatic: true,
      mutate: [...target.mutate, '!**/*.test.ts', '!**/*.schemas.ts'],
      // Texts. Codes among them are typed.
      mutator: { excludedMutations: ['StringLiteral'] },
      // A test reads the table of prices in docs/product.md.
      ignorePatterns: ['/e2e', '/bench', '/docs/*', '!/docs/product.md', '/mfe-*', '/shell', '/deploy'],
      // It would change files by whose hash jest's cache is found.
      disableTypeChecks: false,
      symlinkNodeModules: false,
      buildCommand: 'node scripts/mutation/link-node-modules.mjs',
      cleanTempDir: 'always',
      concurrency: 1,
      timeoutMS: 300_000,
      dryRunTimeoutMinutes: 30,
      reporters: ['json', 'progress-append-only'],
      jsonReporter: { fileName: report },
      allowConsoleColors: false,
    }),
  );
  const { status } = spawnSync(process.execPath, [strykerCli, 'run', config], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTATION_TESTS: target.tests.join(','), MUTATION_SAMPLE: String(sample) },
  });
  if (status !== 0) throw new Error(`Stryker failed at ${target.name}`);
  const { files } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return Object.entries(files).flatMap(([file, { source, mutants }]) =>
    mutants.flatMap((mutant) => {
      const result = outcomeOf[mutant.status];
      return result ? [{ file, line: mutant.location.start.line, ...changeOf(source, mutant), result }] : [];
    }),
  );
}

/** What stood there, and what stands there instead. */
function changeOf(source: string, { location: { start, end }, replacement }: ReportedMutant) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = (lines.at(-1) as string).slice(0, end.column - 1);
  lines[0] = (lines[0] as string).slice(start.column - 1);
  return { from: lines.join('\n'), to: replacement };
}
