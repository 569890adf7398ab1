#!/usr/bin/env node
/**
 * `node scripts/setup/busy.mjs <cores> <command…>`: runs a command beside that many busy cores, to check that tests do not depend
 * on a quiet machine. The loops are threads of this process, so they always end with it.
 */
import { spawn } from 'node:child_process';
import { Worker } from 'node:worker_threads';

const [cores, command, ...args] = process.argv.slice(2);
if (!(Number(cores) > 0) || !command) {
  console.error('node scripts/setup/busy.mjs <cores> <command…>');
  process.exit(2);
}
for (let core = 0; core < Number(cores); core += 1) new Worker('for (;;);', { eval: true });
const child = spawn(command, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(error.message);
  process.exit(127);
});
child.on('exit', (code) => process.exit(code ?? 1));
