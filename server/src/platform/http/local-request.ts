import type { FastifyRequest } from 'fastify';

/** Whether a request was made on this machine; one that a proxy forwarded was not. */
export const isLocal = ({ ip, headers }: Pick<FastifyRequest, 'ip' | 'headers'>): boolean =>
  /^(::1|127\.|::ffff:127\.)/.test(ip) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;

/** Whether the request is private in transit: TLS up to the shop or a proxy of TRUST_PROXY, or a caller on this machine. */
export const isSecure = (request: FastifyRequest): boolean =>
  request.protocol === 'https' || (isLocal(request) && request.headers['x-forwarded-proto'] === undefined);
