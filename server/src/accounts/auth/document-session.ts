/** The cookie with which a browser requests documents that show its user's data. No call of the API accepts it. */

import { cookieOf, setCookie } from '@platform/pages/cookies';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../../platform/crypto/tokens';
import type { Sql } from '../../platform/db/sql';
import { secondsOf } from '../retention/periods';
import type { SignedIn } from '../sessions/sessions.service';
import { type FoundSession, recordUse } from './session-lookup';

const COOKIE = 'document-session';
const SCOPE = { path: '/', httpOnly: true, sameSite: 'lax' } as const;

export function withDocumentCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  { documentToken, ...answer }: SignedIn,
): Omit<SignedIn, 'documentToken'> {
  setCookie(request, reply, COOKIE, documentToken, { ...SCOPE, maxAge: secondsOf('session') });
  return answer;
}

export const endDocumentCookie = (request: FastifyRequest, reply: FastifyReply): void =>
  setCookie(request, reply, COOKIE, '', SCOPE);

export const documentToken = (request: Pick<FastifyRequest, 'headers'>): string | undefined =>
  /^[\w-]{43}$/.exec(cookieOf(request, COOKIE) ?? '')?.[0];

/** Returns undefined without an active session, and for a disabled account. */
export async function documentUser(sql: Sql, request: Pick<FastifyRequest, 'headers'>, idleSeconds: number) {
  const token = documentToken(request);
  if (!token) return undefined;
  const row = await sql.row<FoundSession & { token_start: string }>(
    `select k.*, s.token_start from sessions s, sessions_known(array[s.token_hash], $2) k where s.document_hash = $1`,
    [sha256(token), idleSeconds],
  );
  if (!row || row.is_usable === 0) return undefined;
  recordUse(sql, [row]);
  return {
    viewer: { id: row.id, isVip: row.is_vip, tokenHash: row.token_hash },
    tokenStart: row.token_start,
  };
}
