#!/usr/bin/env node
/**
 * `npm start`: installs missing packages, then builds, publishes, migrates, seeds and serves (scripts/serve.ts). It is plain
 * JavaScript without dependencies, because on a fresh clone nothing is installed yet.
 */
import { spawn } from 'node:child_process';
import { installWhatIsMissing, requireNode, root } from './setup/install.mjs';
import { readOptions } from './setup/options.mjs';

requireNode();
readOptions(
  `npm start [-- --demo]

Installs what is missing, builds, publishes, migrates and serves the shop.
  --demo         with the demonstration's catalogue, also in production
  PORT=8080      the shop's port   STAFF_PORT=8081  the port of the staff console
  DATA_DIR=.data the folder of everything that it keeps
  DATABASE_URL   a PostgreSQL, instead of the embedded database in DATA_DIR
The other settings are in docs/operations/configuration.md.`,
  { options: { demo: { type: 'boolean' } } },
);
await installWhatIsMissing();

const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/serve.ts', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: process.env,
});
// The server handles these signals; this process waits for it, so that its shutdown completes.
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
