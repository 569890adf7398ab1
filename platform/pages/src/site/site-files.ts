import { OFFLINE_POLICY, offlineHtml, serviceWorker, site } from '@platform/pages';
import type { FastifyInstance } from 'fastify';
import { documentHeaders } from './document-headers';

const forOneDay = { 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' };
/** The service worker and its page must never be older than the shop. */
const revalidated = { ...documentHeaders, 'cache-control': 'no-cache' };

/** Icon, web manifest, service worker and offline page. */
export function siteFiles(app: FastifyInstance): void {
  const serve = (path: string, content: string, headers: Record<string, string>) =>
    app.get(path, async (_request, reply) => reply.headers(headers).send(content));
  serve('/icon.svg', site().iconSvg, { ...forOneDay, 'content-type': 'image/svg+xml' });
  serve('/manifest.webmanifest', `${JSON.stringify(site().webManifest)}\n`, {
    ...forOneDay,
    'content-type': 'application/manifest+json',
  });
  serve('/sw.js', serviceWorker(), {
    ...revalidated,
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
  serve('/offline.html', offlineHtml(), {
    ...revalidated,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${OFFLINE_POLICY}; frame-ancestors 'none'`,
  });
}
