import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { connectPostgres } from '../../server/src/platform/db/database';
import { withNumbers } from '../../server/src/platform/db/named-numbers';
import { postgresUrl } from '../../server/test/support/postgres';
import type { Outcome } from './results';
import { mutantsOf } from './sql-mutants';
import type { Target } from './targets';

const root = path.resolve(__dirname, '../..');
const functions = 'server/src/platform/db/functions';
/** For tests that wait for each other without an end; generous, on a busy machine. */
const HANG_MS = 600_000;
/** The database that each suite's own is a copy of (server/test/support/global-setup.ts). */
const TEMPLATE = 'shop_goods';

/** Mutants of database functions, each applied to the template and tried by the tests that call its function. */
export async function mutateFunctions(target: Target, sample: number): Promise<Outcome[]> {
  const callers = await callersByFunction(target.tests);
  const files = target.mutate.flatMap((folder) =>
    readdirSync(path.join(root, functions, folder)).map((name) => `${functions}/${folder}/${name}`),
  );
  const outcomes: Outcome[] = [];
  for (const file of files) {
    const original = readFileSync(path.join(root, file), 'utf8');
    // One that is inlined into a statement is not counted where it is called.
    const tests = callers.get(path.basename(file, '.sql')) ?? target.tests;
    for (const { text, ...mutant } of mutantsOf(original)) {
      const isChosen =
        createHash('sha256').update(`${file}${mutant.line}${text}`).digest().readUInt32BE() % 100 < sample;
      if (isChosen && !(await applies(text))) continue;
      const result = isChosen ? (passes(tests) ? 'survived' : 'killed') : 'skipped';
      outcomes.push({ file, ...mutant, result });
      if (result !== 'skipped') console.log(`${result}: ${file}:${mutant.line} ${mutant.from.trim()} → ${mutant.to}`);
    }
    if (!(await applies(original))) throw new Error(`${file} does not apply`);
  }
  return outcomes;
}

/** Names of the functions that each test calls. */
const calledBy = new Map<string, Set<string>>();

/** The tests that call each function, in the order of `tests`. All must pass. */
async function callersByFunction(tests: string[]): Promise<Map<string, string[]>> {
  // Not in one script, which is a transaction.
  await atDatabase('postgres', (db) => db.script("alter system set track_functions = 'all'"));
  await atDatabase('postgres', (db) => db.script('select pg_reload_conf()'));
  for (const test of tests.filter((one) => !calledBy.has(one))) {
    const before = await databases();
    if (!passes([test])) throw new Error(`${test} fails without a mutant`);
    const own = (await databases()).filter((name) => !before.includes(name));
    calledBy.set(test, new Set((await Promise.all(own.map(calledFunctions))).flat()));
  }
  const callers = new Map<string, string[]>();
  for (const test of tests)
    for (const name of calledBy.get(test) ?? []) callers.set(name, [...(callers.get(name) ?? []), test]);
  return callers;
}

const calledFunctions = (database: string) =>
  atDatabase(database, async (db) =>
    (await db.rows<{ funcname: string }>('select distinct funcname from pg_stat_user_functions where calls > 0')).map(
      ({ funcname }) => funcname,
    ),
  );

const databases = () =>
  atDatabase('postgres', async (db) =>
    (await db.rows<{ datname: string }>('select datname from pg_database')).map(({ datname }) => datname),
  );

/** Whether it is SQL. A function of PL/pgSQL that is none would fail at its first call, and every test of it would. */
async function applies(text: string): Promise<boolean> {
  try {
    await atDatabase(TEMPLATE, (db) => db.script(withNumbers(text)));
    return true;
  } catch {
    return false;
  }
}

async function atDatabase<T>(
  name: string,
  work: (db: Awaited<ReturnType<typeof connectPostgres>>) => Promise<T>,
): Promise<T> {
  const db = await connectPostgres(postgresUrl(process.env.SHOP_TEST_POSTGRES as string, name), { max: 1 });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

function passes(tests: string[]): boolean {
  const { status, signal } = spawnSync(
    process.execPath,
    ['node_modules/jest/bin/jest.js', '--config', 'scripts/mutation/jest.config.js', '--runInBand'],
    {
      cwd: root,
      stdio: 'ignore',
      timeout: HANG_MS,
      env: { ...process.env, MUTATION_TESTS: tests.join(',') },
    },
  );
  if (signal === 'SIGINT') throw new Error('interrupted');
  return status === 0;
}
