import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sameText } from '../../../server/src/platform/crypto/tokens';
import { cookieOf, setCookie } from '../../../server/src/platform/http/cookies';
import { networkOf } from '../../../server/src/platform/http/networks';

export const VISIT_COOKIE = 'visit_token';
const VALID_SECONDS = 2 * 3_600;

/**
 * Tokens that a browser gets with the document and returns with its reports. A token counts only from the network that it was given
 * to, so that a foreign page cannot make its visitors report, and no report counts for an invented address.
 */
export class VisitTokens {
  private readonly key: Buffer;
  /** Many documents of a second go to one network, such as that of a mobile provider. */
  private last = { key: '', token: '' };

  constructor(
    secret: string,
    private readonly now: () => number = Date.now,
  ) {
    this.key = createHmac('sha256', secret).update('visit-token').digest();
  }

  issue(address: string): string {
    const expires = Math.floor(this.now() / 1000) + VALID_SECONDS;
    const key = `${expires} ${networkOf(address)}`;
    if (key !== this.last.key) this.last = { key, token: `${expires.toString(36)}.${this.sign(expires, address)}` };
    return this.last.token;
  }

  /** Seconds until it expires; 0 when it does not count. */
  remaining(token: unknown, address: string): number {
    if (typeof token !== 'string' || token.length > 60) return 0;
    const [time = '', signature = ''] = token.split('.');
    const expires = /^[0-9a-z]{1,8}$/.test(time) ? Number.parseInt(time, 36) : 0;
    const left = expires - this.now() / 1000;
    return left > 0 && sameText(signature, this.sign(expires, address)) ? left : 0;
  }

  /** From the body, else from the cookie, which every beacon of this site carries. */
  counts(request: FastifyRequest, token: unknown): boolean {
    return this.remaining(token ?? cookieOf(request, VISIT_COOKIE), request.ip) > 0;
  }

  /** Sets the cookie when the browser has none that lasts. Scripts may read it; it opens nothing. */
  give(request: FastifyRequest, reply: FastifyReply): string {
    const known = cookieOf(request, VISIT_COOKIE);
    if (known && this.remaining(known, request.ip) > VALID_SECONDS / 2) return known;
    const token = this.issue(request.ip);
    setCookie(request, reply, VISIT_COOKIE, token, { path: '/', maxAge: VALID_SECONDS, sameSite: 'lax' });
    return token;
  }

  private sign(expires: number, address: string): string {
    return createHmac('sha256', this.key)
      .update(`${expires} ${networkOf(address)}`)
      .digest('base64url')
      .slice(0, 22);
  }
}
