/** `npm run test:engines`: the journeys that move money and releases in other browsers' engines than Chromium's. */
import { spawnSync } from 'node:child_process';
import { engines, findEngine } from '../e2e/engines/find-engines';
import { root } from '../e2e/src/shop';
import { readOptions } from './setup/options.mjs';

const names = Object.keys(engines) as Array<keyof typeof engines>;
const { positionals } = readOptions(
  `npm run test:engines [-- ${names.join(' | ')}]

Runs e2e/engines in ${names.join(' and ')}, or in one of them. It installs nothing: it says what is missing and how to get it.`,
  { allowPositionals: true },
);
const unknown = positionals.filter((name) => !names.some((known) => known === name));
if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: not an engine. Engines: ${names.join(', ')}.`);
  process.exit(2);
}
const wanted = names.filter((name) => positionals.length === 0 || positionals.includes(name));
const missing = wanted.flatMap((name) => {
  try {
    findEngine(name);
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
});
if (missing.length > 0) {
  console.error(missing.join('\n'));
  process.exit(1);
}
const cli = 'node_modules/@playwright/test/cli.js';
const projects = wanted.flatMap((name) => ['--project', name]);
const { status } = spawnSync(process.execPath, [cli, 'test', '-c', 'e2e/engines', ...projects], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(status ?? 1);
