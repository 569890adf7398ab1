import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type AuditEntry, auditEvents } from './audit';

/** Logs one line per request. It names the route, not the URL, because a query may contain secrets. */
export const accessLog = fastifyPlugin(async (app: FastifyInstance) => {
  app.addHook('onResponse', (request, reply, done) => {
    const { method, routeOptions, viewer, shopCode, id, ip } = request;
    const line = { id, method, route: routeOptions.url, status: reply.statusCode, code: shopCode, user: viewer?.id };
    request.log.info({ ...line, address: ip, ms: Math.round(reply.elapsedTime), trace: request.trace?.id });
    done();
  });
});

/** Logs one line per entry of the audit log, without subject and details, which may name an order or a user. */
export const securityLog = fastifyPlugin(async (app: FastifyInstance) => {
  const logEntry = ({ id, actor, action, userId, network, session }: AuditEntry & { id: number | undefined }) =>
    app.log.info({ audit: id, action, actor, user: userId ?? undefined, network, session }, 'security event');
  auditEvents.on('entry', logEntry);
  app.addHook('onClose', async () => void auditEvents.off('entry', logEntry));
});
