import { SUCCESS_CODE } from '@shop/shared/domain';
import type { FastifyRequest } from 'fastify';
import { messageOf } from './errors';
import type { Envelope } from './schemas';

export function ok<T>(request: FastifyRequest, data: T): Envelope<T> {
  return { code: SUCCESS_CODE, message: messageOf(SUCCESS_CODE, request.locale), data, request_id: request.id };
}
