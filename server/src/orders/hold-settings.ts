import type { Sql } from '../platform/db/sql';

/** Which paid orders are held for a look; amounts are minor units, and null is a rule that is off. */
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

/** Undefined while nobody has set anything: nothing is held. */
export const holdSettings = (sql: Sql): Promise<HoldSettings | undefined> =>
  sql.row<HoldSettings>(
    `select enabled, cny_from, usd_from, new_account_hours, codes_per_hour, countries, networks, minutes, at_end from hold_settings`,
  );

/** SQL condition: a rule asks from which country somebody pays. */
export const asksForCountry = "exists (select 1 from hold_settings where enabled and countries <> '{}')";

/** The reason of a refund after a look, as the order and the wallet's log have it; order-texts.ts words it. */
export const RISK_REASON = 'risk';
