/** `npm run api` writes the API reports of the entry points; `npm run api -- --check` only compares. Exit code 1 when one is refused. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readOptions } from '../setup/options.mjs';
import { entryPoints, refusal, reportsOf } from './api-reports';
import { root } from './declarations';

const { values } = readOptions(
  'npm run api [-- --check]\n\nWrites the API reports of the entry points.\n  --check   only compares; exit code 1 when one is refused',
  { options: { check: { type: 'boolean' } } },
);
const entries = entryPoints();
const faults: string[] = [];
for (const [index, now] of reportsOf(entries).entries()) {
  const entry = entries[index];
  if (!entry) continue;
  const file = path.join(root, entry.report);
  const committed = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  const refused = refusal(entry, committed, now);
  if (refused) faults.push(refused);
  else if (committed === now) continue;
  else if (values.check) faults.push(`${entry.report} is not of this source: run npm run api`);
  else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, now);
    console.log(`wrote ${entry.report}`);
  }
}
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
