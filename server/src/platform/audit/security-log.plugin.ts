import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { type AuditEntry, auditEvents } from './audit';

/** One line for each entry of the audit log, without subject and details, which may name an order or a person. */
export const securityLog = fastifyPlugin(async (app: FastifyInstance) => {
  const logEntry = ({ id, actor, action, userId, network, session }: AuditEntry & { id: number | undefined }) =>
    app.log.info({ audit: id, action, actor, user: userId ?? undefined, network, session }, 'security event');
  auditEvents.on('entry', logEntry);
  app.addHook('onClose', async () => void auditEvents.off('entry', logEntry));
});
