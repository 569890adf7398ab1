#!/usr/bin/env node
/**
 * Finds tests and test helpers that wait for a fixed number of milliseconds. On a busy machine the expected event may come later,
 * so a test waits for the event itself (`scripts/jest/until.ts` polls for conditions that emit no event), or controls the clock.
 * A timer that no test waits for, such as that of a fixture page, has its reason in the line before: "Not a wait of the test: …".
 * Exit code 1 when there is another.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../setup/install.mjs';

const WAITS = String.raw`waitForTimeout\(|new Promise(<[^>]*>)?\(\(?\w+\)? => setTimeout\(\w+, *[1-9A-Za-z_]|\bsleep\([^)]|setTimeout\b.*timers/promises`;
const PLACES = ['*.test.ts', '*.test.tsx', '**/testing/**', '**/test/**', 'e2e/src/*.ts'];
const REASON = /not a wait of the test: \S/i;

const { status, stdout, stderr } = spawnSync('git', ['grep', '--untracked', '-nE', WAITS, '--', ...PLACES], {
  cwd: root,
  encoding: 'utf8',
});
if (status > 1) throw new Error(stderr);
const found = stdout.split('\n').filter((line) => {
  const [file, number] = line.split(':');
  return number && !REASON.test(readFileSync(path.join(root, file), 'utf8').split('\n')[number - 2] ?? '');
});
if (found.length > 0) {
  console.error(found.join('\n'));
  console.error(`${found.length} waits for a number of milliseconds: wait for the event itself`);
  process.exitCode = 1;
}
