import type { DomainRoutes } from '../../context';
import { callsOf } from '../../platform/http/calls';
import { closeSession } from '../sessions/sessions.service';
import { visitorOf } from '../sessions/visitor';
import { LogoutAnswerSchema, loginCall, registerCall, sendCodeCall, setPasswordCall } from './auth.schemas';
import { login, register, setPassword } from './auth.service';
import { CODE_SECONDS, sendCode } from './codes.service';
import { identifierFor } from './identifier';
import { endDocumentCookie, withDocumentCookie } from './session-lookup';

const ALARM_FROM = 0.7;

export const authRoutes: DomainRoutes = async (app, { context }) => {
  const { guest, user } = callsOf(app);
  guest.post('/api/front/app/send_code', sendCodeCall, async ({ body, locale, request }) => {
    const { scene = 'login' } = body;
    const purpose = scene === 'register' ? 'login' : scene;
    const identifier = identifierFor(context, body, locale);
    const { budgetUsed, budget } = await sendCode(context, { identifier, purpose, locale }, request);
    if (budgetUsed >= ALARM_FROM)
      request.log.error({ id: request.id, budgetUsed, budget }, 'the daily budget of codes is nearly used up');
    return { expires_in: CODE_SECONDS, resend_after: context.config.resendSeconds };
  });
  guest.post('/api/front/app/login', loginCall, async ({ body, locale, request, reply }) => {
    return withDocumentCookie(request, reply, await login(context, body, visitorOf(request, reply), locale));
  });
  guest.post('/api/front/app/register', registerCall, async ({ body, locale, request, reply }) => {
    return withDocumentCookie(request, reply, await register(context, body, visitorOf(request, reply), locale));
  });
  guest.post('/api/front/app/setPassword', setPasswordCall, async ({ viewer, body, locale, request }) => {
    await setPassword(context, viewer, body, request.ip, locale);
    return { updated: true };
  });
  user.post('/api/front/app/logout', { data: LogoutAnswerSchema }, async ({ viewer, request, reply }) => {
    await closeSession(context.db, viewer, request.ip);
    endDocumentCookie(request, reply);
    return { revoked: true };
  });
};
