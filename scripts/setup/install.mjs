/** Prepares a fresh clone. It has no dependencies, because nothing is installed yet. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`The shop needs Node 20.19 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

/**
 * Packages that are not installed in the lockfile's version. Packages of other platforms may be missing, and, in a sparse
 * checkout, those that only absent workspaces need.
 */
export function notAsLocked(folder = root) {
  const lockfile = path.join(folder, 'package-lock.json');
  if (!existsSync(lockfile)) return ['package-lock.json is missing'];
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8'));
  const isSparse = Object.values(packages).some(
    ({ link, resolved }) => link && !existsSync(path.join(folder, resolved)),
  );
  const ofRoot = Object.keys(packages[''].devDependencies ?? {}).map((name) => `node_modules/${name}`);
  return Object.entries(packages).flatMap(([place, { version, link, optional, devOptional }]) => {
    if (!place.includes('node_modules/')) return [];
    const manifest = path.join(folder, place, 'package.json');
    if (!existsSync(manifest)) {
      const mayBeMissing = optional || devOptional || (isSparse && (link || !ofRoot.includes(place)));
      return mayBeMissing ? [] : [`${place} is missing`];
    }
    const installed = link ? version : JSON.parse(readFileSync(manifest, 'utf8')).version;
    return installed === version ? [] : [`${place} is ${installed}, not ${version}`];
  });
}

/** Runs `npm ci` unless the packages of the lockfile are installed already. Exits if that fails. */
export async function installWhatIsMissing() {
  if (notAsLocked().length === 0) return;
  console.log('Installing packages (npm ci) …');
  const windows = process.platform === 'win32';
  const { status, signal, error } = spawnSync(windows ? 'npm.cmd' : 'npm', ['ci', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: windows,
  });
  if (status === 0) return;
  const reason = error?.message ?? (signal ? `ended by ${signal}` : `exit code ${status}`);
  console.error(`\`npm ci\` failed (${reason}): its own messages are above.
It needs the npm registry (npm config get registry) and a package-lock.json that fits every package.json.`);
  process.exit(1);
}
