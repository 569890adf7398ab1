import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { leftBehind } from './left-behind.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'left-behind-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

function start(options: { cwd?: string; env?: NodeJS.ProcessEnv }): ChildProcess {
  const child = spawn('sleep', ['600'], { ...options, stdio: 'ignore' });
  children.push(child);
  return child;
}

it('leftBehind ends and names the processes of a run, and leaves caches and other processes', async () => {
  const beside = start({ cwd: os.tmpdir() });
  for (const name of ['tsx-1000', 'shop-e2e-a1B2c3', 'shop-e2e-d4E5f6']) mkdirSync(path.join(folder, name));
  const left = [
    start({ env: { ...process.env, TMPDIR: folder } }),
    start({ cwd: path.join(folder, 'shop-e2e-a1B2c3') }),
  ];
  const ended = Promise.all(left.map((child) => once(child, 'exit')));
  expect((await leftBehind(folder, { patienceMs: 0 })).sort()).toEqual(
    [...left.map(({ pid }) => `process ${pid}: sleep 600`), 'temporary files: 2 × shop-e2e…'].sort(),
  );
  await ended;
  expect(beside.exitCode ?? beside.signalCode).toBeNull();
});
