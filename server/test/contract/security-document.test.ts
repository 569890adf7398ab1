import fs from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');

it('has every test file that docs/security.md names', () => {
  const text = fs.readFileSync(path.join(root, 'docs/security.md'), 'utf8');
  const files = [...text.matchAll(/`([\w./-]+\.test\.tsx?)`/g)].map(([, file = '']) => file);
  expect(files.length).toBeGreaterThan(30);
  expect(files.filter((file) => !fs.existsSync(path.join(root, file)))).toEqual([]);
});
