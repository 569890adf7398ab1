import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds. */
export const TOKEN_VALID_FOR = 2 * 3_600;

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

  issue(network: string): string {
    const expires = Math.floor(this.now() / 1000) + TOKEN_VALID_FOR;
    const key = `${expires} ${network}`;
    if (key !== this.last.key)
      this.last = { key, token: `${expires.toString(36)}.${this.sign(expires, network).toString('base64url')}` };
    return this.last.token;
  }

  /** Seconds until it expires; 0 when it does not count. */
  remaining(token: unknown, network: string): number {
    if (typeof token !== 'string' || token.length > 60) return 0;
    const [time = '', signature = ''] = token.split('.');
    const expires = /^[0-9a-z]{1,8}$/.test(time) ? Number.parseInt(time, 36) : 0;
    const left = expires - this.now() / 1000;
    if (left <= 0) return 0;
    const given = Buffer.from(signature, 'base64url');
    const own = this.sign(expires, network);
    return given.length === own.length && timingSafeEqual(given, own) ? left : 0;
  }

  private sign(expires: number, network: string): Buffer {
    return createHmac('sha256', this.key).update(`${expires} ${network}`).digest().subarray(0, 16);
  }
}
