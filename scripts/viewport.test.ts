import { execFileSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(__dirname, '..');

it('every document with a viewport lets the on-screen keyboard resize it, so that the keyboard covers no field', () => {
  const args = ['grep', '-h', 'name="viewport"', '--', '*.ts', '*.html', ':!*.test.ts', ':!bench'];
  const documents = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  expect(documents.length).toBeGreaterThan(4);
  expect(documents.filter((line) => !line.includes('interactive-widget=resizes-content'))).toEqual([]);
});
