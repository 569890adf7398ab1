import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './install.mjs';

const PARTS = [
  [
    'check',
    'lint, format, import rules, words and types; budgets of bytes',
    ['lint, format, imports and types', 'budgets of bytes'],
  ],
  [
    'units, releases',
    'tests of pages, packages and scripts; builds, store, gate and commands as processes',
    ['units and releases'],
  ],
  ['server', 'tests of the server and the back office on a database', ['server']],
  ['e2e', 'journeys in Chromium', ['e2e']],
];

/** Writes the seconds of a run of all parts between the markers in CONTRIBUTING.md. Throws if a part did not run. */
export function recordTestTimes(seconds) {
  const rows = PARTS.map(([part, what, runs]) => {
    const missing = runs.filter((run) => seconds[run] === undefined);
    if (missing.length > 0) throw new Error(`--record needs a run of all parts; ${missing.join(', ')} did not run`);
    return `| ${part} | ${what} | ${runs.reduce((sum, run) => sum + seconds[run], 0)} |`;
  });
  const table = ['| part | what it runs | seconds |', '| --- | --- | --- |', ...rows].join('\n');
  const machine = `${os.availableParallelism()} cores, ${new Date().toISOString().slice(0, 10)}.`;
  const file = path.join(root, 'CONTRIBUTING.md');
  const markers = /(<!-- test-times -->\n)[\s\S]*(<!-- \/test-times -->)/;
  writeFileSync(file, readFileSync(file, 'utf8').replace(markers, `$1${table}\n\n${machine}\n$2`));
}
