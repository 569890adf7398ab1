/** `npm run api` writes the API reports of the entry points that squads import; `npm run api -- --check` only compares. */
import path from 'node:path';
import { entryPointsOf, updateReports } from '@platform/build/api-reports';
import { readOptions } from './setup/options.mjs';

const { values } = readOptions(
  'npm run api [-- --check]\n\nWrites the API reports of the entry points.\n  --check   only compares; exit code 1 when one is refused',
  { options: { check: { type: 'boolean' } } },
);
const root = path.resolve(__dirname, '..');
const entries = [...entryPointsOf(root, 'shared'), ...entryPointsOf(root, 'platform/releases', ['contract'])];
const project = 'scripts/tsconfig.types.json';
const faults = updateReports(entries, { root, project, check: values.check, say: console.log });
for (const fault of faults) console.error(fault);
process.exitCode = faults.length > 0 ? 1 : 0;
