import type { App } from './request';

/** On every answer of the server. The page's own content security policy is set by the page. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** For answers that no hook sees: an address or a request that cannot be read. */
export const bareHeaders = { ...securityHeaders, 'content-security-policy': apiPolicy, 'cache-control': 'no-store' };

export function setHeaders(app: App, production: boolean): void {
  // Hooks that wait for nothing take a callback: a promise each would cost more than what they do.
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders);
    if (production) reply.header('strict-transport-security', 'max-age=31536000');
    done();
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', apiPolicy);
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    done();
  });
}
