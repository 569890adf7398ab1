import { createHash } from 'node:crypto';
import { browserCode } from '../browser/browser-code';
import type { Site } from '../site/site';
import { CACHE_PREFIX } from './offline-cache';
import { offlineHtml } from './offline-page';

/**
 * Served as /sw.js. With `SERVICE_WORKER=off` in the environment of the server, or of the command that exports the site, the
 * script that removes the worker. With WEB_PUSH_PUBLIC_KEY it shows pushes, too.
 */
export function serviceWorker(site: Site, env: NodeJS.ProcessEnv = process.env): string {
  if (env.SERVICE_WORKER === 'off') return browserCode.serviceWorkerOff;
  const cacheName = CACHE_PREFIX + createHash('sha256').update(offlineHtml(site)).digest('hex').slice(0, 10);
  const push = env.WEB_PUSH_PUBLIC_KEY || env.WEB_PUSH_PUBLIC_KEY_FILE ? browserCode.serviceWorkerPush : '';
  return `const offlineCacheName="${cacheName}";${browserCode.serviceWorker}${push}`;
}
