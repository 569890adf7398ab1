import { createHash } from 'node:crypto';
import { BOOT_STYLE } from '../boot/boot-code';
import { browserCode } from '../browser/browser-code';
import { bilingual, policyHash, SCRIPT } from '../site/html';
import type { Site } from '../site/site';
import { CACHE_PREFIX } from './offline-cache';

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

const file = (path: string, type: string, content: string, headers: Record<string, string>) => ({
  path,
  content,
  headers: { ...headers, 'content-type': type },
});

/** Icon, web manifest, service worker and offline page. */
export const siteFiles = (site: Site, worker?: ServiceWorkerOptions) => [
  file('/icon.svg', 'image/svg+xml', site.iconSvg, forOneDay),
  file('/manifest.webmanifest', 'application/manifest+json', `${JSON.stringify(site.webManifest)}\n`, forOneDay),
  file('/sw.js', 'text/javascript; charset=utf-8', serviceWorker(site, worker), {
    ...revalidated,
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  }),
  file('/offline.html', 'text/html; charset=utf-8', offlineHtml(site), {
    ...revalidated,
    'content-security-policy': `${OFFLINE_POLICY}; frame-ancestors 'none'`,
  }),
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

const script = browserCode.offlineScript;
const style = BOOT_STYLE + browserCode.offlineStyle;

/** The page itself contains this policy too, so that it applies offline. */
export const OFFLINE_POLICY = [
  `default-src 'none'`,
  `script-src ${policyHash(script)}`,
  `style-src ${policyHash(style)}`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `require-trusted-types-for 'script'`,
].join('; ');

/** The page that a returning visitor sees while the site cannot be reached (docs/adr/0011-service-worker.md). */
export const offlineHtml = (site: Site): string => `<!doctype html>
<html lang="zh-CN" data-english-title="Offline - ${site.name.en}">
<head>
<meta charset="utf-8"><meta http-equiv="content-security-policy" content="${OFFLINE_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="robots" content="noindex">
<title>离线 - ${site.name['zh-CN']}</title>
<style>${style}</style>
</head>
<body class="boot">
<header>${site.iconSvg.replace('<svg ', '<svg aria-hidden="true" ').trim()}${bilingual(site.name)}</header>
<main><section>
<svg class="art" viewBox="0 0 120 96" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M14 38c26-24 66-24 92 0M30 56c17-15 43-15 60 0M45 73c9-8 21-8 30 0" opacity=".35"/><circle cx="60" cy="86" r="4" fill="currentColor"/><path d="m22 12 76 76"/></svg>
<h1>${bilingual({ 'zh-CN': '现在连不上网络', en: 'You are offline' })}</h1>
<p>${bilingual({ 'zh-CN': `打不开${site.name['zh-CN']}，请检查网络连接。`, en: `${site.name.en} cannot be reached. Please check your connection.` })}</p>
<p>${bilingual(site.offline)}</p>
<button type="button">${bilingual({ 'zh-CN': '重试', en: 'Try again' })}</button>
<p role="status">${bilingual({ 'zh-CN': '还是连不上，请稍后再试。', en: 'Still no connection. Please try again in a moment.' })}</p>
</section></main>
${SCRIPT}>${script}</script>
</body>
</html>
`;
