import type { DomainRoutes } from '../../context';
import { ok } from '../../platform/http/envelope';
import { signedIn, viewerOf } from '../../platform/http/request';
import { answer } from '../../platform/http/schemas';
import { closeSession } from '../sessions/sessions.service';
import { visitorOf } from '../sessions/visitor';
import {
  LoginBodySchema,
  LogoutAnswerSchema,
  RegisterBodySchema,
  SendCodeAnswerSchema,
  SendCodeBodySchema,
  SetPasswordAnswerSchema,
  SetPasswordBodySchema,
  TokenAnswerSchema,
} from './auth.schemas';
import { login, register, setPassword } from './auth.service';
import { CODE_SECONDS, sendCode } from './codes.service';
import { endDocumentCookie, withDocumentCookie } from './document-session';
import { identifierFor } from './identifier';

/** Share of the daily messages from which the log has an error that operators can alert on. */
const ALARM_FROM = 0.7;

export const authRoutes: DomainRoutes = async (app, { context }) => {
  app.post(
    '/api/front/app/send_code',
    { schema: { body: SendCodeBodySchema, response: answer(SendCodeAnswerSchema) } },
    async (request) => {
      const { scene = 'login' } = request.body;
      const purpose = scene === 'register' ? 'login' : scene;
      const { locale } = request;
      const identifier = identifierFor(context, request.body, locale);
      const { budgetUsed, budget } = await sendCode(context, { identifier, purpose, locale }, request);
      if (budgetUsed >= ALARM_FROM)
        request.log.error({ id: request.id, budgetUsed, budget }, 'the codes of the day are nearly used up');
      return ok(request, { expires_in: CODE_SECONDS, resend_after: context.config.resendSeconds });
    },
  );
  app.post(
    '/api/front/app/login',
    { schema: { body: LoginBodySchema, response: answer(TokenAnswerSchema) } },
    async (request, reply) => {
      const visitor = visitorOf(request, reply);
      const opened = await login(context, request.body, visitor, request.locale);
      return ok(request, withDocumentCookie(request, reply, opened));
    },
  );
  app.post(
    '/api/front/app/register',
    { schema: { body: RegisterBodySchema, response: answer(TokenAnswerSchema) } },
    async (request, reply) => {
      const registered = await register(context, request.body, visitorOf(request, reply), request.locale);
      return ok(request, withDocumentCookie(request, reply, registered));
    },
  );
  app.post(
    '/api/front/app/setPassword',
    { schema: { body: SetPasswordBodySchema, response: answer(SetPasswordAnswerSchema) } },
    async (request) => {
      await setPassword(context, request.viewer, request.body, request.ip, request.locale);
      return ok(request, { updated: true });
    },
  );
  app.post(
    '/api/front/app/logout',
    { ...signedIn, schema: { response: answer(LogoutAnswerSchema) } },
    async (request, reply) => {
      await closeSession(context.db, viewerOf(request), request.ip);
      endDocumentCookie(request, reply);
      return ok(request, { revoked: true });
    },
  );
};
