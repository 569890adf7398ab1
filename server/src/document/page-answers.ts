import { createHash } from 'node:crypto';
import type { Currency, Language } from '@shop/shared/domain';
import type { FastifyInstance } from 'fastify';
import type { ResponseCache } from '../platform/response-cache/response-cache';
import { DatabaseWait } from './database-wait';

export interface PageAnswer {
  /** Changes with the answer. */
  tag: string;
  envelope: () => unknown;
}

export interface PageVisitor {
  language: Language;
  currency: Currency;
}

/** `unavailable`: the shop cannot answer now. `refused`: not for guests. */
export type AnswerOutcome = PageAnswer | 'unavailable' | 'refused';

export interface AskApi {
  (address: string, visitor: PageVisitor): Promise<AnswerOutcome>;
  /** Of the answer in memory; undefined where the API must be asked. */
  tagOf(address: string, visitor: PageVisitor): string | undefined;
}

/** GETs that pages make without a token. */
const PUBLIC = /^\/api\/front\/(?!user\/)[\w/-]+(?:\?[^\s#]*)?$/;
const REFUSED = [401, 403];

/** The API's answers to guests, from the response cache where it has them. */
export function askApi(app: FastifyInstance, responseCache: ResponseCache, wait = new DatabaseWait()): AskApi {
  const find = (address: string, { language, currency }: PageVisitor) =>
    responseCache.peek({ url: address, locale: language, currency });

  const load = async (address: string, visitor: PageVisitor): Promise<AnswerOutcome> => {
    const { language, currency } = visitor;
    await responseCache.check();
    const known = find(address, visitor);
    if (known) return answerOf(known);
    const response = await app.inject({ method: 'GET', url: address, headers: { locale: language, currency } });
    const { statusCode, headers, body } = response;
    if (REFUSED.includes(statusCode)) return 'refused';
    if (statusCode >= 500 || statusCode === 429 || !body.startsWith('{')) throw new UnavailableError();
    const envelope = withoutId(body);
    const tag = String(headers.etag ?? createHash('sha256').update(JSON.stringify(envelope)).digest('base64url'));
    return { tag, envelope: () => envelope };
  };

  const ask = async (address: string, visitor: PageVisitor): Promise<AnswerOutcome> => {
    if (!PUBLIC.test(address)) return 'refused';
    const known = find(address, visitor);
    return known ? answerOf(known) : wait.for(() => load(address, visitor)).catch(() => 'unavailable' as const);
  };
  return Object.assign(ask, { tagOf: (address: string, visitor: PageVisitor) => find(address, visitor)?.etag });
}

class UnavailableError extends Error {}

const answerOf = ({ etag, body }: { etag: string; body: Buffer }): PageAnswer => ({
  tag: etag,
  envelope: () => withoutId(body.toString()),
});

/** Every request has another id, which no page shows. */
function withoutId(body: string): unknown {
  const { request_id: _, ...envelope } = JSON.parse(body) as Record<string, unknown>;
  return envelope;
}
