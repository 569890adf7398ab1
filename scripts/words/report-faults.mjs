import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../setup/install.mjs';

/** Prints the faults of the tracked and new files in these places, or in those that the command names, and sets the exit code. */
export function reportFaults(places, isChecked, faultsOf) {
  const chosen = process.argv.length > 2 ? process.argv.slice(2) : places;
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...chosen];
  const files = spawnSync('git', list, { cwd: root, encoding: 'utf8' }).stdout.split('\n');
  const faults = files
    .filter((file) => isChecked(file) && existsSync(path.join(root, file)))
    .flatMap((file) => faultsOf(file, readFileSync(path.join(root, file), 'utf8')));
  if (faults.length === 0) return;
  console.error(`${faults.join('\n')}\n${faults.length} faults`);
  process.exitCode = 1;
}
