import { periods } from '../accounts/retention/periods';
import { FRESH_SECONDS } from '../accounts/sessions/sessions.service';
import { BATCH, deleteRows, inBatches, tryAll } from '../platform/db/batches';
import type { Sql } from '../platform/db/sql';

export function forget(sql: Sql, idleSeconds: number, now: Date | null = null): Promise<number> {
  const before = (table: string, column: string, period: string) => () =>
    deleteRows(sql, table, `${column} < coalesce($1, now()) - $2::interval`, [now, period]);
  const forgetSecurityEvents = () =>
    sql.value<number>(`select forget_security_events(coalesce($1, now()) - $2::interval, ${BATCH})`, [
      now,
      periods.addresses,
    ]);
  return tryAll([
    before('idempotency_keys', 'created_at', periods.responses),
    before('rate_limits', 'resets_at', periods.endedLimits),
    () =>
      deleteRows(
        sql,
        'sessions',
        'expires_at < coalesce($1, now()) or seen_at < coalesce($1, now()) - make_interval(secs => $2)',
        [now, idleSeconds],
      ),
    before('session_orders', 'at', `${FRESH_SECONDS} seconds`),
    before('known_devices', 'proved_at', periods.devices),
    before('known_addresses', 'seen_at', periods.addresses),
    before('payers', 'seen_at', periods.payers),
    before('payment_countries', 'at', periods.payers),
    before('business_enquiries', 'created_at', periods.enquiries),
    before('notices', 'created_at', periods.notices),
    before('stock_wishes', 'created_at', periods.stockWishes),
    () => inBatches(forgetSecurityEvents),
    before('verification_codes', 'expires_at', periods.endedCode),
    before('code_sends', 'at', periods.codeSends),
    before('dev_outbox', 'at', periods.codeSends),
    before('dev_mails', 'at', periods.codeSends),
  ]);
}

/** Batch size: updating an order costs more than deleting a row. */
const ORDERS = 2000;

export const forgetOrderNetworks = (sql: Sql, now: Date | null = null): Promise<number> =>
  inBatches(
    () =>
      sql.run(
        `update orders set network = null where id = any(array(
           select id from orders where network is not null and created_at < coalesce($1, now()) - $2::interval
            order by created_at limit ${ORDERS} for update skip locked))`,
        [now, periods.addresses],
      ),
    ORDERS,
  );
