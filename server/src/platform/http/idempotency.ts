import { ErrorCode, SUCCESS_CODE } from '@shop/shared/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256 } from '../crypto/tokens';
import type { Database } from '../db/database';
import type { Sql } from '../db/sql';
import { canonicalJson } from './canonical-json';
import { errorEnvelope, ok } from './envelope';
import { fieldError, messageOf, ShopError, shopErrorOf } from './errors';
import { viewerOf } from './request';
import type { Envelope } from './schemas';

export interface KeyedCall {
  user: number;
  route: string;
  key: string;
  bodyHash: Buffer;
  requestId: string;
  message: string;
}

/** A stored call as the database functions return it: its envelope, whose data may still need conversion for the response. */
export interface StoredCall<Data> {
  response: Envelope<Data>;
}

const keyOf = ({ user, route, key, bodyHash }: KeyedCall) => [user, route, key, bodyHash];

/** Responds with the result of `work`, which is stored with the request's Idempotency-Key in the same transaction. */
export function withIdempotency<T>(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  const stored = (call: KeyedCall) =>
    db.withTransaction(async (sql) => {
      const storedCall = await sql.one<StoredCall<T> | { response: null }>(
        'select response from idempotency_take($1, $2, $3, $4)',
        keyOf(call),
      );
      if (storedCall.response) return storedCall;
      const response = ok(request, await work(sql));
      await sql.run(
        'insert into idempotency_keys (user_id, route, key, body_hash, response) values ($1, $2, $3, $4, $5)',
        [...keyOf(call), JSON.stringify(response)],
      );
      return { response };
    });
  return withStoredResult(db, request, reply, (data) => data, stored);
}

const NEVER_STORED: readonly number[] = [
  ErrorCode.RequestInProgress,
  ErrorCode.IdempotencyKeyReused,
  ErrorCode.TooManyRequests,
  // The shopper proves their identity, and the client repeats the call with the same key.
  ErrorCode.WalletProofRequired,
];

/** Keys in use in this process; on the embedded database's single connection the database cannot distinguish them. */
const running = new Set<string>();

/**
 * Executes a call once per Idempotency-Key. `work` stores the response in the transaction that does the work, so a crash leaves
 * both or neither. The same key and body get the stored response, another body IdempotencyKeyReused, and a running call
 * RequestInProgress. A ShopError, whose transaction was rolled back, is stored as a response too. `toData` converts the stored
 * data, for the first response and for every replay, so that they are identical to the byte.
 */
export async function withStoredResult<Stored, T>(
  db: Database,
  request: FastifyRequest,
  reply: FastifyReply,
  toData: (stored: Stored) => T,
  work: (call: KeyedCall) => Promise<StoredCall<Stored>>,
): Promise<T> {
  const call = keyedCall(request);
  const scope = `${call.user} ${call.route} ${call.key}`;
  if (running.has(scope)) throw new ShopError(ErrorCode.RequestInProgress);
  running.add(scope);
  try {
    const { response } = await work(call).catch((error) => storeRefusal<Stored>(db, request, call, error));
    const data = response.code === SUCCESS_CODE ? toData(response.data) : response.data;
    request.shopCode = response.code;
    const { code, message, request_id } = response;
    const text = JSON.stringify({ code, message, data, request_id });
    return reply.type('application/json; charset=utf-8').send(text) as unknown as T;
  } finally {
    running.delete(scope);
  }
}

function storeRefusal<Stored>(
  db: Database,
  request: FastifyRequest,
  call: KeyedCall,
  error: unknown,
): Promise<StoredCall<Stored>> {
  const shopError = shopErrorOf(error);
  if (!shopError || NEVER_STORED.includes(shopError.code)) throw error;
  return db.one('select response from idempotency_keep($1, $2, $3, $4, $5)', [
    ...keyOf(call),
    JSON.stringify(errorEnvelope(request, shopError.code, shopError.data)),
  ]);
}

function keyedCall(request: FastifyRequest): KeyedCall {
  const key = request.headers['idempotency-key'];
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,64}$/.test(key)) {
    throw fieldError({ 'Idempotency-Key': messageOf(ErrorCode.InvalidInput, request.locale) });
  }
  return {
    user: viewerOf(request).id,
    route: request.routeOptions.url ?? '',
    key,
    bodyHash: sha256(`${request.currency} ${canonicalJson(request.body)}`),
    requestId: request.id,
    message: messageOf(SUCCESS_CODE, request.locale),
  };
}
