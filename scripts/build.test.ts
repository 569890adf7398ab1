import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '..');
const manifestOf = (folder: string) => readFileSync(path.join(root, folder, 'dist/release.json'), 'utf8');

function build(name: string): string {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', name, '--force'], {
    cwd: root,
    stdio: 'pipe',
  });
  return manifestOf(name);
}

describe('a build', () => {
  it('gives the same version and the same bytes for the same source', () => {
    const first = build('mfe-content');
    expect(build('mfe-content')).toBe(first);
    const { version, files, kind } = JSON.parse(first) as {
      version: string;
      kind: string;
      files: Record<string, unknown>;
    };
    expect(kind).toBe('remote');
    expect(version).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{8}$/);
    expect(Object.keys(files)).toContain('remoteEntry.js');
  }, 120_000);
});
