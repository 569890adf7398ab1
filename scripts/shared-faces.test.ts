/**
 * A face of `shared` that is no singleton is bundled into each remote that uses it. What it takes from a singleton face by
 * path comes along as a copy: the kit and a second i18next, 25 kB brotli, and texts that no longer change with the language.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../shared/src');
// From its text: the recipe itself needs the bundler, which jest cannot load.
const recipe = readFileSync(path.resolve(__dirname, '../rspack.base.js'), 'utf8');
const shared = [...recipe.matchAll(/^ {2}'@shop\/shared\/(\w+)': \{ version/gm)].map(([, name = '']) => name);
const carried = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'testing' && !shared.includes(entry.name))
  .map((entry) => entry.name);

it('knows faces of both kinds', () => {
  expect(shared).toContain('ui');
  expect(carried).toContain('payment');
});

it.each(carried)('%s takes the singletons by their shared name', (face) => {
  const byPath = readdirSync(path.join(root, face), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .flatMap((file) =>
      [...readFileSync(path.join(root, face, file), 'utf8').matchAll(/^(?!import type).* from '\.\.\/(\w+)/gm)]
        .filter(([line, name = '']) => shared.includes(name) && !/^export type/.test(line))
        .map(([line]) => `${file}: ${line}`),
    );
  expect(byPath).toEqual([]);
});
