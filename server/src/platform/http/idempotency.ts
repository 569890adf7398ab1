import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../crypto/tokens';
import type { Database } from '../db/database';
import type { Sql } from '../db/sql';
import { canonicalJson } from './canonical-json';
import { errorEnvelope, ok } from './envelope';
import { fieldError, messageOf, ShopError, shopErrorOf } from './errors';
import { viewerOf } from './request';
import type { Envelope, Locale } from './schemas';

/** One call under its Idempotency-Key. */
export interface KeyedCall {
  user: number;
  route: string;
  key: string;
  bodyHash: Buffer;
  requestId: string;
  locale: Locale;
}

/** A stored call as the database functions return it: the response as it was sent, or the data that it is made of. */
export interface StoredCall<Result> {
  answer: string | null;
  result: (Result & { request_id: string; locale: Locale }) | null;
}

/**
 * Runs `work` in one transaction that also stores the response under the request's Idempotency-Key, so a crash leaves both
 * or neither. Same key and body: the stored response. Other body: IdempotencyKeyReused. Still running: RequestInProgress.
 * A ShopError is stored as a response too; the changes of `work` are rolled back.
 */
export function withIdempotency<T>(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (sql: Sql) => Promise<T>,
): Promise<Envelope<T>> {
  return sendOnce(request, reply, ({ user, route, key, bodyHash }) =>
    db.withTransaction(async (sql) => {
      const { answer } = await sql.one<{ answer: string | null }>(
        'select answer from idempotency_take($1, $2, $3, $4)',
        [user, route, key, bodyHash],
      );
      if (answer !== null) return answer;
      await sql.script('savepoint work');
      let envelope: Envelope<unknown>;
      try {
        envelope = ok(request, await work(sql));
      } catch (error) {
        const known = shopErrorOf(error);
        if (!known || known.code === ErrorCode.TooManyRequests) throw error;
        await sql.script('rollback to savepoint work');
        envelope = errorEnvelope(request, known.code, known.data);
      }
      const text = JSON.stringify(envelope);
      await sql.run(
        'insert into idempotency_keys (user_id, route, key, body_hash, answer) values ($1, $2, $3, $4, $5)',
        [user, route, key, bodyHash, text],
      );
      return text;
    }),
  );
}

const NEVER_STORED: readonly number[] = [
  ErrorCode.RequestInProgress,
  ErrorCode.IdempotencyKeyReused,
  ErrorCode.TooManyRequests,
  // The shopper proves to be there, and the call is repeated under its key.
  ErrorCode.WalletProofRequired,
];

/** The same for a database function that does the work and stores its result in one statement; `toData` makes the data of it. */
export function withStoredResult<Result, T>(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (call: KeyedCall) => Promise<StoredCall<Result>>,
  toData: (result: Result) => T,
): Promise<Envelope<T>> {
  // The first response and every replay are made of the same stored row, so they are the same to the byte.
  const textOf = ({ answer, result }: StoredCall<Result>) =>
    result ? JSON.stringify(ok({ locale: result.locale, id: result.request_id }, toData(result))) : (answer ?? '');
  return sendOnce(request, reply, async (call) => {
    try {
      return textOf(await work(call));
    } catch (error) {
      const known = shopErrorOf(error);
      if (!known || NEVER_STORED.includes(known.code)) throw error;
      const failure = JSON.stringify(errorEnvelope(request, known.code, known.data));
      return textOf(
        await db.one<StoredCall<Result>>('select answer, result from idempotency_keep($1, $2, $3, $4, $5)', [
          call.user,
          call.route,
          call.key,
          call.bodyHash,
          failure,
        ]),
      );
    }
  });
}

/** Keys in use in this process; on the embedded database's single connection the database cannot tell them apart. */
const running = new Set<string>();

async function sendOnce<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (call: KeyedCall) => Promise<string>,
): Promise<Envelope<T>> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,64}$/.test(key)) {
    throw fieldError({ 'Idempotency-Key': messageOf(ErrorCode.InvalidInput, request.locale) });
  }
  const user = viewerOf(request).id;
  const route = request.routeOptions.url ?? '';
  const scope = `${user} ${route} ${key}`;
  const bodyHash = sha256(`${request.currency} ${canonicalJson(request.body)}`);
  if (running.has(scope)) throw new ShopError(ErrorCode.RequestInProgress);
  running.add(scope);
  try {
    const text = await work({ user, route, key, bodyHash, requestId: request.id, locale: request.locale });
    request.shopCode = (JSON.parse(text) as Envelope<unknown>).code;
    return reply.type('application/json; charset=utf-8').send(text) as unknown as Envelope<T>;
  } finally {
    running.delete(scope);
  }
}
