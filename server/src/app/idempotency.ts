import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../crypto/tokens';
import type { Sql } from '../db/sql';
import { ok, type Shop, viewerOf } from './context';
import { fieldError, messageOf, ShopError } from './errors';
import { shopErrorOf } from './failure';
import type { Envelope } from './schema';

interface Stored {
  body_hash: Buffer;
  answer: string;
}

/** Requests of this process that are under way; with one connection the database can't tell them apart. */
const running = new Set<string>();

/**
 * Runs `work` in one transaction that also keeps the answer under the request's Idempotency-Key, so a crash leaves both
 * or neither. Same key and body: the stored answer. Other body: 40902. Still running: 40901. An error of the business is
 * an answer too; its changes are undone, it is kept.
 */
export async function once<T>(
  shop: Shop,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (sql: Sql) => Promise<T>,
): Promise<Envelope<T>> {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,64}$/.test(key)) {
    throw fieldError({ 'Idempotency-Key': messageOf(40001, request.locale) });
  }
  const user = viewerOf(request).id;
  const route = request.routeOptions.url ?? '';
  const scope = `${user} ${route} ${key}`;
  const bodyHash = sha256(`${request.currency} ${canonical(request.body)}`);
  if (running.has(scope)) throw new ShopError(40901);
  running.add(scope);
  try {
    const answer = await shop.db.withTransaction(async (sql) => {
      const { free } = await sql.one<{ free: boolean }>(
        'select pg_try_advisory_xact_lock(hashtextextended($1, 0)) as free',
        [scope],
      );
      if (!free) throw new ShopError(40901);
      const stored = await sql.row<Stored>(
        'select body_hash, answer from idempotency_keys where user_id = $1 and route = $2 and key = $3',
        [user, route, key],
      );
      if (stored) {
        if (!stored.body_hash.equals(bodyHash)) throw new ShopError(40902);
        return stored.answer;
      }
      await sql.script('savepoint work');
      let envelope: Envelope<unknown>;
      try {
        envelope = ok(request, await work(sql));
      } catch (error) {
        const known = shopErrorOf(error);
        if (!known || known.code === 42901) throw error;
        await sql.script('rollback to savepoint work');
        envelope = {
          code: known.code,
          message: messageOf(known.code, request.locale),
          data: known.data,
          request_id: request.id,
        };
      }
      const text = JSON.stringify(envelope);
      await sql.run(
        'insert into idempotency_keys (user_id, route, key, body_hash, answer) values ($1, $2, $3, $4, $5)',
        [user, route, key, bodyHash, text],
      );
      return text;
    });
    request.shopCode = (JSON.parse(answer) as Envelope<T>).code;
    // The stored text itself, so that a replay is the same to the byte.
    return reply.type('application/json; charset=utf-8').send(answer) as unknown as Envelope<T>;
  } finally {
    running.delete(scope);
  }
}

/** JSON with sorted names: the same body whatever order its fields came in. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    one && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
