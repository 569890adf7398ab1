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

function check(files: Record<string, string>): string[] {
  const shop = fs.mkdtempSync(path.join(folder, 'shop-'));
  for (const [file, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(shop, file)), { recursive: true });
    fs.writeFileSync(path.join(shop, file), text);
  }
  const { status, stdout } = spawnSync(
    process.execPath,
    [
      path.join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
      ...['--config', path.join(root, 'scripts/imports/modules.cjs')],
      ...['--output-type', 'err-long'],
      ...new Set(Object.keys(files).map((file) => file.split('/')[0] ?? '')),
    ],
    { cwd: shop, encoding: 'utf8' },
  );
  expect(status === 0).toBe(stdout.includes('no dependency violations found'));
  const found = stdout.replace(/\s+/g, ' ').matchAll(/error ([\w-]+: \S+(?: → \S+)+)/g);
  return [...found].map(([, violation = '']) => violation).sort();
}

const value = 'export const value = 1;\n';
const imports = (...modules: string[]) => modules.map((name) => `import '${name}';`).join('\n');

const directions = {
  'mfe-orders/src/page.tsx': imports('../../shared/src/ui/index', '../../mfe-account/src/page', '../../shell/src/main'),
  'mfe-orders/gate/list.ts': imports('../../platform/releases/src/contract/map', '../../shell/src/main'),
  'mfe-account/src/page.tsx': value,
  'shell/src/main.tsx': imports(
    '../../platform/releases/src/contract/map',
    '../../platform/releases/src/gate',
    '../../server/src/start',
  ),
  'shared/src/ui/index.ts': imports('../../../platform/releases/src/contract/map'),
  'platform/releases/src/contract/map.ts': imports('node:fs'),
  'platform/releases/src/gate.ts': imports('../../pages/src/compose'),
  'platform/pages/src/compose.ts': imports('../../releases/src/contract/map', '../../../server/src/http/kit'),
  'server/src/http/kit.ts': imports('../../../shared/src/domain/codes', '../../../shared/src/ui/texts'),
  'server/src/start.ts': imports('../../platform/pages/src/compose', '../../scripts/build'),
  'server/src/orders/service.ts': imports('../start', '../../../backoffice/api/src/people/roles'),
  'server/test/support/app.ts': imports('../../../backoffice/api/src/people/roles'),
  'backoffice/api/src/people/roles.ts': imports('../../../../server/src/http/kit'),
  'shared/src/domain/codes.ts': value,
  'shared/src/ui/texts.ts': value,
  'scripts/build.ts': imports('../mfe-orders/src/page'),
};

it('imports follow the allowed directions between workspaces, and a violation names both files', () => {
  expect(check(directions)).toEqual([
    'contract-without-dependencies: platform/releases/src/contract/map.ts → fs',
    'imports-of-mfe-gate: mfe-orders/gate/list.ts → shell/src/main.tsx',
    'imports-of-mfe: mfe-orders/src/page.tsx → mfe-account/src/page.tsx',
    'imports-of-mfe: mfe-orders/src/page.tsx → shell/src/main.tsx',
    'imports-of-platform-pages: platform/pages/src/compose.ts → server/src/http/kit.ts',
    'imports-of-platform-releases: platform/releases/src/gate.ts → platform/pages/src/compose.ts',
    'imports-of-server: server/src/http/kit.ts → shared/src/ui/texts.ts',
    'imports-of-server: server/src/start.ts → scripts/build.ts',
    'imports-of-shared: shared/src/ui/index.ts → platform/releases/src/contract/map.ts',
    'imports-of-shell: shell/src/main.tsx → platform/releases/src/gate.ts',
    'imports-of-shell: shell/src/main.tsx → server/src/start.ts',
    'no-cycle: mfe-orders/src/page.tsx → shell/src/main.tsx → server/src/start.ts → scripts/build.ts → mfe-orders/src/page.tsx',
    'no-import-of-the-composition-root: server/src/orders/service.ts → server/src/start.ts',
    'server-without-back-office: server/src/orders/service.ts → backoffice/api/src/people/roles.ts',
  ]);
});
