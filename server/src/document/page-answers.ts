import type { AnswerOutcome, Guest, User } from '@platform/pages/serving';
import { currencyOf, type Language } from '@shop/shared/domain';
import type { FastifyRequest } from 'fastify';
import { documentToken, documentUser } from '../accounts/auth/session-lookup';
import type { Sql } from '../platform/db/sql';
import type { RequestLocale } from '../platform/http/request';
import type { PublicReads } from '../platform/response-cache/public-reads';
import type { UserReads } from '../platform/user-reads';
import type { DatabaseWait } from './database-wait';

export const guestLocale = (language: Language): RequestLocale => ({
  locale: language,
  currency: currencyOf(language),
});

export const documentGuests =
  (reads: Pick<PublicReads, 'answer' | 'peek'>, wait: DatabaseWait) =>
  (language: Language): Guest => {
    const guest = guestLocale(language);
    return {
      currency: guest.currency,
      async ask(address): Promise<AnswerOutcome> {
        try {
          const answer = reads.peek(address, guest) ?? (await wait.for(() => reads.answer(address, guest)));
          if (!answer) return 'refused';
          const envelope = () => {
            // Every request has a different id, and no page shows it.
            const { request_id: _, ...rest } = JSON.parse(answer.body.toString()) as Record<string, unknown>;
            return rest;
          };
          return { tag: answer.etag, envelope };
        } catch {
          return 'unavailable';
        }
      },
      tagOf: (address) => reads.peek(address, guest)?.etag,
    };
  };

interface DocumentUsers {
  sql: Sql;
  publicReads: Pick<PublicReads, 'answer'>;
  userReads: Pick<UserReads, 'answer'>;
  sessionIdleSeconds: number;
  wait: DatabaseWait;
}

/** Resolves to undefined while the database does not respond. */
export const documentUsers =
  ({ sql, publicReads, userReads, sessionIdleSeconds, wait }: DocumentUsers) =>
  async (request: FastifyRequest, language: RequestLocale['locale']): Promise<User | 'guest' | undefined> => {
    if (!documentToken(request)) return 'guest';
    const session = await wait
      .for(async () => (await documentUser(sql, request, sessionIdleSeconds)) ?? 'guest')
      .catch(() => undefined);
    if (typeof session !== 'object') return session;
    const { viewer, tokenStart } = session;
    const locale = guestLocale(language);
    const ask = async (address: string): Promise<AnswerOutcome> => {
      const userAnswer = await userReads.answer(address, { ...locale, viewer });
      if (userAnswer !== undefined) return { tag: '', envelope: () => userAnswer };
      const publicAnswer = await publicReads.answer(address, locale, viewer);
      return publicAnswer ? { tag: '', envelope: () => JSON.parse(publicAnswer.body.toString()) } : 'refused';
    };
    return {
      session: viewer.tokenHash.toString('base64url'),
      mark: tokenStart,
      currency: locale.currency,
      ask: (address) => wait.for(() => ask(address)),
    };
  };
