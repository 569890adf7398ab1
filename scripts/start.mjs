#!/usr/bin/env node
/**
 * `npm start`: installs what is missing, then builds, publishes, migrates, seeds and serves (scripts/serve.ts). Plain
 * JavaScript without dependencies, because on a fresh clone nothing is installed yet.
 */
import { spawn } from 'node:child_process';
import { installWhatIsMissing, requireNode, root } from './setup/install.mjs';

requireNode();
await installWhatIsMissing();

const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/serve.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: process.env,
});
// The server handles these signals; this process waits for it, so that its shutdown completes.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
