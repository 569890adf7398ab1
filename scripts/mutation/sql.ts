import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withNumbers } from '../../server/src/platform/db/named-numbers';
import { atDatabase, calledFunctions, dropTestDatabases } from './databases';
import type { Outcome } from './results';
import { mutantsOf } from './sql-mutants';
import { durationOf, type Suite, type SuiteResult, Suites } from './suites';
import type { Target } from './targets';

const root = path.resolve(__dirname, '../..');
const functions = 'server/src/platform/db/functions';
/** The database that each suite's own is a copy of (server/test/support/global-setup.ts). */
const TEMPLATE = 'shop_goods';
const runner = new Suites();

/** Mutants of database functions, each applied to the template and tried by the suites that call its function. */
export async function mutateFunctions(target: Target, sample: number): Promise<Outcome[]> {
  const suites = target.tests.flatMap((file) => loaded.get(file) ?? load(file));
  await findCalls(suites);
  suites.sort((a, b) => durationOf(a) - durationOf(b));
  const files = target.mutate.flatMap((folder) =>
    readdirSync(path.join(root, functions, folder)).map((name) => `${functions}/${folder}/${name}`),
  );
  const outcomes: Outcome[] = [];
  for (const file of files) {
    const original = readFileSync(path.join(root, file), 'utf8');
    const callers = suites.filter((suite) => calls.get(suite)?.has(path.basename(file, '.sql')));
    // One that is inlined into a statement is not counted where it is called.
    const tests = callers.length > 0 ? callers : suites;
    for (const { text, ...mutant } of mutantsOf(original)) {
      const isChosen =
        createHash('sha256').update(`${file}${mutant.line}${text}`).digest().readUInt32BE() % 100 < sample;
      if (isChosen && !(await applies(text))) continue;
      const killer = isChosen && (await failureOf(tests));
      const result = !isChosen ? 'skipped' : killer ? 'killed' : 'survived';
      outcomes.push({ file, ...mutant, result });
      if (isChosen)
        console.log(
          `${result}: ${file}:${mutant.line} ${mutant.from.trim()} → ${mutant.to}${killer ? `  (${killer})` : ''}`,
        );
    }
    if (!(await applies(original))) throw new Error(`${file} does not apply`);
  }
  const failure = await failureOf(suites);
  if (failure) throw new Error(`a mutant has left something behind: ${failure}`);
  return outcomes;
}

const loaded = new Map<string, Suite[]>();
function load(file: string): Suite[] {
  const suites = runner.load(file);
  loaded.set(file, suites);
  return suites;
}

/** Names of the functions that each suite calls. */
const calls = new Map<Suite, Set<string>>();

/** All suites must pass. */
async function findCalls(suites: Suite[]): Promise<void> {
  // Not in one script, which is a transaction.
  await atDatabase('postgres', (db) => db.script("alter system set track_functions = 'all'"));
  // A mutant may make a loop that never ends.
  await atDatabase('postgres', (db) => db.script("alter system set statement_timeout = '60s'"));
  await atDatabase('postgres', (db) => db.script('select pg_reload_conf()'));
  for (const suite of suites.filter((one) => !calls.has(one))) {
    const { tests, failure } = await run(suite);
    if (failure) throw new Error(`${failure.test} fails without a mutant: ${failure.message}`);
    suite.tests = new Map(tests.map(({ name, ms }) => [name, ms]));
    calls.set(suite, await calledFunctions());
    await dropTestDatabases();
  }
}

/** The test that noticed the mutant. */
async function failureOf(suites: Suite[]): Promise<string | undefined> {
  for (const suite of [...suites].sort((a, b) => Number(b === lastFailed) - Number(a === lastFailed))) {
    const { failure } = await run(suite);
    await dropTestDatabases();
    if (!failure) continue;
    lastFailed = suite;
    return failure.test;
  }
}
/** Is likely to notice the next mutant too, which is near. */
let lastFailed: Suite | undefined;

function run(suite: Suite): Promise<SuiteResult> {
  if (isInterrupted) throw new Error('interrupted');
  return runner.run(suite);
}
let isInterrupted = false;
process.once('SIGINT', () => {
  isInterrupted = true;
});

/** Whether it is SQL. A function of PL/pgSQL that is none would fail at its first call, and every test of it would. */
async function applies(text: string): Promise<boolean> {
  try {
    await atDatabase(TEMPLATE, (db) => db.script(withNumbers(text)));
    return true;
  } catch {
    return false;
  }
}
