import type { FastifyRequest } from 'fastify';
import { isLocal } from './local-request';

/** Whether nobody can read along: TLS up to the shop or a proxy of TRUST_PROXY, or a caller on this machine. */
export const isSecure = (request: FastifyRequest): boolean =>
  request.protocol === 'https' || (isLocal(request) && request.headers['x-forwarded-proto'] === undefined);
