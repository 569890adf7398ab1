/** The result of a drill as people read it, and what of the aim it does not meet. */
import type { DrillReport, DrillResult, GateOutcome, LiveOutcome } from './run-drills';

/** A release that passes the gate and goes to everybody is back within so many seconds. */
const AIM_SECONDS = 60;
/** Any other: a canary has fewer visitors, and the funnel needs more of them. */
const LONGER_AIM_SECONDS = 300;

const HEAD = [
  'bad release',
  'gate',
  'live for',
  'taken back by',
  'after',
  'got it',
  'met it',
  'tab reported',
  'tab well after',
];

const seconds = (value: number) => `${Math.round(value)} s`;

function gateCell(gate: GateOutcome | null): string {
  if (!gate) return '-';
  return `${gate.failed.length > 0 ? gate.failed.join(', ') : 'passes'}, ${seconds(gate.seconds)}`;
}

const tabCell = ({ tabSeconds }: LiveOutcome): string =>
  typeof tabSeconds === 'number' ? seconds(tabSeconds) : (tabSeconds ?? 'not well');

const row = ({ title, gate, stops, live }: DrillResult): string[] => [
  title,
  gateCell(gate),
  ...(live
    ? [
        `${live.traffic} %`,
        live.caughtBy ?? 'nobody',
        seconds(live.seconds),
        `${live.seen.ran} of ${live.seen.visits}`,
        String(live.seen.met),
        live.reported.join(', ') || (stops ? `nothing; nobody gets to ${stops}` : 'nothing'),
        tabCell(live),
      ]
    : ['nobody', ...HEAD.slice(3).map(() => '-')]),
];

export const drillRows = ({ drills }: DrillReport): string[][] => [HEAD, ...drills.map(row)];

/** One line for each drill and aim that was missed. */
export function missedAims({ drills }: DrillReport): string[] {
  return drills.flatMap(({ title, gate, expected, live }) => {
    const missed: string[] = [];
    if (!live) return missed;
    const isRefused = (gate?.failed.length ?? 0) > 0;
    const aim = isRefused || live.traffic < 100 ? LONGER_AIM_SECONDS : AIM_SECONDS;
    if (!live.caughtBy) missed.push('is caught by nobody once it is live');
    else if (live.caughtBy === 'ops') missed.push('passes the gate and is reported by no browser');
    else if (live.seconds > aim)
      missed.push(
        `is taken back after ${seconds(live.seconds)}, not within ${aim} s${isRefused ? ' (the gate refuses it)' : ''}`,
      );
    if (live.tabSeconds === null) missed.push('leaves a tab that needs its shopper');
    else if (live.tabSeconds === 'did not run it') missed.push('was not run by the tab');
    if (expected && !live.reported.includes(expected))
      missed.push(`is reported as "${expected}" by the generated visits only`);
    return missed.map((what) => `${title}: ${what}`);
  });
}

export function caption({ visitsAMinute, baselineSeconds, failedRequests, cores, loadAverage }: DrillReport): string[] {
  return [
    `Each release was judged by the gate (on one page), then made live past it, with ${visitsAMinute} visits a minute to that page.`,
    `The visits are generated: real documents and real reports over HTTP, each from an address of its own, after ${baselineSeconds} s of healthy ones.`,
    '"tab": one real browser that ran the release; the time from the rollback until it was sound with the release before.',
    '"nobody" in "live for": no browser and no step shows it, so it ends at the gate. "-" at the gate: the same fault was judged in a row above.',
    `All of it on ${cores} processor cores, with a load average of ${loadAverage.toFixed(1)} at the end.`,
    ...(failedRequests > 0 ? [`${failedRequests} generated requests failed.`] : []),
  ];
}
