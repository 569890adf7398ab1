import { cookieOf, setCookie } from '@platform/pages/cookies';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../../context';
import { randomNumber, seal, sha256, unseal } from '../../platform/crypto/tokens';
import { SharedStatement } from '../../platform/db/shared-statement';
import type { Sql } from '../../platform/db/sql';
import type { Viewer } from '../../platform/http/request';
import { secondsOf } from '../retention/periods';
import type { SignedIn } from '../sessions/sessions.service';

export interface SessionUser {
  id: number;
  is_vip: boolean;
  is_usable: number;
}
export interface FoundSession extends SessionUser {
  token_hash: Buffer;
  stale: boolean;
}

/** Finds the users of session tokens. An ended session is refused from the next request on, in every process. */
export class SessionLookup extends SharedStatement<Buffer, SessionUser | undefined> {
  constructor(sql: Sql, idleSeconds: number) {
    super(async (hashes) => {
      const rows = await sql.rows<FoundSession>('select * from sessions_known($1, $2)', [hashes, idleSeconds]);
      recordUse(sql, rows);
      const sessionByHash = new Map(rows.map((row) => [row.token_hash.toString('latin1'), row]));
      return hashes.map((hash) => sessionByHash.get(hash.toString('latin1')));
    });
  }
}

/** Allows one kind of call without the session's token, until the session ends. */
interface Ticket {
  user: number;
  session: string;
  /** Identifies the ticket, so that its uses can be counted. */
  salt: string;
}

export function sealTicket(secret: string, purpose: string, { id, tokenHash }: Viewer, seconds: number): string {
  const ticket: Ticket = { user: id, session: tokenHash.toString('base64'), salt: randomNumber() };
  return seal(secret, purpose, ticket, seconds);
}

/** Undefined for a ticket that is forged or expired, after the end of its session, and for a disabled account. */
export async function openTicket({ db, config }: AppContext, purpose: string, sealed: unknown) {
  const ticket = typeof sealed === 'string' ? unseal<Ticket>(config.secret, purpose, sealed) : undefined;
  if (!ticket) return undefined;
  const session = [Buffer.from(ticket.session, 'base64')];
  const user = await db.row<FoundSession>('select * from sessions_known($1, $2)', [session, config.sessionIdleSeconds]);
  return user && user.is_usable !== 0 ? ticket : undefined;
}

/** No request waits for it; if it fails, the next request tries again. */
export function recordUse(sql: Sql, sessions: FoundSession[]): void {
  const stale = sessions.filter((session) => session.stale).map((session) => session.token_hash);
  if (stale.length) sql.run('select sessions_seen($1)', [stale]).catch(() => {});
}

/** The cookie with which a browser requests documents that show its user's data. No call of the API accepts it. */
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
