import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const areas = ['shared', 'shell', 'mfe-catalog', 'mfe-account', 'mfe-orders', 'mfe-content'];
const sheets = areas.flatMap((area) =>
  readdirSync(path.join(root, area, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css'))
    .map((file) => path.join(area, 'src', file)),
);
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const defined = (css: string) => [...css.matchAll(/(?<![\w-])(--[\w-]+)\s*:/g)].map(([, name]) => name);
const tokens = defined(textOf('shared/src/ui/tokens.css'));
/** Set by script or by the layout around a page. */
const given = ['--ui-picture-width', '--ui-picture-ratio', '--ui-scrollbar', '--tab-bar-height'];

// A browser drops a declaration with an unknown name in silence, and the text takes whatever colour it inherits.
it.each(sheets)('%s uses only names that exist', (file) => {
  const css = textOf(file);
  const known = new Set([...tokens, ...given, ...defined(css)]);
  const used = [...css.matchAll(/var\((--[\w-]+)\s*\)/g)].map(([, name]) => name);
  expect(used.filter((name) => !known.has(name))).toEqual([]);
});
