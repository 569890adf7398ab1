import { ICON_SVG, OFFLINE_HTML, OFFLINE_POLICY, serviceWorker, WEB_MANIFEST } from '@platform/pages';
import type { FastifyInstance } from 'fastify';
import { documentHeaders } from './document-headers';

const forOneDay = { 'cache-control': 'public, max-age=86400', 'x-content-type-options': 'nosniff' };
/** The service worker and its page must never be older than the shop. */
const revalidated = { ...documentHeaders, 'cache-control': 'no-cache' };

/** Icon, web manifest, service worker and offline page. */
export function siteFiles(app: FastifyInstance): void {
  const serve = (path: string, content: string, headers: Record<string, string>) =>
    app.get(path, async (_request, reply) => reply.headers(headers).send(content));
  serve('/icon.svg', ICON_SVG, { ...forOneDay, 'content-type': 'image/svg+xml' });
  serve('/manifest.webmanifest', WEB_MANIFEST, { ...forOneDay, 'content-type': 'application/manifest+json' });
  serve('/sw.js', serviceWorker(), {
    ...revalidated,
    'content-type': 'text/javascript; charset=utf-8',
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  });
  serve('/offline.html', OFFLINE_HTML, {
    ...revalidated,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${OFFLINE_POLICY}; frame-ancestors 'none'`,
  });
}
