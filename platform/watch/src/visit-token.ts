import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds. */
export const TOKEN_VALID_FOR = 2 * 3_600;

const LONGEST = 90;

export interface VisitPage {
  rev: number;
  /** The number that chooses between a canary and the live release; null for none. */
  visitor: number | null;
  isNew: boolean;
}
export interface Visit extends VisitPage {
  id: string;
}

/**
 * Tokens that a browser gets with the document and returns with its reports and calls. A token is valid only from the network
 * that got it, so that a foreign page cannot make its visitors report, and no report counts for an invented address. It
 * identifies the document, so the server need not trust a tab about its releases.
 */
export class VisitTokens {
  private readonly key: Buffer;

  constructor(
    secret: string,
    private readonly now: () => number = Date.now,
  ) {
    this.key = createHmac('sha256', secret).update('visit-token').digest();
  }

  /** With a document, it starts a new visit. */
  issue(network: string, page?: VisitPage): string {
    const text = [
      (Math.floor(this.now() / 1000) + TOKEN_VALID_FOR).toString(36),
      ...(page
        ? [
            randomBytes(6).toString('base64url'),
            page.rev.toString(36),
            page.visitor === null ? '' : Math.round(page.visitor * 100).toString(36),
            page.isNew ? 'n' : 'r',
          ]
        : []),
    ].join('.');
    return `${text}.${this.sign(text, network).toString('base64url')}`;
  }

  /** `left`: seconds until it expires. `visit`: undefined for a token without a document. Null if the token is invalid. */
  read(token: unknown, network: string): { left: number; visit?: Visit } | null {
    if (typeof token !== 'string' || token.length > LONGEST) return null;
    const end = token.lastIndexOf('.');
    const text = token.slice(0, end);
    const signature = Buffer.from(token.slice(end + 1), 'base64url');
    const expected = this.sign(text, network);
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return null;
    const [expires = '', id, rev = '', visitor = '', age] = text.split('.');
    const left = Number.parseInt(expires, 36) - this.now() / 1000;
    if (left <= 0) return null;
    const number = visitor === '' ? null : Number.parseInt(visitor, 36) / 100;
    return id ? { left, visit: { id, rev: Number.parseInt(rev, 36), visitor: number, isNew: age === 'n' } } : { left };
  }

  private sign(text: string, network: string): Buffer {
    return createHmac('sha256', this.key).update(`${text} ${network}`).digest().subarray(0, 16);
  }
}
