import { addDays, instantOf, localDay, localTime } from '@shop/shared/domain/time-zone';
import { setTimeZoneOffset } from '@shop/shared/i18n';

let zone = 'UTC';

/** Shows and reads every time in the shop's time zone, so that all staff mean the same day. */
export function setShopTimeZone(name: string): void {
  zone = name;
  setTimeZoneOffset((date) => (date.getTime() - Date.parse(`${localTime(date, name)}Z`)) / 60_000);
}

export const shopTimeZone = (): string => zone;

/** The shop's day ("2026-11-22") so many days ago. */
export const shopDay = (daysAgo: number): string => addDays(localDay(new Date(), zone), -daysAgo);

/** The shop's time as time inputs need it: `2026-11-22T20:00`. */
export const shopTime = (iso: string): string => localTime(new Date(iso), zone).slice(0, 16);

/** ISO 8601 of what a time input holds; null for an empty one. */
export const instantAt = (text: string): string | null => instantOf(text, zone).toJSON();
