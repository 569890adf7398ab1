/** Finds nginx, or installs it where that can be done without asking. */
import { spawnSync } from 'node:child_process';
import { installPackages } from './debian.mjs';

const places = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/opt/homebrew/bin/nginx', 'nginx'];

/** The program, or null. `NGINX_PATH` wins. */
export function findNginx(env = process.env) {
  const wished = env.NGINX_PATH ? [env.NGINX_PATH] : places;
  return wished.find((file) => spawnSync(file, ['-v'], { stdio: 'ignore' }).status === 0) ?? null;
}

export function requireNginx() {
  const found = findNginx() ?? (installPackages('nginx-light') ? findNginx() : null);
  if (!found) {
    console.error(
      'No nginx was found for the tests behind it: install it (Debian: apt-get install nginx-light), or set NGINX_PATH to it.',
    );
  }
  return found;
}
