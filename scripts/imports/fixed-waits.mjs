#!/usr/bin/env node
/**
 * Finds tests, and helpers of browser tests, that wait for a number of milliseconds. On a busy machine what they wait for has not come
 * by then: a test waits for the event itself, or owns the clock. Exit code 1 when there is one too many.
 */
import { spawnSync } from 'node:child_process';

/** Older ones. Lower it with each that goes; it never rises. */
const ALLOWED = 22;
const WAITS = String.raw`waitForTimeout\(|new Promise(<[^>]*>)?\(\(?\w+\)? => setTimeout\(\w+, *[1-9A-Za-z_]|\bsleep\([^)]`;

const args = ['grep', '--untracked', '-nE', WAITS, '--', '*.test.ts', '*.test.tsx', 'e2e/src/*.ts'];
const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8' });
if (status > 1) throw new Error(stderr);
const found = stdout.split('\n').filter(Boolean);
if (found.length > ALLOWED) {
  console.error(found.join('\n'));
  console.error(`${found.length} waits for a number of milliseconds, at most ${ALLOWED}: wait for the event itself`);
  process.exitCode = 1;
}
