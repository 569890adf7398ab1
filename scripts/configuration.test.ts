import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { configurationDocument, generated } from './configuration';

const root = path.resolve(__dirname, '..');

it.each(Object.entries(generated))('npm run configuration has been run: %s is current', (file, content) => {
  expect(readFileSync(path.join(root, file), 'utf8')).toBe(content());
});

it('docs/operations/configuration.md contains only variables that a program reads', () => {
  const names = [...configurationDocument().matchAll(/^\| `([A-Z][A-Z0-9_]+)` /gm)].map(([, name = '']) => name);
  const sources = execFileSync(
    'git',
    [
      'grep',
      '-ohwE',
      '[A-Z][A-Z0-9_]{2,}',
      '--',
      'server/src',
      'backoffice/api/src',
      'platform',
      'scripts',
      ':!scripts/configuration.ts',
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 },
  );
  const words = new Set(sources.split('\n'));
  expect(names.length).toBeGreaterThan(80);
  expect(names.filter((name) => !words.has(name))).toEqual([]);
});
