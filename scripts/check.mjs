#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installWhatIsMissing, requireNode, root } from './setup/install.mjs';

requireNode();
await installWhatIsMissing();

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const projects = [
  'shared',
  'shell',
  'mfe-catalog',
  'mfe-account',
  'mfe-orders',
  'mfe-content',
  'release',
  'document',
  'server',
  'e2e',
  'bench',
  'scripts',
];
const steps = [
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  ...projects
    .filter((name) => existsSync(path.join(root, name, 'tsconfig.json')))
    .map((name) => [`types of ${name}`, bin('tsc'), ['--noEmit', '-p', name]]),
];

let failed = 0;
for (const [what, command, args] of steps) {
  const started = Date.now();
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const ok = status === 0;
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${what} (${Date.now() - started} ms)`);
  if (!ok) {
    failed += 1;
    console.log(`${stdout}${stderr}`);
  }
}
process.exit(failed ? 1 : 0);
