/** Finds nginx, or installs Debian's where that can be done without asking. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import path from 'node:path';

const usualPlaces = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'];

const runs = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The path of nginx, or null. `NGINX_PATH` wins; one that does not exist is an error, not a hint. */
export function findNginx(env = process.env) {
  if (env.NGINX_PATH) {
    if (!runs(env.NGINX_PATH)) throw new Error(`NGINX_PATH names ${env.NGINX_PATH}, which is not a program.`);
    return env.NGINX_PATH;
  }
  const onPath = (env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'nginx'));
  return [...usualPlaces, ...onPath].find(runs) ?? null;
}

/** Whether this machine is one on which a missing program is installed rather than done without. */
export const canInstallNginx = () =>
  process.platform === 'linux' && process.getuid?.() === 0 && runs('/usr/bin/apt-get');

function installNginx() {
  console.log('Installing nginx …');
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  spawnSync('apt-get', ['update', '-qq'], quiet);
  return (
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'nginx', 'openssl'], quiet).status === 0
  );
}

/** What `npm test` does: the path, installed first where that can be done; null where the nginx tests are left out. */
export function nginxIfPossible() {
  return findNginx() ?? (canInstallNginx() && installNginx() ? findNginx() : null);
}
