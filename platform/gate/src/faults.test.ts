import { BROWSER_CHECKS, type BrowserCheck } from '@platform/releases';
import { type Fault, toChecks, type Visited } from './faults';
import { ROUNDS, type Round } from './rounds';

const passed = Object.fromEntries(BROWSER_CHECKS.map((check) => [check, 'well'])) as Record<BrowserCheck, string>;
const slow: Fault = { check: 'ready', where: '/home', what: 'not ready after 5 s', depends: 'on time' };
const visits = (options: Partial<Visited>): Visited[] =>
  ROUNDS.map((round: Round) => ({ where: '/home', round, faults: [], once: [], ...options }));
const ready = (options: Partial<Visited>) => toChecks(visits(options), passed).find(({ check }) => check === 'ready');

it('the gate passes a fault that only a busy machine caused and mentions it', () => {
  expect(ready({})).toEqual({ check: 'ready', outcome: 'passed', detail: 'well' });
  expect(ready({ once: [slow] })).toEqual({
    check: 'ready',
    outcome: 'passed',
    detail: 'well (found 6 times under load, not in a repeated visit: /home: not ready after 5 s)',
  });
});

it('the gate refuses a fault that a visit alone shows again', () => {
  expect(ready({ faults: [slow] })).toMatchObject({ outcome: 'failed', detail: '/home: not ready after 5 s' });
});
