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

/** A process that listens until it is ended, and its port. */
async function listen(options: {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}): Promise<{ child: ChildProcess; port: number }> {
  const program =
    "const s = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log(s.address().port))";
  const child = spawn(process.execPath, ['-e', program], { ...options, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  const [line] = await once(child.stdout, 'data');
  return { child, port: Number(line) };
}

it('finds nothing where a run has cleaned up, and leaves what runs beside it', async () => {
  const beside = await listen({ cwd: os.tmpdir() });
  // A cache of a program that everybody's runs share.
  mkdirSync(path.join(folder, 'tsx-1000'));
  expect(await leftBehind(folder)).toEqual([]);
  expect(beside.child.exitCode ?? beside.child.signalCode).toBeNull();
});

it('ends and names processes that a run has left, with their ports, and what is in its folder', async () => {
  const names = ['shop-e2e-a1B2c3', 'shop-e2e-d4E5f6', 'npm-x7Y8z9'];
  for (const name of names) mkdirSync(path.join(folder, name));
  const left = await Promise.all([
    listen({ env: { ...process.env, TMPDIR: path.join(folder, 'of a part of it') } }),
    // As the processes that render pages.
    listen({ env: {}, cwd: path.join(folder, 'npm-x7Y8z9') }),
  ]);
  const ended = Promise.all(left.map(({ child }) => once(child, 'exit')));
  const found = await leftBehind(folder, { patienceMs: 0 });
  expect(found).toHaveLength(4);
  expect(found).toEqual(
    expect.arrayContaining([
      ...left.map(({ child, port }) =>
        expect.stringContaining(`process ${child.pid}, listening on ${port}: ${process.execPath}`),
      ),
      'temporary files: 1 × npm…',
      'temporary files: 2 × shop-e2e…',
    ]),
  );
  expect(await ended).toEqual([
    [null, 'SIGKILL'],
    [null, 'SIGKILL'],
  ]);
});
