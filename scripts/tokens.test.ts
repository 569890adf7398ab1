import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const workspaces = ['shared', 'shell', 'mfe-catalog', 'mfe-account', 'mfe-orders', 'mfe-content'];
const stylesOf = (workspace: string) =>
  readdirSync(path.join(root, workspace, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => readFileSync(path.join(root, workspace, 'src', file), 'utf8'))
    .join('\n');
const defined = (css: string) => [...css.matchAll(/(?<![\w-])(--[\w-]+)\s*:/g)].map(([, name]) => name);
const tokens = defined(readFileSync(path.join(root, 'shared/src/ui/tokens.css'), 'utf8'));
const dynamic = ['--ui-picture-width', '--ui-picture-ratio', '--ui-scrollbar'];

// A browser silently drops a declaration with an unknown custom property, and no linter here checks across files.
it.each(workspaces)('%s uses only custom properties that it or the tokens define', (workspace) => {
  const css = stylesOf(workspace);
  const known = new Set([...tokens, ...dynamic, ...defined(css)]);
  const used = [...css.matchAll(/var\((--[\w-]+)\s*\)/g)].map(([, name]) => name);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});

it.each(workspaces)('%s writes colours and layers as custom properties', (workspace) => {
  const declarations = stylesOf(workspace)
    .replace(/\/\*.*?\*\//gs, '')
    .matchAll(/(?<=[{;]\s*)([\w-]+):([^;{}]+);/g);
  const raw = [...declarations].filter(
    ([, property = '', value = '']) =>
      !property.startsWith('--') &&
      (/#[\da-f]{3,8}\b|\b(?:rgb|hsl)a?\(/i.test(value) || (property === 'z-index' && Number(value) > 2)),
  );
  expect(raw.map(([declaration]) => declaration)).toEqual([]);
});
