/** What a fresh clone needs before anything can run. No dependencies: nothing is installed yet. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
const stampFile = path.join(root, 'node_modules', '.shop-install');

export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`The shop needs Node 20.19 or later; this is ${process.versions.node}.`);
  process.exit(1);
}

/** Installs when there is no install, or when the lockfile has changed since. */
export async function installWhatIsMissing() {
  const lock = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === lock) return;
  console.log('Installing packages …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // `install` rather than `ci`: a registry that holds packages of one platform only makes `ci` refuse the lockfile.
  const result = spawnSync(npm, ['install', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    console.error('The packages could not be installed; see above. Is there a connection to the npm registry?');
    process.exit(1);
  }
  const now = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .digest('hex');
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, now);
}
