import { forgetCodes } from '../auth/codes.service';
import type { Sql } from '../db/sql';
import { periods } from '../retention/periods';
import { forgetSessions } from '../sessions/sessions.service';

const BATCH = 2000;

/** Deletes what is kept for a time only, and sessions that were idle for longer than that, as of `now`; the database's time by default. */
export async function forget(sql: Sql, idleSeconds: number, now: Date | null = null): Promise<number> {
  const before = (text: string, period: string) =>
    sql.run(text.replace('cutoff', 'coalesce($1, now()) - $2::interval'), [now, period]);
  const responses = await before('delete from idempotency_keys where created_at < cutoff', periods.responses);
  const limits = await before('delete from rate_limits where resets_at < cutoff', periods.endedLimits);
  const sessions = await forgetSessions(sql, idleSeconds, now);
  const networks = await before('delete from known_addresses where seen_at < cutoff', periods.addresses);
  const enquiries = await before('delete from business_enquiries where created_at < cutoff', periods.enquiries);
  const { events } = await sql.one<{ events: number }>(
    `select forget_security_events(coalesce($1, now()) - $2::interval)
          + audit_forget_addresses(coalesce($1, now()) - $2::interval) as events`,
    [now, periods.addresses],
  );
  return responses + limits + sessions + networks + enquiries + events + (await forgetCodes(sql, now));
}

export function forgetOrderNetworks(sql: Sql, now: Date | null = null): Promise<number> {
  return sql.run(
    `update orders set network = null where id in (
       select id from orders where network is not null and created_at < coalesce($1, now()) - $2::interval
        order by id limit ${BATCH} for update skip locked)`,
    [now, periods.addresses],
  );
}
