import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaces } from './build';

const root = path.resolve(__dirname, '..');
const manifestOf = (folder: string) => readFileSync(path.join(root, folder, 'dist/release.json'), 'utf8');

function build(names: string[], env: NodeJS.ProcessEnv = {}): string[] {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', ...names, '--force'], {
    cwd: root,
    stdio: 'pipe',
    env: { ...process.env, ...env },
  });
  return names.map(manifestOf);
}

function filesOf(folder: string, extension: RegExp): string[] {
  const all = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  return all.filter((file) => extension.test(file)).map((file) => path.join(root, folder, file));
}

/** Names of settings that the server's code speaks of, its secrets among them. */
function settingsOfServer(): string[] {
  const sources = filesOf('server/src', /(?<!\.test)\.ts$/).map((file) => readFileSync(file, 'utf8'));
  const names = new Set(sources.flatMap((source) => source.match(/\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/g) ?? []));
  return [...names].filter((name) => !name.startsWith('NODE_'));
}

describe('a build', () => {
  it('gives the same version and the same bytes for the same source', () => {
    const [first = ''] = build(['mfe-content']);
    expect(build(['mfe-content'])).toEqual([first]);
    const { version, files, kind } = JSON.parse(first) as {
      version: string;
      kind: string;
      files: Record<string, unknown>;
    };
    expect(kind).toBe('remote');
    expect(version).toMatch(/^\d+\.\d+\.\d+-[0-9a-f]{8}$/);
    expect(Object.keys(files)).toContain('remoteEntry.js');
  }, 120_000);

  it('contains nothing of the environment, the server’s secrets included', () => {
    const settings = settingsOfServer();
    expect(settings).toEqual(expect.arrayContaining(['APP_SECRET', 'CARD_KEYS', 'OPS_TOKEN']));
    const canary = 'canary-8f2c61d0';
    build(Object.values(workspaces), Object.fromEntries(settings.map((name) => [name, `${canary}-${name}`])));
    for (const folder of Object.values(workspaces)) {
      const files = filesOf(`${folder}/dist`, /\.(js|css|json|html|svg)$/);
      expect(files.length).toBeGreaterThan(2);
      const telling = files.filter((file) => {
        const text = readFileSync(file, 'utf8');
        return text.includes(canary) || text.includes(root) || /-----BEGIN [A-Z ]*PRIVATE KEY/.test(text);
      });
      expect(telling).toEqual([]);
    }
  }, 120_000);
});
