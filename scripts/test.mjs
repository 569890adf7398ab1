#!/usr/bin/env node
/**
 * `npm test`: everything. Lint and types, units, releases (builds, store, gate and terminal as processes that are raced and killed,
 * on a folder and, where it can be had, a real bucket), server (PGlite and, where it is found, PostgreSQL), journeys in a real browser. Uses ports and data folders of its own, so it runs beside a running shop. The last line counts.
 * `npm test -- check|units|releases|server|journeys` runs a part.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { requireChromium } from './setup/chromium.mjs';
import { installWhatIsMissing, requireNode, root } from './setup/install.mjs';
import { requireNginx } from './setup/nginx.mjs';
import { radosgwBeside } from './setup/radosgw.mjs';

requireNode();
await installWhatIsMissing();

const parts = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const wants = (part) => parts.length === 0 || parts.includes(part);
const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-test-'));
const total = { passed: 0, failed: 0, skipped: 0 };

function run(what, command, args, env = {}) {
  const started = Date.now();
  console.log(`\n== ${what}`);
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } });
  console.log(`== ${what}: ${status === 0 ? 'ok' : 'FAILED'} in ${Math.round((Date.now() - started) / 1000)} s`);
  return status === 0;
}

function step(what, command, args, env) {
  if (run(what, command, args, env)) total.passed += 1;
  else total.failed += 1;
}

function jest(what, args, env = {}) {
  const output = path.join(scratch, `${what.replaceAll(' ', '-')}.json`);
  const ok = run(
    what,
    process.execPath,
    [path.join(root, 'node_modules/jest/bin/jest.js'), ...args, '--json', `--outputFile=${output}`, '--silent=false'],
    env,
  );
  const before = total.failed;
  if (existsSync(output)) {
    const result = JSON.parse(readFileSync(output, 'utf8'));
    total.passed += result.numPassedTests;
    total.skipped += result.numPendingTests;
    // A suite that could not even start has no tests to count, and has failed all the same.
    total.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
  }
  if (!ok && total.failed === before) total.failed += 1;
}

/** The store's suites run on a real bucket where there can be one; that it was left out is said and counted, never passed over. */
async function bucketForTests() {
  if (process.env.S3_TEST) return { env: {}, stop() {} };
  const bucket = await radosgwBeside();
  if (bucket.env) console.log('A real bucket (radosgw) is there for the units.');
  else if (bucket.broken) {
    console.error(`FAILED: no real bucket for the store's suites. ${bucket.reason}`);
    total.failed += 1;
  } else {
    console.log(`The store's suites run on a stand-in, NOT on a real bucket: ${bucket.reason}`);
    total.skipped += 1;
  }
  return bucket;
}

/** Without it the tests behind nginx say so on a desk; here, and so in CI, they must run. */
const nginx = wants('releases') || wants('server') || wants('journeys') ? requireNginx() : '';
if (nginx === null) total.failed += 1;
const withNginx = nginx ? { NGINX_PATH: nginx } : {};

if (wants('check')) {
  step('lint, format and types', process.execPath, ['scripts/check.mjs']);
  step('budgets of bytes', process.execPath, ['--import', 'tsx', 'bench/src/size.ts', '--check']);
}
const unitProjects = [
  'shared',
  'shell',
  'mfe-catalog',
  'mfe-account',
  'mfe-orders',
  'mfe-content',
  'release',
  'document',
  'scripts',
];
/** Suites that build, start and kill processes: seconds each, where a unit takes milliseconds. */
const ofReleases = ['release/src/store/', 'document/src/static-site/nginx', 'scripts/release/', 'scripts/build'];
if (wants('units')) {
  const left = ['/node_modules/', '/dist/', '/.data/', ...ofReleases].flatMap((part) => [
    '--testPathIgnorePatterns',
    part,
  ]);
  jest('units', ['--projects', ...unitProjects, '--maxWorkers=2', ...left]);
}
if (wants('releases')) {
  const bucket = await bucketForTests();
  jest(
    'releases',
    ['--projects', 'release', 'document', 'scripts', '--maxWorkers=2', '--testPathPatterns', ...ofReleases],
    {
      ...withNginx,
      ...bucket.env,
    },
  );
  bucket.stop();
}
if (wants('server')) jest('server', ['--projects', 'server', '--maxWorkers=2'], withNginx);
if (wants('journeys')) {
  const chromium = requireChromium();
  if (!chromium) total.failed += 1;
  else jest('journeys', ['--projects', 'e2e', '--runInBand'], { CHROME_PATH: chromium, ...withNginx });
}

rmSync(scratch, { recursive: true, force: true });
console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}`);
process.exit(total.failed ? 1 : 0);
