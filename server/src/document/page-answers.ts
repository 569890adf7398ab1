import type { Language } from '@shop/shared/domain';
import type { RequestLocale } from '../platform/http/request';
import type { PublicReads } from '../platform/response-cache/public-reads';
import type { PublicAnswer } from '../platform/response-cache/response-cache';
import { DatabaseWait } from './database-wait';

export interface PageAnswer {
  /** Changes with the answer. */
  tag: string;
  envelope: () => unknown;
}

/** A guest who reads this language. */
export const guestIn = (language: Language): RequestLocale => ({
  locale: language,
  currency: language === 'en' ? 'USD' : 'CNY',
});

/** `unavailable`: the database cannot answer now. `refused`: no call that answers all guests alike. */
export type AnswerOutcome = PageAnswer | 'unavailable' | 'refused';

export interface AskApi {
  (address: string, guest: RequestLocale): Promise<AnswerOutcome>;
  /** Of the answer in memory; undefined where the API must be asked. */
  tagOf(address: string, guest: RequestLocale): string | undefined;
}

/** The API's answers to guests, from the response cache where it has them. */
export function askApi(reads: Pick<PublicReads, 'answer' | 'known'>, wait = new DatabaseWait()): AskApi {
  const ask = async (address: string, guest: RequestLocale): Promise<AnswerOutcome> => {
    const known = reads.known(address, guest);
    if (known) return answerOf(known);
    try {
      const answer = await wait.for(() => reads.answer(address, guest));
      return answer ? answerOf(answer) : 'refused';
    } catch {
      return 'unavailable';
    }
  };
  return Object.assign(ask, {
    tagOf: (address: string, guest: RequestLocale) => reads.known(address, guest)?.etag,
  });
}

const answerOf = ({ etag, body }: PublicAnswer): PageAnswer => ({
  tag: etag,
  envelope: () => {
    // Every request has another id, which no page shows.
    const { request_id: _, ...envelope } = JSON.parse(body.toString()) as Record<string, unknown>;
    return envelope;
  },
});
