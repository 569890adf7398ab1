import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Seconds. */
export const TOKEN_VALID_FOR = 2 * 3_600;

const LONGEST = 90;

/** Which document a browser was given, and so which releases it has. */
export interface VisitPage {
  /** Of the release map. */
  rev: number;
  /** The number that chooses between a canary and the others; null for none. */
  visitor: number | null;
  /** The browser had not been here before. */
  isNew: boolean;
}
export interface Visit extends VisitPage {
  id: string;
}

interface Token {
  /** Seconds until it expires. */
  left: number;
  /** Absent where no document came with it. */
  visit?: Visit;
}

/**
 * Tokens that a browser gets with the document and returns with its reports and calls. A token counts only from the network that it was
 * given to, so that a foreign page cannot make its visitors report, and no report counts for an invented address. It names the
 * document, so that nobody asks a tab which releases it has.
 */
export class VisitTokens {
  private readonly key: Buffer;

  constructor(
    secret: string,
    private readonly now: () => number = Date.now,
  ) {
    this.key = createHmac('sha256', secret).update('visit-token').digest();
  }

  /** With a document, a new visit of it begins. */
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

  /** Null when it does not count. */
  read(token: unknown, network: string): Token | null {
    if (typeof token !== 'string' || token.length > LONGEST) return null;
    const end = token.lastIndexOf('.');
    const text = token.slice(0, end);
    const given = Buffer.from(token.slice(end + 1), 'base64url');
    const own = this.sign(text, network);
    if (given.length !== own.length || !timingSafeEqual(given, own)) return null;
    const [expires = '', id, rev = '', visitor = '', age] = text.split('.');
    const left = Number.parseInt(expires, 36) - this.now() / 1000;
    if (left <= 0) return null;
    const number = visitor === '' ? null : Number.parseInt(visitor, 36) / 100;
    return id ? { left, visit: { id, rev: Number.parseInt(rev, 36), visitor: number, isNew: age === 'n' } } : { left };
  }

  /** Seconds until it expires; 0 when it does not count. */
  remaining(token: unknown, network: string): number {
    return this.read(token, network)?.left ?? 0;
  }

  private sign(text: string, network: string): Buffer {
    return createHmac('sha256', this.key).update(`${text} ${network}`).digest().subarray(0, 16);
  }
}
