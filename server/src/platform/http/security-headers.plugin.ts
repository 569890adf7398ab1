import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';

/** Sent with every response. A page sets its own content security policy. */
const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-opener-policy': 'same-origin-allow-popups',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
};
const apiPolicy = "default-src 'none'; frame-ancestors 'none'";

/** For responses to unreadable requests, for which no hook runs. */
export const headersWithoutHooks = {
  ...securityHeaders,
  'content-security-policy': apiPolicy,
  'cache-control': 'no-store',
};

export const securityHeadersPlugin = fastifyPlugin(
  async (app: FastifyInstance, { production }: { production: boolean }) => {
    // Callback hooks, because a promise for each would cost more than the work.
    app.addHook('onRequest', (_request, reply, done) => {
      reply.headers(securityHeaders);
      if (production) reply.header('strict-transport-security', 'max-age=31536000');
      done();
    });
    app.addHook('onSend', (request, reply, _payload, done) => {
      if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', apiPolicy);
      if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control'))
        reply.header('cache-control', 'no-store');
      done();
    });
  },
);
