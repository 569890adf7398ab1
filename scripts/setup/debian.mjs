import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';

/** Whether a file is there and may be run. */
export const runs = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Installs packages when this is root on a Debian machine, without asking; elsewhere does nothing and answers false. */
export function installPackages(...names) {
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return false;
  console.log(`Installing ${names.join(', ')} …`);
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], quiet);
  return spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet).status === 0;
}
