/** A build of a remote refuses what reaches beyond its own pages, with the place in the source. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Compiler, compileIsolated } from './build';

const contract = {
  name: 'promo',
  contract: 1,
  routes: [{ path: '/promo', page: './promo', module: './src/promo.ts', title: { 'zh-CN': '促销', en: 'Promotion' } }],
};
const compiler = new Compiler();
const folders: string[] = [];

afterAll(() => {
  compiler.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Compiles a remote with one page, `src/promo.ts`. */
async function build(script: string, css = '.promo { color: red }'): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'promo-'));
  folders.push(folder);
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'remote.json'), JSON.stringify(contract));
  writeFileSync(path.join(folder, 'src/promo.css'), css);
  writeFileSync(
    path.join(folder, 'src/promo.ts'),
    `import './promo.css';\n${script}\nexport const Component = () => null;\n`,
  );
  const dist = path.join(folder, 'dist');
  await compileIsolated(compiler, 'promo', folder, '1.0.0-test', dist);
  return dist;
}

describe('the build of a remote', () => {
  it('passes one that keeps to itself', async () => {
    await build(`export const loader = () => localStorage.setItem('promo.seen', '1');`);
  }, 60_000);

  it('names file and line of a script that replaces a global', async () => {
    const script = `const host = window;\nexport const loader = () => {\n  host.fetch = async () => new Response();\n};`;
    await expect(build(script)).rejects.toThrow(/src\/promo\.ts:4:\d+ writes fetch/);
  }, 60_000);

  it('names file and line of a selector for the document', async () => {
    await expect(build('', '.promo {\n  color: red;\n}\n:root button {\n  display: none;\n}')).rejects.toThrow(
      /src\/promo\.css:4:1: :root is outside the pages of promo/,
    );
  }, 60_000);

  it('names file and line of a name that is valid in the whole document', async () => {
    await expect(build('', '.promo { animation: spin 1s }\n@keyframes spin { to { rotate: 1turn } }')).rejects.toThrow(
      /src\/promo\.css:2:1 @keyframes spin: the name must start with "promo-"/,
    );
  }, 60_000);
});
