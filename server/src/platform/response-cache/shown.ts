import type { Sql } from '../db/sql';

type ScheduledTable = 'articles' | 'swipers' | 'custom_modules';

export const shownAt = (row: string, parameter: `$${number}`) =>
  `coalesce(${row}.starts_at <= ${parameter}, true) and coalesce(${row}.ends_at > ${parameter}, true)`;

export async function nextChange(sql: Sql, table: ScheduledTable, at: Date): Promise<{ expiresAt?: number }> {
  const next = await sql.value<Date | null>(
    `select least(min(starts_at) filter (where starts_at > $1), min(ends_at) filter (where ends_at > $1)) from ${table}`,
    [at],
  );
  return next ? { expiresAt: next.getTime() } : {};
}
