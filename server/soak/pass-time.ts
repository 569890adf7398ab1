import type { Sql } from '../src/platform/db/sql';

/** The run has no days: leases and pauses of suppliers and of notices end, limits are forgotten, and what is held has waited long enough. */
export async function passTime(sql: Sql): Promise<void> {
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp(), sent_at = sent_at - interval '3 minutes'
      where state in (0, 1, 3) and next_at < 'infinity'`,
  );
  await sql.run('delete from rate_limits');
  await sql.run('update orders set held_until = clock_timestamp() where held_until is not null');
  await sql.run(
    `update notices set created_at = created_at - interval '25 hours',
       due_at = case state when 'waiting' then clock_timestamp() else due_at end`,
  );
}
