import type { DomainRoutes } from '../../context';
import { ok } from '../../platform/http/envelope';
import { signedIn, viewerOf } from '../../platform/http/request';
import { answer } from '../../platform/http/schemas';
import { EndedSessionsSchema, EndSessionQuerySchema, SessionListSchema } from './sessions.schemas';
import { endOtherSessions, endSession, listSessions } from './sessions.service';

export const sessionsRoutes: DomainRoutes = async (app, { context: { db, config } }) => {
  app.get(
    '/api/front/user/sessions',
    { ...signedIn, schema: { response: answer(SessionListSchema) } },
    async (request) => ok(request, { list: await listSessions(db, viewerOf(request), config.sessionIdleSeconds) }),
  );
  app.delete(
    '/api/front/user/sessions',
    { ...signedIn, schema: { querystring: EndSessionQuerySchema, response: answer(EndedSessionsSchema) } },
    async (request) => ok(request, { ended: await endSession(db, viewerOf(request), request.query.id, request.ip) }),
  );
  app.delete(
    '/api/front/user/sessions/others',
    { ...signedIn, schema: { response: answer(EndedSessionsSchema) } },
    async (request) => {
      const { id, tokenHash } = viewerOf(request);
      return ok(request, {
        ended: await db.withTransaction((sql) =>
          endOtherSessions(sql, { userId: id, keep: tokenHash, address: request.ip }),
        ),
      });
    },
  );
};
