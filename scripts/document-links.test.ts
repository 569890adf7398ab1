/** Each link of a document leads to a file that exists. */
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
