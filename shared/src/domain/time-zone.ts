const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

/** Throws a RangeError for a name that is not in the IANA database. */
function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    const digits = { month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;
    format = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', year: 'numeric', ...digits });
    formats.set(zone, format);
  }
  return format;
}

/** Whether `name` is an IANA time zone like "Asia/Shanghai"; an offset like "+08:00" is none. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[a-z]/i.test(name) && Boolean(formatOf(name));
  } catch {
    return false;
  }
}

/** The time on a clock in the zone, to the second: "2026-11-01T01:30:00". */
export function localTime(at: Date, zone: string): string {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year?.padStart(4, '0')}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}

/** The day in the zone: "2026-11-01". */
export const localDay = (at: Date, zone: string): string => localTime(at, zone).slice(0, 10);

/**
 * The time at which clocks in the zone show `local` ("2026-11-01" or "2026-11-01T01:30"): the first of two where clocks go back, and as much
 * later as clocks go forward where they skip it. An Invalid Date for a day or time that does not exist.
 */
export function instantOf(local: string, zone: string): Date {
  const asUtc = new Date(`${local.slice(0, 10)}${local.slice(10) || 'T00:00'}Z`);
  if (!asUtc.toJSON()?.startsWith(local)) return new Date(Number.NaN);
  const offsetAt = (ms: number) => Date.parse(`${localTime(new Date(ms), zone)}Z`) - ms;
  const candidates = [-DAY_MS, DAY_MS].map((shift) => asUtc.getTime() - offsetAt(asUtc.getTime() + shift));
  const exact = candidates.filter((ms) => ms + offsetAt(ms) === asUtc.getTime());
  return new Date(exact.length > 0 ? Math.min(...exact) : (candidates[0] ?? Number.NaN));
}

/** The day `count` days after `day` ("2026-11-01"). */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

/** The same time on the clock, `count` days after `at`; to the second. */
export function daysLater(at: Date, count: number, zone: string): Date {
  const local = localTime(at, zone);
  return instantOf(addDays(local.slice(0, 10), count) + local.slice(10), zone);
}

/** 24:00 of a day ("2026-11-01") in the zone; an Invalid Date for a day that does not exist. */
export const endOfDay = (day: string, zone: string): Date =>
  Number.isNaN(instantOf(day, zone).getTime()) ? new Date(Number.NaN) : instantOf(addDays(day, 1), zone);
