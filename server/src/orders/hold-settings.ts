import type { Sql } from '../platform/db/sql';

/** Rules by which paid orders go on hold for review; amounts are minor units, and null turns a rule off. */
interface HoldSettings {
  enabled: boolean;
  cny_from: number | null;
  usd_from: number | null;
  new_account_hours: number | null;
  codes_per_hour: number | null;
  countries: string[];
  networks: boolean;
  minutes: number;
  at_end: 'release' | 'refund';
}

/** Undefined until staff save settings; then no order goes on hold. */
export const holdSettings = (sql: Sql): Promise<HoldSettings | undefined> =>
  sql.row<HoldSettings>(
    `select enabled, cny_from, usd_from, new_account_hours, codes_per_hour, countries, networks, minutes, at_end from hold_settings`,
  );

export const asksForCountry = "exists (select 1 from hold_settings where enabled and countries <> '{}')";

/** Reason of a refund after review, as the order and the wallet log store it; order-texts.ts translates it. */
export const RISK_REASON = 'risk';
