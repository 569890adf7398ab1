import type { DomainRoutes } from '../../context';
import { callsOf } from '../../platform/http/calls';
import { EndedSessionsSchema, endSessionCall, SessionListSchema } from './sessions.schemas';
import { endOtherSessions, endSession, listSessions } from './sessions.service';

export const sessionsRoutes: DomainRoutes = async (app, { context: { db, config } }) => {
  const { user } = callsOf(app);
  user.get('/api/front/user/sessions', { data: SessionListSchema }, async ({ viewer }) => ({
    list: await listSessions(db, viewer, config.sessionIdleSeconds),
  }));
  user.delete('/api/front/user/sessions', endSessionCall, async ({ viewer, query, request }) => ({
    ended: await endSession(db, viewer, query.id, request.ip),
  }));
  user.delete('/api/front/user/sessions/others', { data: EndedSessionsSchema }, async ({ viewer, request }) => {
    const others = { userId: viewer.id, keep: viewer.tokenHash, address: request.ip };
    return { ended: await db.withTransaction((sql) => endOtherSessions(sql, others)) };
  });
};
