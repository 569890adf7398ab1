import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../../context';
import { closeExpired } from '../../orders/read-orders.service';
import { addEntry, shopper } from '../../platform/audit/audit';
import { randomNumber } from '../../platform/crypto/tokens';
import type { Sql } from '../../platform/db/sql';
import { ShopError, shopErrorOf } from '../../platform/http/errors';
import { wireAmount } from '../../platform/http/money';
import type { Viewer } from '../../platform/http/request';
import { confirmUser } from '../auth/auth.service';
import { periods, secondsOf } from '../retention/periods';
import type { AccountProof, CloseAccountAnswer, Closure, ClosureReason } from './privacy.schemas';

const DAY_SECONDS = 86_400;
const BATCH = 20;

const blockersOf = (sql: Sql, userId: number) => sql.value<ClosureReason[]>('select account_blockers($1)', [userId]);

/** Throws AccountHasBalance or AccountHasOpenMatters, with the reasons as data. */
export async function requireNothingOpen(sql: Sql, userId: number): Promise<void> {
  const reasons = await blockersOf(sql, userId);
  if (reasons.length === 0) return;
  const code = reasons[0] === 'balance' ? ErrorCode.AccountHasBalance : ErrorCode.AccountHasOpenMatters;
  throw new ShopError(code, { reasons });
}

export async function closureOf(sql: Sql, viewer: Viewer): Promise<Closure> {
  await closeExpired(sql, viewer.id);
  const withdrawnAt = await sql.value<Date | null>('select close_withdrawn_at from users where id = $1', [viewer.id]);
  const balances = await sql.rows<Closure['balances'][number]>(
    `select currency, ${wireAmount('balance')} as balance, ${wireAmount('frozen')} as frozen from wallets
      where user_id = $1 and (balance > 0 or frozen > 0) order by currency`,
    [viewer.id],
  );
  return {
    reasons: await blockersOf(sql, viewer.id),
    balances,
    days: secondsOf('closure') / DAY_SECONDS,
    withdrawn_at: withdrawnAt?.toISOString() ?? null,
  };
}

export async function closeAccount(
  context: AppContext,
  viewer: Viewer,
  proof: AccountProof,
  address: string,
): Promise<CloseAccountAnswer> {
  const { db } = context;
  await closeExpired(db, viewer.id);
  await requireNothingOpen(db, viewer.id);
  await confirmUser(context, viewer, 'account', proof, address);
  return db.withTransaction(async (sql) => {
    // The row is locked as for a new order, so that none is placed between this check and the closure.
    await sql.one('select 1 from users where id = $1 for update', [viewer.id]);
    await requireNothingOpen(sql, viewer.id);
    const closeAt = await sql.value<Date>(
      `update users set close_requested_at = clock_timestamp(), close_at = clock_timestamp() + $2::interval, close_withdrawn_at = null
        where id = $1 returning close_at`,
      [viewer.id, periods.closure],
    );
    await sql.run('delete from sessions where user_id = $1', [viewer.id]);
    const answer = { close_at: closeAt.toISOString() };
    const actor = shopper(address, viewer.tokenHash);
    await addEntry(sql, { ...actor, action: 'account.close', userId: viewer.id, detail: answer });
    return answer;
  });
}

/**
 * Erases a user: data that the law and the ledger need stays under a pseudonym, which is returned. Throws AccountHasBalance or
 * AccountHasOpenMatters, and WrongCredentials for an account that is already erased.
 */
export async function eraseAccount(sql: Sql, userId: number, actor: string, reason: string): Promise<string> {
  const pseudonym = `erased-${randomNumber(12)}`;
  await sql.run('select account_erase($1, $2, $3, $4)', [userId, pseudonym, actor, reason]);
  return pseudonym;
}

/**
 * Erases accounts whose period is over at `now` (by default the time of the database). An account that has received money or a
 * refund meanwhile is deferred by a day; /staff shows why, under Find.
 */
export async function eraseClosed({ db }: AppContext, now: Date | null = null): Promise<number> {
  const eraseNext = () =>
    db.withTransaction(async (sql) => {
      const due = await sql.row<{ id: number }>(
        'select id from users where close_at <= coalesce($1, now()) order by close_at limit 1 for update skip locked',
        [now],
      );
      if (!due) return false;
      await closeExpired(sql, due.id);
      await sql.script('savepoint erasure');
      try {
        await eraseAccount(sql, due.id, 'job', 'closed by its owner');
      } catch (error) {
        if (!shopErrorOf(error)) throw error;
        await sql.script('rollback to savepoint erasure');
        await sql.run("update users set close_at = coalesce($2, now()) + interval '1 day' where id = $1", [
          due.id,
          now,
        ]);
      }
      return true;
    });
  let done = 0;
  while (done < BATCH && (await eraseNext())) done++;
  return done;
}
