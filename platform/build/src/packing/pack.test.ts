import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { manifestIn } from '../testing/outside-remote';
import { type PackedPackage, pack } from './pack';

const root = mkdtempSync(path.join(tmpdir(), 'pack-test-'));

function write(file: string, content: string | object): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), typeof content === 'string' ? content : JSON.stringify(content));
}

beforeAll(() => {
  symlinkSync(path.resolve(__dirname, '../../../../node_modules'), path.join(root, 'node_modules'));
  write('package.json', { name: 'acme', version: '1.0.0', license: 'MIT', engines: { node: '>=20' } });
  write('tsconfig.json', {
    compilerOptions: { declaration: true, declarationMap: true, emitDeclarationOnly: true, rootDir: '.', types: [] },
    include: ['kit/src'],
  });
  write('kit/src/index.ts', `export { size } from './size';\n`);
  write('kit/src/size.ts', 'export const size = 1;\n');
  write('kit/src/other.ts', 'export const other = 2;\n');
  write('kit/src/testing/index.ts', 'export const render = 3;\n');
});

const kit = (exports: Record<string, string>): PackedPackage => ({
  manifest: { name: 'kit', version: '1.0.0', exports },
  files: { src: 'kit/src' },
  without: ['testing'],
  types: { sources: 'kit/src' },
});
const packed = (...packages: PackedPackage[]) =>
  pack({ root, project: 'tsconfig.json', packages }, path.join(root, 'packed'));
const filesOf = (file: string) => execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n').sort();

it('pack gives each entry point its declarations, and leaves out entry points that are not packed', () => {
  const [file = ''] = packed(kit({ '.': './src/index.ts', './testing': './src/testing/index.ts' }));
  expect(manifestIn(file)).toMatchObject({
    license: 'MIT',
    exports: { '.': { types: './types/index.d.ts', default: './src/index.ts' } },
  });
  expect(manifestIn(file).exports).not.toHaveProperty('./testing');
  expect(filesOf(file)).toContain('package/types/size.d.ts.map');
});

it('pack includes the declarations that an entry point imports, and no others', () => {
  const [file = ''] = packed({
    manifest: { name: 'wire', version: '1.0.0', exports: { '.': { types: './types/index.d.ts' } } },
    types: { sources: 'kit/src', entry: 'index.d.ts' },
  });
  expect(filesOf(file)).toEqual(['package/package.json', 'package/types/index.d.ts', 'package/types/size.d.ts']);
});

it('a packed package depends on a sibling by the packed version', () => {
  const user = { name: 'user', version: '1.0.0', dependencies: { kit: '*', react: '19.3.1' } };
  const [, file = ''] = packed(kit({ '.': './src/index.ts' }), { manifest: user });
  expect(manifestIn(file).dependencies).toEqual({ kit: '1.0.0', react: '19.3.1' });
});

it('pack refuses a package whose entry point is missing', () => {
  expect(() => packed(kit({ './gone': './src/gone.ts' }))).toThrow(/kit-1\.0\.0\.tgz is packed incorrectly:.*gone/s);
});
