/** @jest-environment node */
import { addDays, daysLater, endOfDay, instantOf, isTimeZone, localDay, localTime } from './time-zone';

it.each([
  ['America/New_York', '2026-03-08', '2026-03-08T05:00', '2026-03-09T04:00'],
  ['America/New_York', '2026-11-01', '2026-11-01T04:00', '2026-11-02T05:00'],
  ['Australia/Sydney', '2026-04-05', '2026-04-04T13:00', '2026-04-05T14:00'],
  ['Australia/Sydney', '2026-10-04', '2026-10-03T14:00', '2026-10-04T13:00'],
  ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00', '2026-04-05T13:30'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-10-03T13:30', '2026-10-04T13:00'],
  ['Asia/Kolkata', '2026-03-08', '2026-03-07T18:30', '2026-03-08T18:30'],
  ['Asia/Shanghai', '2026-11-01', '2026-10-31T16:00', '2026-11-01T16:00'],
  // Clocks skip this midnight, or show it twice.
  ['America/Santiago', '2026-09-06', '2026-09-06T04:00', '2026-09-07T03:00'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00', '2026-11-02T05:00'],
])('in %s the %s begins at %sZ and ends at %sZ', (zone, day, from, until) => {
  expect([instantOf(day, zone), endOfDay(day, zone)]).toEqual([new Date(`${from}Z`), new Date(`${until}Z`)]);
  expect(localDay(new Date(`${from}Z`), zone)).toBe(day);
  expect(localDay(new Date(Date.parse(`${until}Z`) - 1), zone)).toBe(day);
  expect(localDay(new Date(`${until}Z`), zone)).toBe(addDays(day, 1));
});

it('reads a time that clocks show twice as the first, and a skipped one as later', () => {
  const read = (local: string, zone = 'America/New_York') => localTime(instantOf(local, zone), zone);
  expect(instantOf('2026-11-01T01:30', 'America/New_York')).toEqual(new Date('2026-11-01T05:30Z'));
  expect(read('2026-03-08T02:30')).toBe('2026-03-08T03:30:00');
  expect(read('2026-10-04T02:10', 'Australia/Lord_Howe')).toBe('2026-10-04T02:40:00');
  expect(read('2026-12-31T23:59')).toBe('2026-12-31T23:59:00');
});

it.each([
  ['America/New_York', '2026-03-01T15:00:05Z', '2026-03-15T14:00:05Z'],
  ['Australia/Sydney', '2026-03-30T15:00:05Z', '2026-04-13T16:00:05Z'],
  ['Australia/Lord_Howe', '2026-09-25T15:00:05Z', '2026-10-09T14:30:05Z'],
  ['Asia/Shanghai', '2026-03-01T15:00:05Z', '2026-03-15T15:00:05Z'],
])('in %s two weeks after %s is %s', (zone, at, later) => {
  expect(daysLater(new Date(at), 14, zone)).toEqual(new Date(later));
});

it('refuses days that do not exist, and names that are no time zone', () => {
  for (const day of ['2026-02-29', '2026-04-31', '2026-13-01', '', '1/2/2026'])
    expect([instantOf(day, 'UTC').getTime(), endOfDay(day, 'UTC').getTime()]).toEqual([Number.NaN, Number.NaN]);
  expect(['UTC', 'Asia/Kolkata', 'America/Argentina/Ushuaia'].filter(isTimeZone)).toHaveLength(3);
  expect(['', '+08:00', 'GMT+8', 'Asia/Peking', 'China Standard Time', '../etc'].filter(isTimeZone)).toEqual([]);
});
