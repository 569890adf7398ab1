import type { Sql } from '../../platform/db/sql';

/** How invitations count; amounts are minor units. */
export interface InviteSettings {
  enabled: boolean;
  percent: number;
  orders: number;
  within_days: number;
  hold_days: number;
  people_per_day: number;
  cny_per_day: number;
  usd_per_day: number;
}

/** Undefined while nobody has set anything: invitations do not count. */
export const inviteSettings = (sql: Sql): Promise<InviteSettings | undefined> =>
  sql.row<InviteSettings>(
    `select enabled, percent, orders, within_days, hold_days, people_per_day, cny_per_day, usd_per_day from invite_settings`,
  );

/** SQL condition. */
export const invitationsCount = 'exists (select 1 from invite_settings where enabled)';
