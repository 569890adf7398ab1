/** Finds nginx, or installs it as root on Debian. */
import path from 'node:path';
import { installPackages, runs } from './debian.mjs';

const usualPlaces = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'];

/** The path of nginx, or null. `NGINX_PATH` takes precedence. Throws when that is not a program. */
export function findNginx(env = process.env) {
  if (env.NGINX_PATH) {
    if (!runs(env.NGINX_PATH)) throw new Error(`NGINX_PATH names ${env.NGINX_PATH}, which is not a program.`);
    return env.NGINX_PATH;
  }
  const onPath = (env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'nginx'));
  return [...usualPlaces, ...onPath].find(runs) ?? null;
}

/** The path of nginx, installed if need be; otherwise prints what to do and returns null. */
export function requireNginx() {
  const found = findNginx() ?? (installPackages('nginx', 'openssl') ? findNginx() : null);
  if (!found) {
    console.error(
      'No nginx was found for the tests behind it: install it (Debian: apt-get install nginx), or set NGINX_PATH to it.',
    );
  }
  return found;
}
