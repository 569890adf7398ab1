/** README.md is part of the package: it lists all parts of the kit, and its example is compiled and run. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as forms from './forms';
import * as http from './http';
import * as i18n from './i18n';
import * as links from './links';
import * as money from './money';
import * as payment from './payment';
import * as query from './query';
import * as receipt from './receipt/receipt';
import * as router from './router';
import * as routing from './routing';
import * as session from './session';
import * as state from './state';
import * as suggestions from './suggestions/suggestions';
import * as testing from './testing';
import * as formFailureModes from './testing/form-failure-modes';
import * as ui from './ui';

const root = path.resolve(__dirname, '..');
const text = readFileSync(path.join(root, 'README.md'), 'utf8');

/** Only values: types are listed in the declarations. */
const entryPoints = {
  ui,
  forms,
  http,
  query,
  i18n,
  links,
  router,
  session,
  state,
  money,
  routing,
  payment,
  receipt,
  suggestions,
  testing,
  'testing/form-failure-modes': formFailureModes,
};

it.each(Object.entries(entryPoints))(
  '%s: each part stands in the list, with a line of its own or of its kind',
  (name, parts) => {
    const section = text.split(/^## /m).find((part) => part.startsWith(`\`@shop/shared/${name}\`\n`)) ?? '';
    const rows = [...section.matchAll(/^\| (`[^|]+) \| (.+) \|$/gm)];
    const listed = rows.flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, exported]) => exported));
    expect(listed.sort()).toEqual(Object.keys(parts).sort());
  },
);

it('the example of the README is the code that is compiled and run', () => {
  const files = readdirSync(path.join(root, 'example'));
  expect(files).toHaveLength(4);
  for (const file of files) {
    const block = text.split(`\`${file}\`\n\n`)[1]?.match(/^```tsx?\n([\s\S]*?)^```$/m)?.[1];
    expect(block).toBe(readFileSync(path.join(root, 'example', file), 'utf8'));
  }
});
