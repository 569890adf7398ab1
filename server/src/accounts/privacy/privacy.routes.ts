import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { DomainRoutes } from '../../context';
import { addEntry, shopper } from '../../platform/audit/audit';
import { callsOf } from '../../platform/http/calls';
import { limitRate } from '../../platform/http/rate-limit';
import { confirmUser } from '../auth/auth.service';
import { openTicket, sealTicket } from '../auth/session-lookup';
import { closeAccount, closureOf } from './closure.service';
import { exportFile } from './export.service';
import { ClosureSchema, closeAccountCall, exportCall } from './privacy.schemas';

const TICKET_SECONDS = 120;
const EXPORTS_PER_DAY = 5;
const DAY_SECONDS = 86_400;

export const privacyRoutes: DomainRoutes = async (app, { context }) => {
  const { user } = callsOf(app);
  const { db, config } = context;
  user.get('/api/front/user/closure', { data: ClosureSchema }, async ({ viewer }) => closureOf(db, viewer));
  user.post('/api/front/user/closure', closeAccountCall, async ({ viewer, body, request }) =>
    closeAccount(context, viewer, body, request.ip),
  );
  user.post('/api/front/user/export', exportCall, async ({ viewer, body, request }) => {
    const { id, tokenHash } = viewer;
    await confirmUser(context, viewer, 'account', body, request.ip);
    await limitRate(db, `export:${id}`, EXPORTS_PER_DAY, DAY_SECONDS);
    await addEntry(db, { ...shopper(request.ip, tokenHash), action: 'account.export', userId: id });
    const ticket = sealTicket(config.secret, 'export', viewer, TICKET_SECONDS);
    return { url: `/api/front/user/export?ticket=${ticket}`, expires_in: TICKET_SECONDS };
  });
  // A browser downloads the file without sending a token, so the single-use ticket replaces it.
  app.get('/api/front/user/export', async (request, reply) => {
    const { ticket: sealed } = request.query as { ticket?: unknown };
    const ticket = await openTicket(context, 'export', sealed);
    if (!ticket) return reply.callNotFound();
    await limitRate(db, `export-ticket:${ticket.salt}`, 1, TICKET_SECONDS);
    const day = new Date().toISOString().slice(0, 10);
    reply.headers({
      'cache-control': 'no-store',
      'content-disposition': `attachment; filename="my-data-${day}.json"`,
    });
    return (reply.type('application/json; charset=utf-8') as FastifyReply).send(
      Readable.from(exportFile(context, ticket.user)),
    );
  });
};
