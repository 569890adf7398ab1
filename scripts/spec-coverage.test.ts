/** docs/spec-coverage.md cannot lie: each file and each test that it names exists, and no cell is empty. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const page = readFileSync(path.join(root, 'docs/spec-coverage.md'), 'utf8');

interface Row {
  section: string;
  statement: string;
  where: string;
  proof: string;
}

/** The rows of every table, by the section that they stand in. */
function rowsOf(markdown: string): Row[] {
  let section = '';
  const rows: Row[] = [];
  for (const line of markdown.split('\n')) {
    section = /^## (\S+)/.exec(line)?.[1] ?? section;
    if (!line.startsWith('| ') || line.startsWith('| Statement')) continue;
    const [statement = '', where = '', proof = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    rows.push({ section, statement, where, proof });
  }
  return rows;
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** True when the file declares a test, a table of tests or a group of exactly this name, and does not skip it. */
function declares(file: string, name: string): boolean {
  const source = readFileSync(path.join(root, file), 'utf8').replace(/\\'/g, "'");
  return new RegExp(`(?:\\b(?:it|test|describe)|\\))\\(\\s*(['"\`])${escaped(name)}\\1`).test(source);
}

const rows = rowsOf(page);

it('speaks of every section of the specification', () => {
  const sections = new Set(rows.map((row) => row.section));
  expect([...sections]).toEqual(['1.', '2.', '3.', '4.', '5.', '6.', '7.', '8.', '9.']);
  expect(rows.length).toBeGreaterThan(120);
});

it('says of every statement where it lives and what proves it', () => {
  const empty = rows.filter((row) => !row.statement || !row.where || !row.proof);
  expect(empty).toEqual([]);
});

it('names only files that exist', () => {
  const files = rows.flatMap((row) => [...row.where.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file));
  expect(files.length).toBeGreaterThanOrEqual(rows.length);
  expect(files.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
});

it('names only tests that exist', () => {
  const wrong = rows.flatMap((row) =>
    row.proof.split('<br>').filter((proof) => {
      const [, file, name] = /^`([^`]+\.test\.tsx?)`: (.+)$/.exec(proof) ?? [];
      return !file || !name || !existsSync(path.join(root, file)) || !declares(file, name);
    }),
  );
  expect(wrong).toEqual([]);
});
