import { ErrorCode } from '@shop/shared/domain';
import { addEntry, announce, entryValues, insertEntry, shopper } from '../audit/audit';
import type { TokenAnswer } from '../auth/auth.schemas';
import { randomToken, sha256 } from '../crypto/tokens';
import type { Database } from '../db/database';
import type { Sql } from '../db/sql';
import { ShopError } from '../http/errors';
import { networkOf } from '../http/networks';
import type { Viewer } from '../http/request';
import { deviceName } from './device-name';
import type { Session } from './sessions.schemas';

const SESSION_SECONDS = 30 * 24 * 3600;
/** Of the list. */
const MOST_SHOWN = 100;

/** Where a sign-in comes from. */
export interface Visitor {
  address: string;
  userAgent: string;
}

export async function openSession(
  sql: Sql,
  account: { id: number; is_usable: number },
  { address, userAgent }: Visitor,
): Promise<TokenAnswer> {
  if (account.is_usable === 0) {
    await addEntry(sql, {
      ...shopper(address),
      action: 'session.refuse',
      userId: account.id,
      detail: { by: 'disabled' },
    });
    throw new ShopError(ErrorCode.AccountDisabled);
  }
  const token = randomToken();
  const entry = { ...shopper(address, sha256(token)), action: 'session.open', userId: account.id };
  const { browser, system } = deviceName(userAgent);
  await sql.run(
    `insert into sessions (token_hash, user_id, address, browser, system, expires_at)
     values ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6))`,
    [sha256(token), account.id, address, browser, system, SESSION_SECONDS],
  );
  const stored = await sql.one<{ id: number }>(
    `with known as (insert into known_addresses (user_id, address) values ($8, $9) on conflict do nothing) ${insertEntry(1)}`,
    [...entryValues(entry), account.id, networkOf(address)],
  );
  announce(entry, stored);
  return { token_type: 'Bearer', access_token: token, expires_in: SESSION_SECONDS };
}

export async function closeSession(sql: Sql, viewer: Viewer, address: string): Promise<void> {
  const entry = { ...shopper(address, viewer.tokenHash), action: 'session.close', userId: viewer.id };
  const stored = await sql.one<{ id: number }>(
    `with ended as (delete from sessions where token_hash = $8) ${insertEntry(1)}`,
    [...entryValues(entry), viewer.tokenHash],
  );
  announce(entry, stored);
}

export async function listSessions(sql: Sql, viewer: Viewer, idleSeconds: number): Promise<Session[]> {
  const rows = await sql.rows<Omit<Session, 'created_at' | 'seen_at'> & { created_at: Date; seen_at: Date }>(
    `select id, browser, system, created_at, seen_at, token_hash = $2 as current from sessions
      where user_id = $1 and expires_at > clock_timestamp() and seen_at > clock_timestamp() - make_interval(secs => $3)
      order by current desc, seen_at desc, id limit ${MOST_SHOWN}`,
    [viewer.id, viewer.tokenHash, idleSeconds],
  );
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    seen_at: row.seen_at.toISOString(),
  }));
}

/** Ends one session of the viewer's, or all but this one. Another person's is not found. Returns how many have ended. */
export function endSessions(
  db: Database,
  viewer: Viewer,
  which: { id: string } | 'others',
  address: string,
): Promise<number> {
  return db.withTransaction(async (sql) => {
    const ended = await sql.run(
      `delete from sessions where user_id = $1
          and case when $2::uuid is null then token_hash <> $3 else id = $2::uuid end`,
      [viewer.id, which === 'others' ? null : which.id, viewer.tokenHash],
    );
    if (ended)
      await addEntry(sql, {
        ...shopper(address, viewer.tokenHash),
        action: 'session.end',
        userId: viewer.id,
        detail: { ended },
      });
    return ended;
  });
}

/** Deletes sessions that have ended by time. */
export const forgetSessions = (sql: Sql, idleSeconds: number): Promise<number> =>
  sql.run('delete from sessions where expires_at < now() or seen_at < now() - make_interval(secs => $1)', [
    idleSeconds,
  ]);
