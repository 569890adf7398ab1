import path from 'node:path';
import { jestReport, playwrightReport, slowest } from './test-report.mjs';

const root = path.resolve(__dirname, '..');

it('counts a file that jest could not load as failed', () => {
  const report = jestReport({
    numPassedTests: 1,
    numFailedTests: 0,
    numPendingTests: 1,
    numTodoTests: 0,
    numRuntimeErrorTestSuites: 1,
    testResults: [
      { name: path.join(root, 'shell/src/a.test.ts'), assertionResults: [{ fullName: 'shell opens', duration: 12 }] },
    ],
  });
  expect(report).toMatchObject({ passed: 1, failed: 1, skipped: 1 });
  expect(report.tests).toEqual([{ file: 'shell/src/a.test.ts', title: 'shell opens', duration: 12 }]);
});

it('counts a flaky end-to-end test and an error outside of tests as failed', () => {
  const spec = { file: 'pages.test.ts', title: 'shows /home', tests: [{ results: [{ duration: 900 }] }] };
  const report = playwrightReport({
    config: { rootDir: path.join(root, 'e2e/src') },
    errors: [{ message: 'global setup failed' }],
    stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 },
    suites: [{ title: 'pages.test.ts', specs: [], suites: [{ title: 'pages', specs: [spec] }] }],
  });
  expect(report).toMatchObject({ passed: 3, failed: 3, skipped: 2 });
  expect(report.tests).toEqual([{ file: 'e2e/src/pages.test.ts', title: 'pages shows /home', duration: 900 }]);
});

it('lists the ten slowest files and tests, slowest first', () => {
  const tests = Array.from({ length: 12 }, (_, index) => ({
    file: `${index % 2 ? 'odd' : 'even'}.test.ts`,
    title: `test ${index}`,
    duration: index * 1000,
  }));
  const lines = slowest(tests).split('\n');
  expect(lines.slice(0, 4)).toEqual([
    'The ten slowest files:',
    '   36.0 s  odd.test.ts',
    '   30.0 s  even.test.ts',
    'The ten slowest tests:',
  ]);
  expect(lines.slice(4)).toHaveLength(10);
  expect(lines[4]).toBe('   11.0 s  odd.test.ts: test 11');
});
