import { createHash } from 'node:crypto';
import { browserCode } from '../browser/browser-code';
import type { Site } from '../site/site';
import { CACHE_PREFIX } from './offline-cache';
import { offlineHtml } from './offline-page';

export interface ServiceWorkerOptions {
  isOff?: boolean;
  showsPushes?: boolean;
}

export function serviceWorker(site: Site, { isOff = false, showsPushes = false }: ServiceWorkerOptions = {}): string {
  if (isOff) return browserCode.serviceWorkerOff;
  const cacheName = CACHE_PREFIX + createHash('sha256').update(offlineHtml(site)).digest('hex').slice(0, 10);
  const push = showsPushes ? browserCode.serviceWorkerPush : '';
  return `const offlineCacheName="${cacheName}";${browserCode.serviceWorker}${push}`;
}
