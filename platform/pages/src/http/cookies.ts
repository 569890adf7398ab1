import { fastifyCookie, type SerializeOptions } from '@fastify/cookie';

import type { FastifyReply, FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Visitors reach the site by https (its public address), whether or not the proxy in front says so. */
    isPublicByHttps?: boolean;
  }
}

/** In seconds. Browsers keep a cookie for at most 400 days. */
export const YEAR_SECONDS = 31_536_000;

export const cookieOf = ({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined =>
  headers.cookie === undefined ? undefined : fastifyCookie.parse(headers.cookie)[name];

export const isSecureCookie = (request: FastifyRequest): boolean =>
  request.protocol === 'https' || request.server.isPublicByHttps === true;

/** An empty `value` deletes the cookie. */
export function setCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  value: string,
  options: SerializeOptions & { path: string; sameSite: 'lax' | 'strict' },
): void {
  reply.header(
    'set-cookie',
    fastifyCookie.serialize(name, value, {
      ...options,
      ...(value === '' ? { maxAge: 0 } : {}),
      secure: isSecureCookie(request),
    }),
  );
}
