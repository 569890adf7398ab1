/**
 * `npm run mutation`: how many small faults in what moves money, rights and releases the tests notice. Writes docs/mutation.md, and fails
 * where they are too few.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { postgresWithTemplates } from '../../server/test/support/global-setup';
import { readOptions } from '../setup/options.mjs';
import { isBelowGoal, LEAST_KILLED, saveResult, writeDocument } from './results';
import { mutateFunctions } from './sql';
import { mutateProgram } from './stryker';
import { targets } from './targets';

const { values, positionals } = readOptions(
  `npm run mutation [-- <part…>] [--sample <percent>]

Parts: ${targets.map(({ name }) => name).join(', ')}; without any: all.
  --sample  tries so many of 100 mutants, the same ones each time`,
  { options: { sample: { type: 'string', default: '100' } }, allowPositionals: true },
);
const sample = Number(values.sample);
const unknown = positionals.filter((name) => !targets.some((target) => target.name === name));
if (unknown.length > 0 || !(sample > 0 && sample <= 100)) {
  console.error(unknown.length > 0 ? `${unknown.join(', ')}: not a part.` : '--sample takes a number up to 100.');
  process.exit(2);
}
const wanted = targets.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

async function main(): Promise<void> {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'shop-mutation-'));
  // A PostgreSQL that root starts runs as another user, who must get there.
  chmodSync(scratch, 0o755);
  // A test that is ended leaves its files there.
  process.env.TMPDIR = scratch;
  // Ends what runs, which then ends this with its clean-up.
  process.once('SIGINT', () => {});
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const needsDatabase = wanted.some(({ kind }) => kind !== 'program');
  // A database of PostgreSQL is copied in a fraction of the time in which PGlite starts.
  const postgres = needsDatabase ? await postgresWithTemplates() : undefined;
  if (needsDatabase && !postgres) throw new Error('No initdb was found (PATH, /usr/lib/postgresql).');
  Object.assign(process.env, {
    NODE_ENV: 'test',
    SHOP_TEST_KINDS: 'postgres',
    SHOP_TEST_BOTH_KINDS: 'postgres',
    SHOP_TEST_POSTGRES: postgres?.folder ?? '',
  });
  try {
    for (const target of wanted) {
      const outcomes =
        target.kind === 'sql' ? await mutateFunctions(target, sample) : mutateProgram(target, sample, scratch);
      saveResult(target.name, outcomes, commit);
      console.log(writeDocument());
      if (!isBelowGoal(outcomes)) continue;
      console.error(`${target.name}: fewer than ${LEAST_KILLED} % of the mutants are killed, argued survivors aside.`);
      process.exitCode = 1;
    }
  } finally {
    await postgres?.stop();
    // A test that was interrupted may still write there.
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  }
}
main().catch((error: unknown) => {
  // Not left to Node: suites.ts passes over the rejections that tests leave behind.
  console.error(error);
  process.exitCode = 1;
});
