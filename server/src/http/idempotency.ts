import { ErrorCode } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppContext } from '../context';
import { sha256 } from '../crypto/tokens';
import type { Sql } from '../db/sql';
import { errorEnvelope, ok } from './envelope';
import { fieldError, messageOf, ShopError, shopErrorOf } from './errors';
import { viewerOf } from './request';
import type { Envelope } from './schemas';

/** Requests of this process that are under way; with one connection the database can't tell them apart. */
const running = new Set<string>();

/** A call under its Idempotency-Key, for a function of the database that keeps its own answer. */
export interface KeyedCall {
  user: number;
  route: string;
  key: string;
  bodyHash: Buffer;
  requestId: string;
}

/**
 * Runs `work` in one transaction that also stores the answer under the request's Idempotency-Key, so a crash leaves both
 * or neither. Same key and body: the stored answer. Other body: IdempotencyKeyReused. Still running: RequestInProgress.
 * A ShopError is stored as an answer too; the changes of `work` are rolled back.
 */
export function once<T>(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (sql: Sql) => Promise<T>,
): Promise<Envelope<T>> {
  return alone(request, reply, ({ user, route, key, bodyHash }) =>
    context.db.withTransaction(async (sql) => {
      const { stored } = await sql.one<{ stored: string | null }>('select idempotency_take($1, $2, $3, $4) as stored', [
        user,
        route,
        key,
        bodyHash,
      ]);
      if (stored !== null) return stored;
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

const keptElsewhere: readonly ErrorCode[] = [
  ErrorCode.RequestInProgress,
  ErrorCode.IdempotencyKeyReused,
  ErrorCode.TooManyRequests,
];

/** The same for a function of the database that does it all in one statement and answers the text. An error is kept by another. */
export function onceInOneCall<T>(
  context: AppContext,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (keyed: KeyedCall) => Promise<string>,
): Promise<Envelope<T>> {
  return alone(request, reply, async (keyed) => {
    try {
      return await work(keyed);
    } catch (error) {
      const known = shopErrorOf(error);
      if (!known || keptElsewhere.includes(known.code)) throw error;
      const { user, route, key, bodyHash } = keyed;
      const { answer } = await context.db.one<{ answer: string }>(
        'select idempotency_keep($1, $2, $3, $4, $5) as answer',
        [user, route, key, bodyHash, JSON.stringify(errorEnvelope(request, known.code, known.data))],
      );
      return answer;
    }
  });
}

async function alone<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  work: (keyed: KeyedCall) => Promise<string>,
): Promise<Envelope<T>> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,64}$/.test(key)) {
    throw fieldError({ 'Idempotency-Key': messageOf(ErrorCode.InvalidInput, request.locale) });
  }
  const user = viewerOf(request).id;
  const route = request.routeOptions.url ?? '';
  const scope = `${user} ${route} ${key}`;
  const bodyHash = sha256(`${request.currency} ${canonical(request.body)}`);
  if (running.has(scope)) throw new ShopError(ErrorCode.RequestInProgress);
  running.add(scope);
  try {
    const answer = await work({ user, route, key, bodyHash, requestId: request.id });
    request.shopCode = codeOf(answer);
    // The stored text itself, so that a replay is the same to the byte.
    return reply.type('application/json; charset=utf-8').send(answer) as unknown as Envelope<T>;
  } finally {
    running.delete(scope);
  }
}

const codeOf = (answer: string) => (JSON.parse(answer) as Envelope<unknown>).code;

/** JSON with sorted names: the same body whatever order its fields came in. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    one && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
