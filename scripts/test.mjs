#!/usr/bin/env node
/**
 * `npm test`: runs the tests that a push must pass, part by part; each part uses two or three processes. It has its own ports and
 * data folders, so it works beside a running shop. The last line has the totals.
 *
 *   check     lint, format, import rules, types and the size budgets
 *   units     shared, shell, remotes, platform, scripts
 *   releases  builds, store, gate and commands as processes; they start bundlers, browsers and nginx
 *   server    on PostgreSQL if it is installed, else PGlite
 *   e2e       in Chromium
 *
 * `npm test -- units server` runs some parts, and `--shard 1/2` the first half of their files. `npm test -- --changed` runs what the
 * changes since main, or since the commit that TEST_BASE names, affect (scripts/affected.mjs).
 *
 * The tests of scripts/nightly.json run at night: `--night` runs only these, `--changed` those of a folder that changed. `--full`
 * (`npm run test:full`) runs everything, also on the second database, and the store on a real bucket, which S3_TEST names
 * (scripts/setup/radosgw.sh). Both run long tests with their full counts, which are a tenth otherwise (scripts/jest/test-scale.ts).
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { affectedSince, mergeBase, nightly, PARTS } from './affected.mjs';
import { installWhatIsMissing, requireNode, root } from './setup/install.mjs';
import { leftBehind } from './setup/left-behind.mjs';
import { readOptions } from './setup/options.mjs';
import { requireProgram } from './setup/programs.mjs';
import { workspacesIn } from './setup/workspaces.cjs';

const { values, positionals } = readOptions(
  `npm test [-- <part…>] [--changed] [--night] [--full] [--shard <n>/<all>] [--record]

Runs the tests of a push, or some parts: ${PARTS.join(', ')}.
  --changed  what the changes since main affect, committed or not
  --night    only the tests of scripts/nightly.json
  --full     all tests, with their whole counts and a real bucket: scripts/setup/radosgw.sh npm run test:full
  --shard    one share of the test files of each part
  --record   writes how long the parts took into CONTRIBUTING.md`,
  {
    options: {
      changed: { type: 'boolean' },
      night: { type: 'boolean' },
      full: { type: 'boolean' },
      shard: { type: 'string' },
      record: { type: 'boolean' },
    },
    allowPositionals: true,
  },
);
const unknown = positionals.filter((part) => !PARTS.includes(part));
if (unknown.length > 0) {
  console.error(
    `${unknown.join(', ')}: not a part of the tests. Parts: ${PARTS.join(', ')}; options: --changed, --night, --full.`,
  );
  process.exit(2);
}

requireNode();
await installWhatIsMissing();

const affected = values.changed ? affectedSince(process.env.TEST_BASE || mergeBase()) : null;
const touched = affected?.parts ?? PARTS;
const wants = (part) => touched.includes(part) && (positionals.length === 0 || positionals.includes(part));
const isLong = values.full || values.night;
/** Paths of nightly tests that this run leaves out. */
const leftOut = isLong ? [] : nightly.filter((row) => !affected?.nightly.includes(row)).map(({ tests }) => tests);
const onlyNight = values.night ? nightly.map(({ tests }) => tests) : [];
const shard = values.shard ? [`--shard=${values.shard}`] : [];

const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-test-'));
/** The tests' temporary folder. Its files are removed at the end, and processes that use it are ended. */
const temporary = path.join(scratch, 'tmp');
mkdirSync(temporary);
// PostgreSQL runs as another user when root starts it, and that user needs access.
chmodSync(scratch, 0o755);
process.env.TMPDIR = temporary;
// Chromium has no sandbox as root, and the releases of tests are harmless.
if (process.getuid?.() === 0) process.env.GATE_SANDBOX ??= 'off';
// A whole run keeps the machine busy, so its tests get the long limits of jest.base.js.
if (!affected) process.env.CI ??= '1';
const scale = isLong ? { TEST_FULL: '1' } : {};
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const FAILURE_LINES = 14;
const seconds = {};

function run(what, args, env = {}) {
  const started = Date.now();
  console.log(`\n== ${what}`);
  const { status } = spawnSync(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...scale, ...env },
  });
  seconds[what] = Math.round((Date.now() - started) / 1000);
  console.log(`== ${what}: ${status === 0 ? 'ok' : 'FAILED'} in ${seconds[what]} s`);
  return status === 0;
}

function step(what, args) {
  if (run(what, args)) total.passed += 1;
  else total.failed += 1;
}

/** A test runner, counted by the JSON report that it writes. */
function suite(what, args, env, output, read) {
  const ok = run(what, args, env);
  const report = existsSync(output) ? read(JSON.parse(readFileSync(output, 'utf8'))) : null;
  for (const state of ['passed', 'failed', 'skipped']) total[state] += report?.[state] ?? 0;
  for (const { test, message = '' } of report?.failures ?? []) {
    const lines = stripVTControlCharacters(message).trim().split('\n').slice(0, FAILURE_LINES);
    failures.push([`${what}: ${test}`, ...lines].join('\n    '));
  }
  // The runner ended without a report, or failed without a failed test.
  if (!ok && !report?.failed) total.failed += 1;
}

const jestReport = (report) => ({
  passed: report.numPassedTests,
  skipped: report.numPendingTests + report.numTodoTests,
  // A file that could not be loaded has no tests to count.
  failed: report.numFailedTests + report.numRuntimeErrorTestSuites,
  failures: report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [{ test: path.relative(root, name), message }];
    return failed.map(({ fullName, failureMessages }) => ({ test: fullName, message: failureMessages[0] }));
  }),
});

const specsOf = ({ suites = [], specs = [] }) => [...specs, ...suites.flatMap(specsOf)];

const playwrightReport = ({ errors, stats, suites }) => ({
  passed: stats.expected,
  skipped: stats.skipped,
  // A test that passed only on a retry is a failure, and so is an error outside of any test.
  failed: stats.unexpected + stats.flaky + errors.length,
  failures: [
    ...errors.map(({ message }) => ({ test: 'outside of any test', message })),
    ...specsOf({ suites }).flatMap(({ title, ok, tests }) =>
      ok
        ? []
        : tests.flatMap(({ results }) =>
            results.flatMap((result) => result.errors.map(({ message }) => ({ test: title, message }))),
          ),
    ),
  ],
});

/** As a regular expression of jest and Playwright for absolute paths. */
const patternOf = (place) => path.join(root, place).replace(/[.+*?()[\]{}|^$\\]/g, '\\$&');

/** One worker more than CI has cores, because many tests wait for other processes or a browser. */
function jest(what, projects, ignored = []) {
  const wanted = projects.filter((name) => !affected || name === 'scripts' || affected.workspaces.includes(name));
  const output = path.join(scratch, `${what}.json`);
  const cli = 'node_modules/jest/bin/jest.js';
  const options = ['--maxWorkers=3', '--passWithNoTests', '--json', `--outputFile=${output}`, ...shard];
  if (affected?.base) options.push(`--changedSince=${affected.base}`);
  const leaves = ['/node_modules/', '/dist/', '/.data/', ...ignored, ...leftOut.map(patternOf)];
  const only = values.night ? ['--testPathPatterns', ...onlyNight.map(patternOf)] : [];
  const args = [cli, '--projects', ...wanted, '--testPathIgnorePatterns', ...leaves, ...only, ...options];
  suite(what, args, withNginx, output, jestReport);
}

function playwright(what, env) {
  const output = path.join(scratch, `${what}.json`);
  const cli = 'node_modules/@playwright/test/cli.js';
  const only = onlyNight.filter((place) => place.startsWith('e2e/')).map(patternOf);
  if (values.night && only.length === 0) return;
  const settings = { ...env, PLAYWRIGHT_JSON_OUTPUT_NAME: output, TESTS_LEFT_OUT: leftOut.join(' ') };
  suite(what, [cli, 'test', '-c', 'e2e', ...only, ...shard], settings, output, playwrightReport);
}

/**
 * The initial state of the browser tests, made while the server's tests start and a core is idle. undefined if it fails: they
 * then make it themselves and report why that fails.
 */
async function templateForBrowserTests() {
  const folder = path.join(scratch, 'template');
  const args = ['--import', 'tsx', 'e2e/src/global-setup.ts', folder];
  const [status] = await once(spawn(process.execPath, args, { cwd: root, stdio: 'ignore' }), 'exit');
  return status === 0 ? folder : undefined;
}

/** The rows of the table in CONTRIBUTING.md, each with the runs whose seconds it adds. */
const TIMED_RUNS = {
  check: ['lint, format, imports and types', 'budgets of bytes'],
  'units, releases': ['units and releases'],
  server: ['server'],
  e2e: ['e2e'],
};

/** Writes the seconds of a run of all parts into the table of CONTRIBUTING.md. Throws if a part did not run. */
function recordTestTimes() {
  const file = path.join(root, 'CONTRIBUTING.md');
  let text = readFileSync(file, 'utf8');
  for (const [part, runs] of Object.entries(TIMED_RUNS)) {
    const missing = runs.filter((run) => seconds[run] === undefined);
    if (missing.length > 0) throw new Error(`--record needs a run of all parts; ${missing.join(', ')} did not run`);
    const row = new RegExp(`^(\\| ${part} \\| .*) \\d+ \\|$`, 'm');
    text = text.replace(row, `$1 ${runs.reduce((sum, run) => sum + seconds[run], 0)} |`);
  }
  const machine = `${os.availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}.`;
  writeFileSync(file, text.replace(/^\d+ cores, \d{4}-\d\d-\d\d\.$/m, machine));
}

/** `npx jest` alone skips the tests behind nginx if there is none; here they must run. */
const nginx = ['releases', 'server', 'e2e'].some(wants) ? requireProgram('nginx') : '';
const chromium = ['releases', 'e2e'].some(wants) ? requireProgram('chromium') : '';
// The server's tests run on PGlite if there is no PostgreSQL.
if (wants('server')) requireProgram('initdb');
total.failed += [nginx, chromium].filter((path) => path === null).length;
const withNginx = nginx ? { NGINX_PATH: nginx } : {};

if (wants('check') && !values.night) {
  step('lint, format, imports and types', ['scripts/check.mjs']);
  if (touched.includes('releases')) step('budgets of bytes', ['--import', 'tsx', 'bench/src/size.ts']);
}

/** These tests share databases, which are created once. */
const ofServer = ['server', 'backoffice/api'];
const projects = [...workspacesIn(root), 'scripts'].filter(
  (name) => !ofServer.includes(name) && name !== 'e2e' && existsSync(path.join(root, name, 'jest.config.js')),
);
if (wants('releases') && values.full && !process.env.S3_TEST) {
  console.error("FAILED: no real bucket for the store's tests: scripts/setup/radosgw.sh npm run test:full");
  total.failed += 1;
}
/** Tests that start a bundler, a browser or nginx, or read the built releases. */
const ofReleases = [
  'platform/build/src/',
  'platform/pages/src/serving/nginx',
  'platform/releases/src/official-build',
  'platform/releases/src/store/',
  'scripts/build',
  'scripts/dev',
  'scripts/image/',
  'scripts/release/',
  'scripts/scope-styles',
  'scripts/staff-size',
];
// Both in one run: units use the cores while tests of releases wait for browsers and processes.
const together = ['units', 'releases'].filter(wants);
if (together.length > 0) {
  const others = { units: ofReleases.map(patternOf), releases: [`^(?!(${ofReleases.map(patternOf).join('|')}))`] };
  jest(together.join(' and '), projects, together.length === 1 ? others[together[0]] : []);
}
// Only if the size budgets have built everything before: two processes would build into one folder.
const template = positionals.length === 0 && !affected && !values.night ? templateForBrowserTests() : undefined;
if (wants('server')) jest('server', ofServer);
if (wants('e2e') && chromium) {
  const made = await template;
  playwright('e2e', { ...withNginx, ...(made ? { E2E_TEMPLATE_DIR: made } : {}) });
}

const left = await leftBehind(temporary);
rmSync(scratch, { recursive: true, force: true });
if (left.length > 0) {
  console.error(`\nFAILED: tests left this behind, which is ended and removed now:\n  ${left.join('\n  ')}`);
  total.failed += 1;
}
if (failures.length > 0) console.log(`\nFailed:\n\n${failures.join('\n\n')}`);
if (values.record) recordTestTimes();
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed ? 1 : 0);
