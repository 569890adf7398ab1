import { BROWSER_CHECKS, type BrowserCheck } from '@platform/releases';
import { type Fault, toChecks, type Visited } from './faults';
import { describeRounds, ROUNDS, type Round } from './rounds';

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

const axes = {
  visitor: ['guest', 'signed in'],
  language: ['zh-CN', 'en'],
  width: [390, 1280],
  answers: ['as they are', 'slow'],
  theme: ['light', 'dark'],
  document: ['rendered', 'skeleton'],
} as const;

it('the gate’s rounds contain every pair of settings', () => {
  const names = Object.keys(axes) as Array<keyof Round>;
  const missing: string[] = [];
  for (const one of names)
    for (const other of names.slice(names.indexOf(one) + 1))
      for (const left of axes[one])
        for (const right of axes[other])
          if (!ROUNDS.some((round) => round[one] === left && round[other] === right)) missing.push(`${left} ${right}`);
  expect(missing).toEqual([]);
});

it('a summary of failed rounds names the setting that they have in common', () => {
  const of = (wanted: Partial<Round>) =>
    ROUNDS.filter((round) => Object.entries(wanted).every(([axis, value]) => round[axis as keyof Round] === value));
  expect(describeRounds(ROUNDS, ROUNDS)).toBe('');
  expect(describeRounds(of({ language: 'en' }), ROUNDS)).toBe('en');
  expect(describeRounds(of({ visitor: 'signed in' }), ROUNDS)).toBe('signed in');
  expect(describeRounds(of({ width: 390 }), ROUNDS)).toBe('390 px');
  expect(describeRounds(ROUNDS.slice(1, 2), ROUNDS)).toBe('signed in, 390 px');
  expect(describeRounds(ROUNDS.slice(0, 2), ROUNDS)).toBe('390 px, answers as they are');
  expect(describeRounds([ROUNDS[0] as Round, ROUNDS[5] as Round], ROUNDS)).toBe(
    'guest, zh-CN, 390 px, answers as they are; signed in, en, 1280 px, answers slow',
  );
});
