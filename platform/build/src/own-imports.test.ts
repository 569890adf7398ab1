import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'own-imports-'));
const write = (file: string, content: unknown) => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
};

beforeAll(() => {
  symlinkSync(path.resolve(__dirname, '../../../node_modules'), path.join(folder, 'node_modules'), 'junction');
  write('package.json', { name: '@acme/kit', version: '1.0.0', dependencies: { axios: '1.0.0' } });
  const recipe = "require('@platform/build').recipe({ folder: __dirname, scopes: [], singletons: {} })";
  write('rspack.base.js', `module.exports = ${recipe};`);
  for (const name of ['greeting', 'parting']) {
    const routes = [
      { path: `/${name}`, page: `./${name}`, module: './src/page.ts', title: { 'zh-CN': '一', en: 'A' } },
    ];
    write(`${name}/remote.json`, { name, contract: 1, routes });
    write(`${name}/src/words.ts`, "export const words = 'of its own';");
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function built(line: string): string {
  write('greeting/src/page.ts', `${line}\nexport const Component = () => String(used);\n`);
  const args = [
    path.join(folder, 'rspack.base.js'),
    'greeting',
    path.join(folder, 'greeting'),
    path.join(folder, 'out'),
  ];
  const { stderr, status } = spawnSync(process.execPath, [path.join(__dirname, 'dev/compile.cjs'), ...args, 'once']);
  return status === 0 ? '' : String(stderr);
}

it('a build refuses a file of another remote, names the remote and says what to do instead', () => {
  expect(built("import { words as used } from '../../parting/src/words';")).toContain(
    'import of "../../parting/src/words" in src/page.ts: that file belongs to the remote in parting. Link to its pages, or take what both need from @acme/kit/…',
  );
});

it('a build refuses a second copy of a package of the platform', () => {
  expect(built("import used from 'axios';")).toContain(
    'import of "axios" in src/page.ts: axios comes with the platform, so this would be a second copy. Import what you need from @acme/kit/…',
  );
});

it('a remote builds with its own files and with packages that the platform does not have', () => {
  expect(built("import { words as used } from './words';")).toBe('');
  expect(built("import used from 'qrcode';")).toBe('');
});
