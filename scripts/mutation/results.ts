import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { targets } from './targets';

const root = path.resolve(__dirname, '../..');
const resultsFile = path.join(root, 'docs/mutation.json');
const documentFile = path.join(root, 'docs/mutation.md');
/** Survivors that no test can notice or that do no harm, with the reason. */
const arguedFile = path.join(__dirname, 'argued-survivors.json');

/** A mutant, and whether a test noticed it. */
export interface Outcome {
  file: string;
  line: number;
  from: string;
  to: string;
  result: 'killed' | 'survived' | 'skipped';
}

interface Result {
  date: string;
  commit: string;
  mutants: number;
  tried: number;
  killed: number;
  survivors: Survivor[];
}
interface Survivor {
  file: string;
  line: number;
  change: string;
}
type ArguedSurvivor = Omit<Survivor, 'line'> & { why: string };

/** Per cent, of the mutants that a test could notice. */
export const LEAST_KILLED = 85;

const readJson = <T>(file: string, otherwise: T): T =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : otherwise;

/** Beside what other runs have found. */
export function saveResult(name: string, outcomes: Outcome[], commit: string): void {
  const results = readJson<Record<string, Result>>(resultsFile, {});
  const tried = outcomes.filter(({ result }) => result !== 'skipped');
  results[name] = {
    date: new Date().toISOString().slice(0, 10),
    commit,
    mutants: outcomes.length,
    tried: tried.length,
    killed: tried.filter(({ result }) => result === 'killed').length,
    survivors: tried.filter(({ result }) => result === 'survived').map(survivorOf),
  };
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
}

/** Whether too many are left that no line argues for. */
export function isBelowGoal(outcomes: Outcome[], argued = readArgued()): boolean {
  const killed = outcomes.filter(({ result }) => result === 'killed').length;
  const survived = outcomes.filter(({ result }) => result === 'survived').map(survivorOf);
  const missed = survived.filter((one) => !whyOf(one, argued)).length;
  return 100 * killed < LEAST_KILLED * (killed + missed);
}

const survivorOf = ({ file, line, from, to }: Outcome): Survivor => ({
  file,
  line,
  change: `${short(from)} → ${short(to)}`,
});
const readArgued = () => readJson<ArguedSurvivor[]>(arguedFile, []);
const whyOf = ({ file, change }: Survivor, argued: ArguedSurvivor[]) =>
  argued.find((one) => one.file === file && one.change === change)?.why;

function short(code: string): string {
  const line = code.replace(/\s+/g, ' ').trim() || 'nothing';
  return line.length > 90 ? `${line.slice(0, 60)} … ${line.slice(-25)}` : line;
}

/** Writes docs/mutation.md; gives its table. */
export function writeDocument(): string {
  const results = readJson<Record<string, Result>>(resultsFile, {});
  const argued = readArgued();
  const rows = targets.map(({ name }) => {
    const result = results[name];
    if (!result) return `| ${name} | not run yet | | | | | |`;
    const { mutants, tried, killed, survivors, date, commit } = result;
    const reasons = survivors.filter((one) => whyOf(one, argued)).length;
    const score = tried > 0 ? `${((100 * killed) / tried).toFixed(0)} %` : '';
    return `| ${name} | ${score} | ${killed} of ${tried} | ${mutants} | ${reasons} | ${survivors.length - reasons} | ${date}, ${commit} |`;
  });
  const table = [
    '| part | score | killed | mutants there are | survivors argued | not argued | run |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  const survivors = targets.flatMap(({ name }) => {
    const list = results[name]?.survivors ?? [];
    const lines = list.map((one) => `- ${one.file}:${one.line}: \`${one.change}\`${reasonOf(whyOf(one, argued))}`);
    return lines.length > 0 ? [`### ${name}\n\n${lines.join('\n')}`] : [];
  });
  writeFileSync(documentFile, `${introduction}\n${table}\n\n## Survivors\n\n${survivors.join('\n\n')}\n`);
  return table;
}

const reasonOf = (why: string | undefined) => (why ? `. ${why}` : '');

const introduction = `# Do the tests notice a fault?

Written by \`npm run mutation\` (scripts/mutation). A mutant is the program with one change: a condition turned round, a line left out. Stryker makes those of
programs, scripts/mutation/sql-mutants.ts those of database functions, which run on PostgreSQL. A mutant is killed when a test of its part fails (scripts/mutation/targets.ts), of
programs, in runs of 758c5ff9 and later, twice with it and not without it; the score is the share of those tried. Texts, schemas and what is read once for all tests are not changed. Where fewer were tried than there are, a sample was: the same for the same code.
`;
