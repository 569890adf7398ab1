import { createHash } from 'node:crypto';
import { browserCode } from '../browser/browser-code';
import type { Site } from '../site/site';
import { CACHE_PREFIX } from './offline-cache';
import { OFFLINE_POLICY, offlineHtml } from './offline-page';

export const documentHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  // A DNS prefetch could leak data in a host name, and no CSP directive prevents it.
  'x-dns-prefetch-control': 'off',
};
const forOneDay = { 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' };
/** The service worker and its page must never be older than the site. */
const revalidated = { ...documentHeaders, 'cache-control': 'no-cache, no-transform' };

/** Icon, web manifest, service worker and offline page. */
export const siteFiles = (site: Site, worker?: ServiceWorkerOptions) => [
  {
    path: '/icon.svg',
    content: site.iconSvg,
    headers: { ...forOneDay, 'content-type': 'image/svg+xml' },
  },
  {
    path: '/manifest.webmanifest',
    content: `${JSON.stringify(site.webManifest)}\n`,
    headers: { ...forOneDay, 'content-type': 'application/manifest+json' },
  },
  {
    path: '/sw.js',
    content: serviceWorker(site, worker),
    headers: {
      ...revalidated,
      'content-type': 'text/javascript; charset=utf-8',
      'content-security-policy': "default-src 'none'; connect-src 'self'",
    },
  },
  {
    path: '/offline.html',
    content: offlineHtml(site),
    headers: {
      ...revalidated,
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${OFFLINE_POLICY}; frame-ancestors 'none'`,
    },
  },
];

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
