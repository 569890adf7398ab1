import fs from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');
const text = fs.readFileSync(path.join(root, 'docs/security.md'), 'utf8');
const testFile = '`([\\w./-]+\\.test\\.tsx?)`';

/** Titles of `it` and `test`, also of `each` and of templates up to their first value. */
function titlesOf(file: string): string[] {
  const source = fs.readFileSync(path.join(root, file), 'utf8');
  const call = /(?:\b(?:it|test)(?:\.each\((?:[^()]|\([^()]*\))*\))?|^ *\]\))\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/gm;
  return [...source.matchAll(call)].map(([, , title = '']) => (title.split('${')[0] ?? '').replace(/\\(.)/g, '$1'));
}

it('has every test file that docs/security.md names', () => {
  const files = [...text.matchAll(new RegExp(testFile, 'g'))].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});

it('has every test that docs/security.md names', () => {
  const named = [...text.matchAll(new RegExp(`${testFile}((?:,? "[^"]+")+)`, 'g'))].flatMap(
    ([, file = '', titles = '']) => [...titles.matchAll(/"([^"]+)"/g)].map(([, title = '']) => ({ file, title })),
  );
  expect(named.length).toBeGreaterThan(60);
  expect(named.filter(({ file, title }) => !titlesOf(file).includes(title))).toEqual([]);
});

it('has a row of docs/security.md for each chapter of ASVS and each risk of the API Top 10, with a test or what is not met', () => {
  const rows = [...text.matchAll(/^\| ((?:V|API)\d+) [^|]+\| ([^|]*)\| ([^|]*)\|$/gm)];
  const numbers = (prefix: string, count: number) =>
    Array.from({ length: count }, (_one, index) => `${prefix}${index + 1}`);
  expect(rows.map(([, number]) => number)).toEqual([...numbers('V', 17), ...numbers('API', 10)]);
  const empty = rows.filter(
    ([, , shown = '', missing = '']) => !/`[^`]+` "|^Not used\./.test(shown) && !missing.includes('Not met'),
  );
  expect(empty.map(([, number]) => number)).toEqual([]);
});
