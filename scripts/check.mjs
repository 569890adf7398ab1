#!/usr/bin/env node
/** `npm run check`: types, lint, format, import rules, and the words and links of documents, two at a time. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { installWhatIsMissing, requireNode, root } from './setup/install.mjs';
import { readOptions } from './setup/options.mjs';
import { workspacesIn } from './setup/workspaces.cjs';

requireNode();
readOptions(
  'npm run check\n\ntypes, lint, format, import rules, words and links of everything; exit code 1 when one fails',
);
await installWhatIsMissing();

const bin = (name) => path.join(root, 'node_modules', '.bin', name);
const workspaces = [...workspacesIn(root), 'scripts'].filter((name) =>
  existsSync(path.join(root, name, 'tsconfig.json')),
);
const imports = (rules) => ['--config', `scripts/imports/${rules}.cjs`, '--output-type', 'err-long', ...workspaces];
const steps = [
  // The longest first. All at once, since each workspace would check most of the others again.
  ['types', bin('tsc'), ['--noEmit', '-p', 'tsconfig.check.json']],
  ['lint and format', bin('biome'), ['check', '--error-on-warnings', '.']],
  ['imports of modules', bin('depcruise'), imports('modules')],
  ['imports of folders', bin('depcruise'), imports('folders')],
  ['unused files and exports', bin('knip'), ['--no-progress']],
  ['pages of links', process.execPath, ['--import', 'tsx', 'scripts/pages.ts', '--check']],
  ['words of code', process.execPath, ['scripts/words/check-code.mjs']],
  ['documents', process.execPath, ['scripts/words/check-documents.mjs']],
  // The types of the pages' service worker contradict the DOM's. The build's own JavaScript is checked, too.
  ...workspaces
    .filter((name) => name === 'platform/pages' || name === 'platform/build')
    .map((name) => [`types of ${name}`, bin('tsc'), ['--noEmit', '-p', name]]),
];

let failed = 0;
function run([what, command, args]) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => (output += error.message));
    child.on('close', (status) => {
      console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${what} (${Date.now() - started} ms)`);
      if (status !== 0) {
        failed += 1;
        console.log(output);
      }
      resolve();
    });
  });
}

async function worker() {
  for (let step = steps.shift(); step; step = steps.shift()) await run(step);
}
await Promise.all([worker(), worker()]);
process.exit(failed ? 1 : 0);
