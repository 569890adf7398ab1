import type { FastifyRequest } from 'fastify';
import { messageOf } from './errors';
import type { Envelope } from './schemas';

export function ok<T>(request: FastifyRequest, data: T): Envelope<T> {
  return { code: 200, message: messageOf(200, request.locale), data, request_id: request.id };
}
