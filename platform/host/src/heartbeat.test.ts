import { FreezeDetector, type ToWorker } from './heartbeat';

type Beat = Extract<ToWorker, { kind: 'beat' }>;
const visit = { name: 'catalog', version: '1.0.0-a', page: './home', visit: '0123456789abcdef' };
const beatOf = (change: Partial<Beat> = {}): Beat => ({
  kind: 'beat',
  visit,
  context: { language: 'en', device: 'phone', signedIn: false },
  token: 'abc.def',
  isCounted: true,
  ...change,
});

let detector: FreezeDetector;
let now = 0;
/** So many of the worker's seconds; returns the freezes found. */
function pass(seconds: number, { beat, second = 1_000 }: { beat?: Beat; second?: number } = {}): Beat[] {
  const found: Beat[] = [];
  for (let index = 0; index < seconds; index += 1) {
    now += second;
    if (beat) detector.hear(beat, now);
    const frozen = detector.tick(now);
    if (frozen) found.push(frozen);
  }
  return found;
}

beforeEach(() => {
  detector = new FreezeDetector();
  now = 1_000;
});

describe('the worker of the heartbeat', () => {
  it('finds the freeze of a visit after five seconds of silence, once', () => {
    detector.hear(beatOf(), now);
    expect(pass(5)).toEqual([]);
    expect(pass(1)).toEqual([beatOf()]);
    expect(pass(60)).toEqual([]);
    expect(pass(3, { beat: beatOf() })).toEqual([]);
    expect(pass(10)).toEqual([]);
  });

  it('blames the visit that was opened last', () => {
    const next = { ...visit, visit: 'fedcba9876543210' };
    pass(3, { beat: beatOf() });
    detector.hear(beatOf({ visit: next }), now);
    expect(pass(10).map((beat) => beat.visit)).toEqual([next]);
  });

  it('finds none while beats come, even late ones', () => {
    for (let index = 0; index < 20; index += 1) {
      expect(pass(4)).toEqual([]);
      detector.hear(beatOf(), now);
    }
  });

  it('finds none after the device or the tab stood still', () => {
    detector.hear(beatOf(), now);
    pass(4);
    now += 8 * 60 * 60_000;
    expect(pass(3)).toEqual([]);
    detector.hear(beatOf(), now);
    expect(pass(3)).toEqual([]);
  });

  it('finds none while the worker’s own seconds are stretched', () => {
    detector.hear(beatOf(), now);
    expect(pass(60, { second: 3_000 })).toEqual([]);
  });

  it('finds none in a hidden tab, nor at once when it is shown again', () => {
    detector.hear(beatOf(), now);
    detector.rest();
    expect(pass(60)).toEqual([]);
    detector.hear(beatOf(), now);
    expect(pass(5)).toEqual([]);
  });

  it.each([
    ['a debugger', { isCounted: false }],
    ['no page of a remote', { visit: null }],
  ])('finds none with %s', (_, change) => {
    detector.hear(beatOf(change), now);
    expect(pass(60)).toEqual([]);
  });
});
