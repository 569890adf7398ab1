import type { StepMinute } from './health-store';
import { replaySteps } from './replay-steps';

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 14, minute)).toISOString();
const row = (minute: number, version: string, more: Partial<StepMinute>): StepMinute => ({
  ...{ minute: at(minute), name: 'catalog', version, traffic: 90, control: false, path: 'page>done' },
  ...{ visits: 100, reached: 5, ...more },
});
/** A canary of 10 % with which nobody gets there, an equal part of the others, and the rest. */
const rows = Array.from({ length: 10 }, (_, minute) => [
  row(minute, 'two', { traffic: 10, reached: 0 }),
  row(minute, 'one', { control: true }),
  row(minute, 'one', { visits: 800, reached: 40 }),
]).flat();
const rule = { from: 'page', to: 'done' };
const replayed = (...rules: Array<typeof rule & { bound?: number; dryRun?: boolean }>) =>
  replaySteps(rows, () => rules);

it('says at which minute a rule would have taken a canary back', () => {
  expect(replayed(rule)).toMatchObject([
    { name: 'catalog', version: 'two', traffic: 10, path: 'page>done', verdict: 'bad', at: at(2) },
  ]);
  expect(replayed(rule)[0]?.text).toBe(
    'page → done: 0.0 % of 300 visits with two, 5.0 % of 300 in an equal part of the others with one',
  );
});

it('replays a rule before it counts: with another bound later, and of steps that nobody has counted nothing', () => {
  expect(replayed({ ...rule, bound: 0.6 })).toMatchObject([{ verdict: 'bad', at: at(5) }]);
  expect(replayed({ ...rule, dryRun: true })).toMatchObject([{ verdict: 'bad', at: at(2) }]);
  expect(replayed({ from: 'page', to: 'elsewhere' })).toEqual([]);
});

it('leaves minutes without a canary alone', () => {
  expect(replaySteps([row(0, 'one', { traffic: 100 })], () => [rule])).toEqual([]);
});
