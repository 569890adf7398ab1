import { randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, setCookie, YEAR_SECONDS } from '../http/cookies';

/** The number that platform/host/src/visitor.ts would draw: the document is to hold the page of the same release. */
export function giveVisitor(request: FastifyRequest, reply: FastifyReply): number {
  const visitor = randomInt(10_000) / 100;
  setCookie(request, reply, 'visitor', String(visitor), { path: '/', maxAge: YEAR_SECONDS, sameSite: 'lax' });
  return visitor;
}

export function visitorOf(request: FastifyRequest): number | null {
  const visitor = Number(cookieOf(request, 'visitor') || Number.NaN);
  return visitor >= 0 && visitor < 100 ? visitor : null;
}
