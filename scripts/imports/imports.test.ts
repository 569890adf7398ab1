import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
let folder: string;

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'imports-'));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What dependency-cruiser prints about these files, given as path and text. */
function check(rules: 'modules' | 'folders', files: Record<string, string>): string {
  const shop = fs.mkdtempSync(path.join(folder, 'shop-'));
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(shop, file)), { recursive: true });
    fs.writeFileSync(path.join(shop, file), text);
  }
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ...['--config', path.join(root, `scripts/imports/${rules}.cjs`)],
      ...['--output-type', 'err-long'],
      ...new Set(Object.keys(files).map((file) => file.split('/')[0] ?? '')),
    ],
    { cwd: shop, encoding: 'utf8' },
  );
  expect(status === 0).toBe(stdout.includes('no dependency violations found'));
  return stdout.replace(/\s+/g, ' ');
}

const value = 'export const value = 1;\n';
const imports = (...modules: string[]) => modules.map((name) => `import '${name}';`).join('\n');

it('refuses imports against the direction between workspaces, and names both files', () => {
  const output = check('modules', {
    'mfe-orders/src/page.tsx': imports(
      '../../shared/src/ui/index',
      '../../mfe-account/src/page',
      '../../shell/src/main',
    ),
    'mfe-account/src/page.tsx': value,
    'shell/src/main.tsx': imports('../../release/src/contract/map', '../../release/src/gate', '../../server/src/start'),
    'shared/src/ui/index.ts': imports('../../../release/src/contract/map'),
    'release/src/contract/map.ts': imports('node:fs'),
    'release/src/gate.ts': imports('../../document/src/compose'),
    'document/src/compose.ts': imports('../../release/src/contract/map', '../../server/src/http/kit'),
    'server/src/http/kit.ts': imports('../../../shared/src/domain/codes', '../../../shared/src/ui/texts'),
    'server/src/start.ts': imports('../../document/src/compose', '../../scripts/build'),
    'server/src/orders/service.ts': imports('../start'),
    'shared/src/domain/codes.ts': value,
    'shared/src/ui/texts.ts': value,
    'scripts/build.ts': imports('../mfe-orders/src/page'),
  });
  for (const [rule, from, to] of [
    ['imports-of-mfe', 'mfe-orders/src/page.tsx', 'mfe-account/src/page.tsx'],
    ['imports-of-mfe', 'mfe-orders/src/page.tsx', 'shell/src/main.tsx'],
    ['imports-of-shell', 'shell/src/main.tsx', 'release/src/gate.ts'],
    ['imports-of-shell', 'shell/src/main.tsx', 'server/src/start.ts'],
    ['imports-of-shared', 'shared/src/ui/index.ts', 'release/src/contract/map.ts'],
    ['imports-of-release', 'release/src/gate.ts', 'document/src/compose.ts'],
    ['imports-of-document', 'document/src/compose.ts', 'server/src/http/kit.ts'],
    ['imports-of-server', 'server/src/http/kit.ts', 'shared/src/ui/texts.ts'],
    ['imports-of-server', 'server/src/start.ts', 'scripts/build.ts'],
    ['contract-without-dependencies', 'release/src/contract/map.ts', 'fs'],
    ['no-import-of-the-composition-root', 'server/src/orders/service.ts', 'server/src/start.ts'],
  ]) {
    expect(output).toContain(`error ${rule}: ${from} → ${to}`);
  }
  for (const allowed of ['→ shared/src/ui/index.ts', '→ shared/src/domain/codes.ts', 'error imports-of-scripts']) {
    expect(output).not.toContain(allowed);
  }
});

it('allows the front end types of the wire only, and refuses test code in a program', () => {
  const output = check('modules', {
    'server/src/wire.ts': 'export interface Order {}\nexport const paid = 20;\n',
    'mfe-orders/src/line.ts': "import type { Order } from '../../server/src/wire';\nexport type Line = Order;\n",
    'mfe-orders/src/order.ts': "import { paid } from '../../server/src/wire';\nexport const done = paid;\n",
    'shared/src/testing/render.ts': value,
    'shared/src/ui/list.ts': imports('../testing/render'),
  });
  expect(output).toContain('error wire-types-only: mfe-orders/src/order.ts → server/src/wire.ts');
  expect(output).toContain('error no-test-code-in-programs: shared/src/ui/list.ts → shared/src/testing/render.ts');
  expect(output).toContain('2 dependency violations');
});

it('refuses a cycle of modules, of types too, and of folders', () => {
  const files = {
    'shared/src/cart/cart.ts': "import type { Total } from '../money/format';\nexport type Cart = Total;\n",
    'shared/src/money/format.ts': "import type { Cart } from '../cart/cart';\nexport type Total = Cart;\n",
    'shell/src/app/routes.ts': imports('../layout/bar'),
    'shell/src/app/start.ts': value,
    'shell/src/layout/bar.ts': value,
    'shell/src/layout/page.ts': imports('../app/start'),
  };
  const modules = check('modules', files);
  expect(modules).toContain(
    'error no-cycle: shared/src/cart/cart.ts → shared/src/money/format.ts → shared/src/cart/cart.ts',
  );
  expect(modules).toContain('1 dependency violations');
  expect(check('folders', files)).toContain(
    'error no-folder-cycle: shell/src/layout → shell/src/app → shell/src/layout',
  );
});
