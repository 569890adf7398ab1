/** What the build makes of a fault in the source of a remote. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Compiler, compileIsolated } from '@platform/build/build-release';

const contract = {
  name: 'promo',
  contract: 1,
  routes: [{ path: '/promo', page: './promo', module: './src/promo.ts', title: { 'zh-CN': '促销', en: 'Promotion' } }],
};

export interface Source {
  script?: string;
  css?: string;
}

/** Compiles a remote with one page, `src/promo.ts`, and returns its styles. Throws what the build refuses. */
export async function buildSource(compiler: Compiler, { script = '', css = '' }: Source): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'promo-'));
  try {
    mkdirSync(path.join(folder, 'src'));
    writeFileSync(path.join(folder, 'remote.json'), JSON.stringify(contract));
    writeFileSync(path.join(folder, 'src/promo.css'), css || '.promo { color: red }');
    writeFileSync(
      path.join(folder, 'src/promo.ts'),
      `import './promo.css';\n${script}\nexport const Component = () => null;\n`,
    );
    const dist = path.join(folder, 'dist');
    await compileIsolated(compiler, contract.name, folder, '1.0.0-test', dist);
    const styles = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
    return styles.map((file) => readFileSync(path.join(dist, file), 'utf8')).join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
