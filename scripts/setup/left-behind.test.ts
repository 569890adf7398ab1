import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { leftBehind } from './left-behind.mjs';

const folder = mkdtempSync(path.join(os.tmpdir(), 'left-behind-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('ends and names processes that a run has left, with what they have left in its folder', async () => {
  for (const name of ['shop-e2e-a1B2c3', 'shop-e2e-d4E5f6', 'npm-x7Y8z9']) mkdirSync(path.join(folder, name));
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
    env: { ...process.env, TMPDIR: path.join(folder, 'of a part of it') },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  await once(child.stdout, 'data');
  const { processes, folders } = await leftBehind(folder, { patienceMs: 0 });
  expect(processes).toEqual([expect.stringMatching(new RegExp(`^process ${child.pid}: .*setInterval`))]);
  expect(folders.sort()).toEqual(['1 × npm…', '2 × shop-e2e…']);
  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await leftBehind(folder)).toMatchObject({ processes: [] });
});
