import type { DomainRoutes } from '../context';
import { ok } from '../http/envelope';
import { signedIn, viewerOf } from '../http/request';
import { answer } from '../http/schemas';
import { EndedSessionsSchema, EndSessionQuerySchema, SessionListSchema } from './sessions.schemas';
import { endSessions, listSessions } from './sessions.service';

export const sessionsRoutes: DomainRoutes = async (app, { context: { db, config } }) => {
  app.get(
    '/api/front/user/sessions',
    { ...signedIn, schema: { response: answer(SessionListSchema) } },
    async (request) => ok(request, { list: await listSessions(db, viewerOf(request), config.sessionIdleSeconds) }),
  );
  app.delete(
    '/api/front/user/sessions',
    { ...signedIn, schema: { querystring: EndSessionQuerySchema, response: answer(EndedSessionsSchema) } },
    async (request) => ok(request, { ended: await endSessions(db, viewerOf(request), request.query, request.ip) }),
  );
  app.delete(
    '/api/front/user/sessions/others',
    { ...signedIn, schema: { response: answer(EndedSessionsSchema) } },
    async (request) => ok(request, { ended: await endSessions(db, viewerOf(request), 'others', request.ip) }),
  );
};
