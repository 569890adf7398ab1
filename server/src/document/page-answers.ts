import type { AnswerOutcome, GuestAnswers } from '@platform/pages/serving';
import { currencyOf, type Language } from '@shop/shared/domain';
import type { RequestLocale } from '../platform/http/request';
import type { PublicReads } from '../platform/response-cache/public-reads';
import type { PublicAnswer } from '../platform/response-cache/response-cache';
import type { DatabaseWait } from './database-wait';

export const guestIn = (language: Language): RequestLocale => ({ locale: language, currency: currencyOf(language) });

export const pageAnswers = (reads: Pick<PublicReads, 'answer' | 'peek'>, wait: DatabaseWait): GuestAnswers => ({
  shellCalls: ['/api/front/app/config'],
  currencyOf,
  async ask(address, language): Promise<AnswerOutcome> {
    const guest = guestIn(language);
    try {
      const answer = reads.peek(address, guest) ?? (await wait.for(() => reads.answer(address, guest)));
      return answer ? answerOf(answer) : 'refused';
    } catch {
      return 'unavailable';
    }
  },
  tagOf: (address, language) => reads.peek(address, guestIn(language))?.etag,
});

const answerOf = ({ etag, body }: PublicAnswer) => ({
  tag: etag,
  envelope: () => {
    // Every request has a different id, and no page shows it.
    const { request_id: _, ...envelope } = JSON.parse(body.toString()) as Record<string, unknown>;
    return envelope;
  },
});
