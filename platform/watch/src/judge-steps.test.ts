import type { StepRule } from '@platform/releases';
import { repetitions } from '../../../scripts/jest/test-scale';
import { judgeSteps, type Reach, type StepSample, stepsWaitFor } from './judge-steps';
import { simulatePromote } from './testing/simulate-steps';

const rule: StepRule = { from: 'page', to: 'done' };
const reach = (visits: number, reached: number): Reach => ({ visits, reached });
const sample = (fresh: Reach, control: Reach, others: Reach, more: Partial<StepRule> = {}): StepSample => ({
  rule: { ...rule, ...more },
  fresh: { all: fresh },
  control: { all: control },
  others: { all: others },
});
const judged = (one: StepSample, traffic = 10) => judgeSteps([one], traffic, 600)[0];

it.each([
  [1_000, 10, 120],
  [100, 10, 600],
  [10, 50, 1_440],
])(
  'a canary as good as the others is not rolled back, at %i visits a minute with %i %%',
  (visitsAMinute, traffic, minutes) => {
    const runs = Array.from({ length: repetitions(60) }, (_, seed) =>
      simulatePromote({ seed: seed + 1, visitsAMinute, traffic, share: 0.05, factor: 1, minutes }),
    );
    expect(runs.filter(({ bad }) => bad !== null)).toEqual([]);
    expect(runs.filter(({ good }) => good !== null).length).toBeGreaterThan(0.95 * runs.length);
  },
);

it.each([
  ['no visit completes the path, with 10 %', 0, 10, 8],
  ['no visit completes the path, with 50 %', 0, 50, 3],
  ['half as many visits complete the path, with 50 %', 0.5, 50, 20],
])('a canary is rolled back if %s, at 1,000 visits a minute', (_, factor, traffic, within) => {
  for (const seed of [1, 2, 3]) {
    const given = { seed, visitsAMinute: 1_000, traffic, share: 0.05, factor, minutes: 60 };
    expect(simulatePromote(given).bad).toBeLessThanOrEqual(within);
  }
});

it('a canary that fails for one segment of the visitors only is bad', () => {
  const part = (fresh: Reach) => ({ all: reach(2_000, 100), en: fresh });
  const others = { all: reach(18_000, 900), en: reach(4_500, 225) };
  const given = { rule, fresh: part(reach(500, 0)), control: part(reach(500, 25)), others };
  expect(judged(given)).toMatchObject({ verdict: 'bad', group: 'en' });
});

it.each([
  ['thousands of its visits that lead nowhere', sample(reach(6_000, 50), reach(1_000, 50), reach(9_000, 450))],
  ['200 forged visits of the equal part', sample(reach(1_000, 50), reach(1_200, 250), reach(9_200, 650))],
  ['a fault before the first step', sample(reach(10, 1), reach(1_000, 50), reach(9_000, 450))],
  ['what falls for all alike', sample(reach(3_000, 1), reach(3_000, 2), reach(27_000, 12))],
])('a canary is not judged bad because of %s', (_, given) => {
  expect(judged(given)?.verdict).not.toBe('bad');
});

it('a bad canary is not saved by 200 forged visits of the others that lead nowhere', () => {
  expect(judged(sample(reach(1_000, 0), reach(1_200, 50), reach(9_200, 450)))).toMatchObject({ verdict: 'bad' });
});

it('a canary with few visits is inconclusive, stays at its share and reports how long it takes', () => {
  const few = judgeSteps([sample(reach(100, 5), reach(100, 5), reach(900, 45))], 10, 600);
  expect(few).toMatchObject([{ verdict: 'inconclusive' }]);
  expect(stepsWaitFor(few)).toMatch(/^about \d+ more minutes at the present traffic, until page → done is conclusive/);
  const none = judgeSteps([sample(reach(100, 0), reach(100, 0), reach(900, 0))], 10, 600);
  expect(stepsWaitFor(none)).toBe('visits that complete page → done: none so far');
  const many = judgeSteps([sample(reach(2_000, 100), reach(2_000, 100), reach(18_000, 900))], 10, 600);
  expect(stepsWaitFor(many)).toBeNull();
  const tried = judgeSteps([sample(reach(100, 5), reach(100, 5), reach(900, 45), { dryRun: true })], 10, 600);
  expect(stepsWaitFor(tried)).toBeNull();
});
