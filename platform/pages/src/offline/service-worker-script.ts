import { createHash } from 'node:crypto';
import { browserCode } from '../browser/browser-code';
import { CACHE_PREFIX } from './offline-cache';
import { OFFLINE_HTML } from './offline-page';

const cacheName = CACHE_PREFIX + createHash('sha256').update(OFFLINE_HTML).digest('hex').slice(0, 10);

/**
 * Served as /sw.js. With `SERVICE_WORKER=off` in the environment of the server, or of the command that exports the site, the
 * script that removes the worker.
 */
export function serviceWorker(env: NodeJS.ProcessEnv = process.env): string {
  if (env.SERVICE_WORKER === 'off') return browserCode.serviceWorkerOff;
  return `const offlineCacheName="${cacheName}";${browserCode.serviceWorker}`;
}
