import { repetitions } from '../../../scripts/jest/test-scale';
import { isAbove, isWorse, type Tally, upperBound } from './confidence';
import { type Group, noVisits, type Tallies } from './health-store';
import { type Comparison, judge, type Sample } from './judge';
import { generator } from './testing/simulate-steps';

function addTo(tally: Tally, random: () => number, visits: number, share: number): void {
  tally.visits += visits;
  for (let visit = 0; visit < visits; visit += 1) if (random() < share) tally.failures += 1;
}

it('confidence sequences find equal shares different no more often than alpha if checked every ten visits', () => {
  const random = generator(2);
  const alpha = 0.05;
  const runs = repetitions(4_000);
  const alarms = Array.from({ length: runs }, () => {
    const [before, fresh] = [
      { visits: 0, failures: 0 },
      { visits: 0, failures: 0 },
    ];
    addTo(before, random, 300, 0.1);
    return Array.from({ length: 60 }).some(() => {
      addTo(fresh, random, 10, 0.1);
      const upper = upperBound(fresh, alpha);
      const share = fresh.failures / fresh.visits;
      if (share > upper || isAbove(fresh, share, alpha)) throw new Error(`${share} is not below ${upper}`);
      return isWorse(fresh, before, { alpha, margin: 0 });
    });
  });
  expect(alarms.filter(Boolean).length / runs).toBeLessThan(alpha);
});

describe('judgement every five seconds at 1,000 visits a minute', () => {
  const LOOK_SECONDS = 5;
  const segments: Array<[Group, Group, number]> = [
    ['en', 'zh-CN', 0.2],
    ['desktop', 'phone', 0.3],
    ['signed in', 'guest', 0.4],
  ];
  const before = 0.01;
  const all = (share: number) => () => share;
  const only = (group: Group) => (groups: Group[]) => (groups.includes(group) ? 1 : before);

  function addVisits(random: () => number, tallies: Tallies, visits: number, shareOf: (groups: Group[]) => number) {
    for (let visit = 0; visit < visits; visit += 1) {
      const groups: Group[] = ['all', ...segments.map(([rare, usual, share]) => (random() < share ? rare : usual))];
      const failed = random() < shareOf(groups);
      for (const group of groups) {
        tallies[group].visits += 1;
        if (failed) tallies[group].failures += 1;
      }
    }
  }
  const sample = (tallies: Tallies): Sample => ({ votes: tallies, counted: tallies, metrics: {}, refused: 0 });

  function simulate(seed: number, traffic: number, share: (groups: Group[]) => number, visitsAMinute = 1_000) {
    const random = generator(seed);
    const [fresh, former] = [noVisits(), noVisits()];
    const kind: Comparison['kind'] = traffic === 100 ? 'live' : 'canary';
    if (kind === 'live') addVisits(random, former, 10_000, all(before));
    let alert: number | null = null;
    for (let seconds = LOOK_SECONDS; seconds <= 20 * 60; seconds += LOOK_SECONDS) {
      const visits = Math.round((visitsAMinute * LOOK_SECONDS) / 60);
      addVisits(random, fresh, Math.round((visits * traffic) / 100), share);
      if (kind === 'canary') addVisits(random, former, Math.round((visits * (100 - traffic)) / 100), all(before));
      const release = { name: 'catalog', version: '2.0.0', to: '1.0.0', since: '', kind, traffic, seconds };
      const { verdict } = judge({ ...release, fresh: sample(fresh), before: sample(former) });
      if (verdict === 'bad') return { back: seconds, alert: alert ?? seconds };
      if (verdict === 'alert') alert ??= seconds;
    }
    return { back: null, alert };
  }

  it.each([
    ['for everybody', 100],
    ['as a canary', 10],
  ])('judge does not roll back a release that fails as often as the previous one, %s', (_, traffic) => {
    const runs = repetitions(300);
    const outcomes = Array.from({ length: runs }, (__, seed) => simulate(seed, traffic, all(before)));
    expect(outcomes.filter(({ back }) => back !== null)).toEqual([]);
    expect(outcomes.filter(({ alert }) => alert !== null).length).toBeLessThanOrEqual(Math.ceil(runs / 100));
  });

  it.each([
    ['all visits', all(1), 20, 150, 5],
    ['half of the visits', all(0.5), 30, 280, 15],
    ['a fifth of the visits', all(0.2), 90, 900, 60],
    ['one visit in twenty', all(0.05), 900, null, 900],
    ['English pages', only('en'), 75, 720, 30],
    ['signed-in visitors', only('signed in'), 40, 345, 15],
  ])('judge rolls back a release that fails for %s, and reports a canary before', (_, share, live, canary, alerted) => {
    for (const seed of [0, 1, 2]) {
      expect(simulate(seed, 100, share).back).toBeLessThanOrEqual(live);
      const { back, alert } = simulate(seed, 10, share);
      expect(alert).toBeLessThanOrEqual(alerted);
      if (canary) expect(back).toBeLessThanOrEqual(canary);
    }
  });

  it('judge reports a release that always fails at twelve visits a minute within a minute, and rolls it back within 18', () => {
    const { back, alert } = simulate(4, 100, all(1), 12);
    expect(alert).toBeLessThanOrEqual(60);
    expect(back).toBeLessThanOrEqual(18 * 60);
  });
});
