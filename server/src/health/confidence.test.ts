import { repetitions } from '../../../scripts/jest/test-scale';
import { areMissing, bounds, isWorse, type Tally } from './confidence';
import { type Comparison, judge, type Sample } from './judge';
import { GROUPS, type Group, type Tallies } from './release-health';

/** Mulberry32: the same numbers in every run. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function binomial(random: () => number, visits: number, share: number): Tally {
  let failures = 0;
  for (let visit = 0; visit < visits; visit += 1) if (random() < share) failures += 1;
  return { visits, failures };
}

const sum = (left: Tally, right: Tally): Tally => ({
  visits: left.visits + right.visits,
  failures: left.failures + right.failures,
});

describe('confidence sequences', () => {
  it.each([
    [0, 0],
    [10, 0],
    [10, 10],
    [200, 3],
  ])('of %i visits with %i failures contain the observed share', (visits, failures) => {
    const { lower, upper } = bounds({ visits, failures }, 0.01);
    expect(lower).toBeLessThanOrEqual(failures / Math.max(1, visits));
    expect(upper).toBeGreaterThanOrEqual(failures / Math.max(1, visits));
    expect([lower >= 0, upper <= 1]).toEqual([true, true]);
  });

  it('narrow with more visits', () => {
    const width = (visits: number) => {
      const { lower, upper } = bounds({ visits, failures: visits / 20 }, 0.001);
      return upper - lower;
    };
    expect(width(10_000)).toBeLessThan(width(1_000) / 2);
    expect(width(10_000)).toBeLessThan(0.03);
  });

  it('miss the true share no more often than alpha, looked at after every ten visits', () => {
    const random = generator(1);
    const alpha = 0.05;
    const runs = repetitions(4_000);
    let missed = 0;
    for (let run = 0; run < runs; run += 1) {
      let tally: Tally = { visits: 0, failures: 0 };
      for (let look = 0; look < 100; look += 1) {
        tally = sum(tally, binomial(random, 10, 0.1));
        const { lower, upper } = bounds(tally, alpha);
        if (lower > 0.1 || upper < 0.1) {
          missed += 1;
          break;
        }
      }
    }
    expect(missed / runs).toBeLessThan(alpha);
  });

  it('find equal shares different no more often than alpha', () => {
    const random = generator(2);
    const alpha = 0.05;
    const runs = repetitions(4_000);
    let alarms = 0;
    for (let run = 0; run < runs; run += 1) {
      const before = binomial(random, 300, 0.1);
      let fresh: Tally = { visits: 0, failures: 0 };
      for (let look = 0; look < 60; look += 1) {
        fresh = sum(fresh, binomial(random, 10, 0.1));
        if (isWorse(fresh, before, { alpha, margin: 0 })) {
          alarms += 1;
          break;
        }
      }
    }
    expect(alarms / runs).toBeLessThan(alpha);
  });
});

it('healthy visits that come half as often as expected are not called missing more often than alpha', () => {
  const random = generator(3);
  const alpha = 0.05;
  const runs = repetitions(4_000);
  let alarms = 0;
  for (let run = 0; run < runs; run += 1) {
    let seen = 0;
    for (let expected = 2; expected <= 200; expected += 2) {
      // About Poisson with mean 1.
      seen += binomial(random, 50, 0.02).failures;
      if (areMissing(seen, expected, alpha)) {
        alarms += 1;
        break;
      }
    }
  }
  expect(alarms / runs).toBeLessThan(alpha);
  expect(areMissing(0, 30, 0.001)).toBe(true);
  expect(areMissing(0, 5, 0.001)).toBe(false);
});

describe('the judgement of a release, looked at every five seconds', () => {
  const LOOK_SECONDS = 5;
  const VISITS_A_MINUTE = 1_000;
  const segments: Array<[Group, Group, number]> = [
    ['en', 'zh-CN', 0.2],
    ['desktop', 'phone', 0.3],
    ['signed in', 'guest', 0.4],
  ];

  const noVisits = (): Tallies =>
    Object.fromEntries(GROUPS.map((group) => [group, { visits: 0, failures: 0 }])) as Tallies;
  function addVisits(
    random: () => number,
    tallies: Tallies,
    visits: number,
    shareOf: (groups: Group[]) => number,
  ): void {
    for (let visit = 0; visit < visits; visit += 1) {
      const groups: Group[] = ['all', ...segments.map(([rare, usual, share]) => (random() < share ? rare : usual))];
      const failed = random() < shareOf(groups);
      for (const group of groups) {
        tallies[group].visits += 1;
        if (failed) tallies[group].failures += 1;
      }
    }
  }
  const sample = (tallies: Tallies): Sample => ({ votes: tallies, counted: tallies, vitals: {}, refused: 0 });

  interface Simulated {
    seed: number;
    share: (groups: Group[]) => number;
    before?: number;
    kind?: Comparison['kind'];
    /** Per cent of the visitors. */
    traffic?: number;
    minutes: number;
    visitsAMinute?: number;
  }

  /** Seconds until it is taken back, or null; and until the first alert. */
  function simulate({
    seed,
    share,
    before = 0.01,
    kind = 'live',
    traffic = 100,
    minutes,
    visitsAMinute = VISITS_A_MINUTE,
  }: Simulated) {
    const random = generator(seed);
    const [fresh, former] = [noVisits(), noVisits()];
    if (kind === 'live') addVisits(random, former, 10_000, () => before);
    const rate = Object.fromEntries(
      GROUPS.map((group) => {
        const found = segments.find(([rare, usual]) => group === rare || group === usual);
        const part = !found ? 1 : group === found[0] ? found[2] : 1 - found[2];
        return [group, visitsAMinute * part * (1 - before)];
      }),
    ) as Record<Group, number>;
    let alert: number | null = null;
    for (let seconds = LOOK_SECONDS; seconds <= minutes * 60; seconds += LOOK_SECONDS) {
      const visits = Math.round((visitsAMinute * LOOK_SECONDS) / 60);
      addVisits(random, fresh, Math.round((visits * traffic) / 100), share);
      if (kind === 'canary') addVisits(random, former, Math.round((visits * (100 - traffic)) / 100), () => before);
      const { verdict } = judge({
        name: 'catalog',
        version: '2.0.0',
        to: '1.0.0',
        since: '',
        kind,
        traffic,
        seconds,
        rate,
        fresh: sample(fresh),
        before: sample(former),
      });
      if (verdict === 'bad') return { back: seconds, alert: alert ?? seconds };
      if (verdict === 'alert') alert ??= seconds;
    }
    return { back: null, alert };
  }

  it.each([
    ['for everybody', { kind: 'live' as const, traffic: 100 }],
    ['as a canary', { kind: 'canary' as const, traffic: 10 }],
  ])('does not take back one that fails as often as the one before, %s', (_, given) => {
    const runs = repetitions(300);
    const outcomes = Array.from({ length: runs }, (__, seed) =>
      simulate({ seed, share: () => 0.01, minutes: 20, ...given }),
    );
    expect(outcomes.filter(({ back }) => back !== null)).toEqual([]);
    // Alerts: one release in a hundred at most.
    expect(outcomes.filter(({ alert }) => alert !== null).length).toBeLessThanOrEqual(Math.ceil(runs / 100));
  });

  it.each([
    ['all visits', () => 1, 20, 20],
    ['half of the visits', () => 0.5, 40, 20],
    ['a fifth of the visits', () => 0.2, 120, 30],
    ['one visit in twenty', () => 0.05, 1_080, 240],
    ['English pages', (groups: Group[]) => (groups.includes('en') ? 1 : 0.01), 60, 20],
    ['signed-in shoppers', (groups: Group[]) => (groups.includes('signed in') ? 1 : 0.01), 60, 20],
  ])('takes back one that fails for %s', (_, share, within, alertWithin) => {
    for (let seed = 0; seed < 3; seed += 1) {
      const { back, alert } = simulate({ seed, share, minutes: 20 });
      expect(back ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(within);
      expect(alert ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(alertWithin);
    }
  });

  it.each([
    ['all visits', () => 1, 30],
    ['half of the visits', () => 0.5, 120],
    ['a fifth of the visits', () => 0.2, 600],
    ['English pages', (groups: Group[]) => (groups.includes('en') ? 1 : 0.01), 240],
  ])('takes back a canary of 10 %% that fails for %s', (_, share, within) => {
    for (let seed = 0; seed < 3; seed += 1) {
      const { back } = simulate({ seed, share, minutes: 20, kind: 'canary', traffic: 10 });
      expect(back ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(within);
    }
  });

  it('takes back one that always fails in a shop of twelve visits a minute', () => {
    const { back } = simulate({ seed: 4, share: () => 1, minutes: 10, visitsAMinute: 12 });
    expect(back ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(300);
  });
});
