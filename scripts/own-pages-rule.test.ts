/** The lint rule of a remote finds changes to what all remotes share. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const template = path.join(__dirname, 'create-shop-remote', 'template');

/** The lines of the script that are refused. */
function refusedLines(script: string): number[] {
  const folder = mkdtempSync(path.join(tmpdir(), 'rule-'));
  try {
    copyFileSync(path.join(template, 'own-pages.grit'), path.join(folder, 'own-pages.grit'));
    copyFileSync(path.join(template, 'biome-template.json'), path.join(folder, 'biome.json'));
    writeFileSync(path.join(folder, 'page.ts'), script);
    const biome = require.resolve('@biomejs/biome/bin/biome');
    const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', '--colors=off', '.'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const places = `${stdout}\n${stderr}`.matchAll(/^page\.ts:(\d+):\d+ (?:plugin|lint\/suspicious\/noGlobalAssign)/gm);
    return [...new Set([...places].map(([, line]) => Number(line)))].sort((left, right) => left - right);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('refuses changes to globals and prototypes, and nothing of the module itself', () => {
  const script = [
    'window.fetch = async () => new Response();',
    'self.name = "x";',
    'Array.prototype.at = () => 1;',
    'Object.defineProperty(globalThis, "x", { value: 1 });',
    'Object.assign(window, { a: 1 });',
    'fetch = null;',
    'export const own = { prototype: 1, a: 1 };',
    'own.a = 2;',
    'Object.assign(own, { a: 3 });',
    'document.title = "fine";',
  ].join('\n');
  expect(refusedLines(script)).toEqual([1, 2, 3, 4, 5, 6]);
});
