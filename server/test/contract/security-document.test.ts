import fs from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');

it('names in docs/security.md only tests that exist', () => {
  const rows = fs
    .readFileSync(path.join(root, 'docs/security.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2);
  expect(rows.length).toBeGreaterThan(30);
  const missing = rows.flatMap((row) => {
    const [, threat, , test = ''] = row.split('|').map((cell) => cell.trim());
    const [, file = '', name = ''] = /^`([^`]+)` › (.+)$/.exec(test) ?? [];
    const text = file && fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : '';
    // A title follows it( or the closing bracket of it.each(…).
    const titles = [...text.matchAll(/(?:\bit|\))\(\s*(['"`])(.*?)\1,/gs)].map((found) => found[2] ?? '');
    return name && titles.some((title) => title.replace(/^on %s /, '') === name) ? [] : [`${threat}: ${test}`];
  });
  expect(missing).toEqual([]);
});
