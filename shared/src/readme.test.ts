/** README.md is part of the package: it lists all parts of the kit, and its example is compiled and run. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const text = readFileSync(path.join(root, 'README.md'), 'utf8');

/** What the build tools, the server and the console alone use is not listed, nor are styles and types. */
const unlisted = /^\.\/(domain|site)\b|\.(json|css)$/;
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const entryPoints = Object.keys(manifest.exports)
  .filter((address) => !unlisted.test(address))
  .map((address): [string, object] => [address.slice(2), jest.requireActual(`@shop/shared/${address.slice(2)}`)]);

it.each(entryPoints)('%s: each part stands in the list, with a line of its own or of its kind', (name, parts) => {
  const section = text.split(/^## /m).find((part) => part.startsWith(`\`@shop/shared/${name}\`\n`)) ?? '';
  const rows = [...section.matchAll(/^\| (`[^|]+) \| (.+) \|$/gm)];
  const listed = rows.flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, exported]) => exported));
  expect(listed.sort()).toEqual(Object.keys(parts).sort());
});

it('the example of the README is the code that is compiled and run', () => {
  const files = readdirSync(path.join(root, 'example'));
  expect(files).toHaveLength(4);
  for (const file of files) {
    const block = text.split(`\`${file}\`\n\n`)[1]?.match(/^```tsx?\n([\s\S]*?)^```$/m)?.[1];
    expect(block).toBe(readFileSync(path.join(root, 'example', file), 'utf8'));
  }
});
