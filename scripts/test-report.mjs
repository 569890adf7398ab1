/** Counts and durations out of the JSON reports of jest and Playwright Test. Durations are in milliseconds. */
import path from 'node:path';
import { root } from './setup/install.mjs';

const relative = (file) => path.relative(root, file).split(path.sep).join('/');

export function jestReport(report) {
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests + report.numTodoTests,
    // A file that could not even be loaded has no tests to count.
    failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
    tests: report.testResults.flatMap(({ name, assertionResults }) =>
      assertionResults.map(({ fullName, duration }) => ({
        file: relative(name),
        title: fullName,
        duration: duration ?? 0,
      })),
    ),
  };
}

export function playwrightReport({ config, errors, stats, suites }) {
  const testsOf = ({ specs = [], suites: nested = [] }, titles = []) => [
    ...specs.map(({ file, title, tests }) => ({
      file: relative(path.resolve(config.rootDir, file)),
      title: [...titles, title].join(' '),
      duration: tests.flatMap(({ results }) => results).reduce((sum, result) => sum + result.duration, 0),
    })),
    ...nested.flatMap((suite) => testsOf(suite, [...titles, suite.title])),
  ];
  return {
    passed: stats.expected,
    skipped: stats.skipped,
    // A test that passed only when it was repeated is a failure; so is an error outside of any test.
    failed: stats.unexpected + stats.flaky + errors.length,
    tests: suites.flatMap((suite) => testsOf(suite)),
  };
}

/** The ten slowest files and the ten slowest tests, as text. */
export function slowest(tests) {
  const byFile = new Map();
  for (const { file, duration } of tests) byFile.set(file, (byFile.get(file) ?? 0) + duration);
  const seconds = (duration) => `${(duration / 1000).toFixed(1).padStart(7)} s`;
  const top = (rows) => rows.sort(([, left], [, right]) => right - left).slice(0, 10);
  const lines = (rows) => top(rows).map(([name, duration]) => `${seconds(duration)}  ${name}`);
  return [
    'The ten slowest files:',
    ...lines([...byFile]),
    'The ten slowest tests:',
    ...lines(tests.map(({ file, title, duration }) => [`${file}: ${title}`, duration])),
  ].join('\n');
}
