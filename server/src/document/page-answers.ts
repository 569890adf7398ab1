import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { ResponseCache } from '../response-cache/response-cache';

export interface PageAnswer {
  /** Changes with the answer. */
  tag: string;
  envelope: () => unknown;
}

export interface PageVisitor {
  language: 'zh-CN' | 'en';
  currency: 'CNY' | 'USD';
}

/** `unavailable`: the shop cannot answer now. `refused`: not for guests. */
export type AnswerOutcome = PageAnswer | 'unavailable' | 'refused';
export type AskApi = (address: string, visitor: PageVisitor) => Promise<AnswerOutcome>;

/** GETs that pages make without a token. */
const PUBLIC = /^\/api\/front\/(?!user\/)[\w/-]+(?:\?[^\s#]*)?$/;
const REFUSED = [401, 403];

/** The API's answers to guests, from the response cache where it has them. */
export function askApi(app: FastifyInstance, responseCache: ResponseCache): AskApi {
  return async (address, { language, currency }) => {
    if (!PUBLIC.test(address)) return 'refused';
    const known = responseCache.peek({ url: address, locale: language, currency });
    if (known) return { tag: known.etag, envelope: () => withoutId(known.body.toString()) };
    const response = await app.inject({ method: 'GET', url: address, headers: { locale: language, currency } });
    const { statusCode, headers, body } = response;
    if (REFUSED.includes(statusCode)) return 'refused';
    if (statusCode >= 500 || statusCode === 429 || !body.startsWith('{')) return 'unavailable';
    const envelope = withoutId(body);
    const tag = String(headers.etag ?? createHash('sha256').update(JSON.stringify(envelope)).digest('base64url'));
    return { tag, envelope: () => envelope };
  };
}

/** Every request has another id, which no page shows. */
function withoutId(body: string): unknown {
  const { request_id: _, ...envelope } = JSON.parse(body) as Record<string, unknown>;
  return envelope;
}
