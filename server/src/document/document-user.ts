import type { User } from '@platform/pages/serving';
import type { FastifyRequest } from 'fastify';
import { documentToken, documentUser } from '../accounts/auth/document-session';
import type { Sql } from '../platform/db/sql';
import type { RequestLocale } from '../platform/http/request';
import type { PublicReads } from '../platform/response-cache/public-reads';
import type { UserReads } from '../platform/user-reads';
import type { DatabaseWait } from './database-wait';
import { guestIn } from './page-answers';

const SHELL_CALLS = ['/api/front/app/config', '/api/front/user/info'];

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
    const locale = guestIn(language);
    const ask = async (address: string) => {
      const userAnswer = await userReads.answer(address, { ...locale, viewer });
      if (userAnswer !== undefined) return userAnswer;
      const publicAnswer = await publicReads.answer(address, locale, viewer);
      return publicAnswer && JSON.parse(publicAnswer.body.toString());
    };
    return {
      session: viewer.tokenHash.toString('base64url'),
      mark: tokenStart,
      currency: locale.currency,
      shellCalls: SHELL_CALLS,
      ask: (address) => wait.for(() => ask(address)),
    };
  };
