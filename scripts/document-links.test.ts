/** Documents link to files that there are, and docs/screens.md shows every page's picture. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const inFolder = (folder: string, end: string) =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith(end))
    .map((name) => `${folder}/${name}`);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

/** Files of the repository that a document links to, as it writes them, without their sections. */
const linkedIn = (markdown: string) =>
  [...markdown.matchAll(/\]\(([^)#\s]+)|^\[[^\]]+\]: ([^#\s]+)/gm)]
    .map(([, inText = '', below = '']) => inText || below)
    .filter((to) => !/^[a-z]+:/.test(to));

it.each(['README.md', 'CONTRIBUTING.md', ...inFolder('docs', '.md'), ...inFolder('docs/adr', '.md')])(
  '%s links to files that there are',
  (file) => {
    const missing = linkedIn(read(file)).filter((to) => !existsSync(path.join(root, path.dirname(file), to)));
    expect(missing).toEqual([]);
  },
);

it('every picture of a page stands in docs/screens.md', () => {
  const shown = new Set(linkedIn(read('docs/screens.md')).map((to) => path.basename(to)));
  const drawn = inFolder('e2e/pictures', '.png').map((file) => path.basename(file));
  // What the browser of the pictures is known by.
  expect(drawn.filter((name) => !shown.has(name) && name !== 'sample.png')).toEqual([]);
});
