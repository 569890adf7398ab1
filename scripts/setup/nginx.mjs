/** Finds nginx, or installs Debian's where that can be done without asking. */
import path from 'node:path';
import { installPackages, runs } from './debian.mjs';

const usualPlaces = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx'];

/** The path of nginx, or null. `NGINX_PATH` wins; one that does not exist is an error, not a hint. */
export function findNginx(env = process.env) {
  if (env.NGINX_PATH) {
    if (!runs(env.NGINX_PATH)) throw new Error(`NGINX_PATH names ${env.NGINX_PATH}, which is not a program.`);
    return env.NGINX_PATH;
  }
  const onPath = (env.PATH ?? '').split(path.delimiter).map((folder) => path.join(folder, 'nginx'));
  return [...usualPlaces, ...onPath].find(runs) ?? null;
}

/** The path, installed first where that can be done; null, and what to do about it, elsewhere. */
export function requireNginx() {
  const found = findNginx() ?? (installPackages('nginx', 'openssl') ? findNginx() : null);
  if (!found) {
    console.error(
      'No nginx was found for the tests behind it: install it (Debian: apt-get install nginx), or set NGINX_PATH to it.',
    );
  }
  return found;
}
