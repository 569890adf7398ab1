import { ErrorCode, SUCCESS_CODE } from '@shop/shared/domain';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import { isDatabaseBusy } from '../db/database-busy';
import { errorEnvelope } from './envelope';
import { type AnyErrorCode, retryAfterOf, shopErrorOf } from './errors';
import { fieldMessages } from './field-messages';
import type { Locale } from './schemas';

/** The client doubles the wait with each repetition (shared/src/http). */
const RETRY_AFTER_SECONDS = 1;

export const errorHandler = fastifyPlugin(async (app: FastifyInstance) => {
  app.decorateRequest('shopCode', SUCCESS_CODE);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, code, data } = failureOf(error, request.locale);
    if (code === ErrorCode.ServiceBusy) {
      reply.header('retry-after', RETRY_AFTER_SECONDS);
      request.log.warn({ id: request.id, reason: error.message }, 'busy');
    } else if (code === ErrorCode.InternalError) request.log.error({ id: request.id, err: error }, 'unexpected error');
    else if (error.cause) request.log.error({ id: request.id, code, err: error.cause }, 'a provider failed');
    // Clients outside /api do not read the envelope's code.
    const retryAfter = status === 429 && retryAfterOf(data);
    if (retryAfter) reply.header('retry-after', retryAfter);
    const isPage = !request.url.startsWith('/api/');
    return sendError(request, reply, isPage && status === 200 ? 400 : status, code, data);
  });
  app.setNotFoundHandler(answerNotFound);
});

export function answerNotFound(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendError(request, reply, 404, ErrorCode.NotFound, null);
}

function sendError(request: FastifyRequest, reply: FastifyReply, status: number, code: AnyErrorCode, data: unknown) {
  request.shopCode = code;
  const body = JSON.stringify(errorEnvelope(request, code, data));
  return reply.code(status).type('application/json; charset=utf-8').send(body);
}

interface Failure {
  status: number;
  code: AnyErrorCode;
  data: unknown;
}
const invalidInput = (errors: Record<string, string> = {}): Failure => ({
  status: 200,
  code: ErrorCode.InvalidInput,
  data: { errors },
});

/** PostgreSQL's: a zero byte in a text, a character that it cannot convert, a number beyond its column. */
const UNSTORABLE_VALUE = ['22021', '22P05', '22003'];

/** File system errors: full, over quota, read-only. */
const NOT_WRITABLE = ['ENOSPC', 'EDQUOT', 'EROFS'];

/** Business errors have HTTP status 200; a transport error keeps its own. */
export function failureOf(error: FastifyError, locale: Locale): Failure {
  const shopError = shopErrorOf(error);
  if (shopError)
    return {
      status: shopError.code === ErrorCode.TooManyRequests ? 429 : 200,
      code: shopError.code,
      data: shopError.data,
    };
  if (error.validation) return invalidInput(fieldMessages(error.validation, locale));
  if (error.statusCode === 413) return { status: 413, code: ErrorCode.PayloadTooLarge, data: null };
  if (error.statusCode === 415) return { status: 415, code: ErrorCode.UnsupportedMediaType, data: null };
  if (error.statusCode && error.statusCode < 500) return invalidInput();
  if (UNSTORABLE_VALUE.includes(error.code)) return invalidInput();
  if (isDatabaseBusy(error) || NOT_WRITABLE.includes(error.code))
    return { status: 503, code: ErrorCode.ServiceBusy, data: null };
  return { status: 500, code: ErrorCode.InternalError, data: null };
}
