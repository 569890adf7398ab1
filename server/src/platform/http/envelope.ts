import { SUCCESS_CODE } from '@shop/shared/domain';
import type { FastifyRequest } from 'fastify';
import { type AnyErrorCode, messageOf, refusalText } from './errors';
import type { Envelope } from './schemas';

type Answered = Pick<FastifyRequest, 'locale' | 'id'>;

export function ok<T>(request: Answered, data: T): Envelope<T> {
  return { code: SUCCESS_CODE, message: messageOf(SUCCESS_CODE, request.locale), data, request_id: request.id };
}

export function errorEnvelope(request: Answered, code: AnyErrorCode, data: unknown = null): Envelope<unknown> {
  return { code, message: refusalText(code, data, request.locale), data, request_id: request.id };
}
