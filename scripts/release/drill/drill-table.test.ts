import { print } from '../print';
import { missedAims } from './drill-table';
import type { DrillReport, DrillResult, LiveOutcome } from './run-drills';

const live = (given: Partial<LiveOutcome> = {}): LiveOutcome => ({
  traffic: 100,
  caughtBy: 'watcher',
  why: '100.0 % of 300 visits failed',
  seconds: 27.4,
  seen: { visits: 460, ran: 457, met: 228, orders: 0 },
  reported: ['render'],
  tabSeconds: 44.6,
  ...given,
});
const refused = { failed: ['browser', 'ready'], detail: 'browser: boom', seconds: 17.2 };
const passes = { failed: [], detail: '', seconds: 19 };
const result = (given: Partial<DrillResult> = {}): DrillResult => ({
  name: 'mount',
  title: 'throws on mount',
  gate: refused,
  expected: 'render',
  stops: null,
  live: live(),
  ...given,
});
const report = (...drills: DrillResult[]): DrillReport => ({
  visitsAMinute: 1_000,
  baselineSeconds: 60,
  failedRequests: 0,
  loadAverage: 1.25,
  cores: 2,
  drills,
});
const printed = (given: DrillReport | { only: readonly string[] }) => {
  const lines: string[] = [];
  print('drill', given, (line) => lines.push(line));
  return lines;
};

it('shows for each release what caught it, after how long, how many met it, and its tab', () => {
  const [head = '', row = '', ...rest] = printed(report(result()));
  const cells = (line: string) => line.split(/ {2,}/);
  expect(Object.fromEntries(cells(head).map((name, index) => [name, cells(row)[index]]))).toEqual({
    'bad release': 'throws on mount',
    gate: 'browser, ready, 17 s',
    'live for': '100 %',
    'taken back by': 'watcher',
    after: '27 s',
    'got it': '457 of 460',
    'met it': '228',
    'tab reported': 'render',
    'tab well after': '45 s',
  });
  expect(rest.join(' ')).toMatch(/1000 visits a minute.*generated.*real browser.*Each was caught/);
});

it.each<[string, Partial<DrillResult>, string]>([
  ['is too late', { gate: passes, live: live({ seconds: 96 }) }, 'taken back after 96 s, not within 60 s'],
  [
    'is seen by the funnel too late',
    { gate: passes, expected: null, stops: 'order', live: live({ caughtBy: 'canary', traffic: 50, seconds: 301 }) },
    'taken back after 301 s, not within 300 s',
  ],
  ['is caught by nobody', { live: live({ caughtBy: null }) }, 'caught by nobody once it is live'],
  [
    'passes the gate and that no browser reports',
    { gate: passes, expected: null, live: live({ caughtBy: 'ops', reported: [] }) },
    'passes the gate and is reported by no browser',
  ],
  ['its tab did not run', { live: live({ tabSeconds: 'did not run it' }) }, 'was not run by the tab'],
  [
    'a real browser does not report as the visits do',
    { live: live({ reported: ['error'] }) },
    'is reported as "render" by the generated visits only',
  ],
  ['leaves its tab broken', { live: live({ tabSeconds: null }) }, 'leaves a tab that needs its shopper'],
])('names a release that %s', (_, given, missed) => {
  const given_ = report(result(), result({ title: 'a late one', ...given }));
  expect(missedAims(given_)).toEqual([expect.stringContaining(`a late one: `)]);
  expect(missedAims(given_)[0]).toContain(missed);
  expect(printed(given_).join('\n')).toContain('Not as it should be:');
});

it('is content with one that ends at the gate because only ops could take it back', () => {
  const ended = report(result({ expected: null, live: null }));
  expect(missedAims(ended)).toEqual([]);
  expect(printed(ended)[1]?.split(/ {2,}/).slice(1, 4)).toEqual(['browser, ready, 17 s', 'nobody', '-']);
});

it('says how many of the generated requests failed', () => {
  expect(printed({ ...report(result()), failedRequests: 3 }).join('\n')).toContain('3 generated requests failed');
});
