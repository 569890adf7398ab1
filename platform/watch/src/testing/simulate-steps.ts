import { judgeSteps, type Reach } from '../judge-steps';

const LOOK_SECONDS = 5;

/** Mulberry32: the same numbers in every run. */
export function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function poisson(random: () => number, mean: number): number {
  if (mean > 30) {
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return Math.max(0, Math.round(mean + normal * Math.sqrt(mean)));
  }
  const least = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > least; product *= random()) count += 1;
  return count;
}

interface SimulatedPromote {
  seed: number;
  visitsAMinute: number;
  traffic: number;
  share: number;
  /** The canary's rate as a part of `share`: 1 for an equally good one, 0 if no visit completes the path. */
  factor: number;
  minutes: number;
  /** Between the two steps of a visit, on average. */
  takesMinutes?: number;
}

interface SimulatedOutcome {
  bad: number | null;
  good: number | null;
}

const RULE = { from: 'page', to: 'done' };

export function simulatePromote(options: SimulatedPromote): SimulatedOutcome {
  const { seed, visitsAMinute, traffic, share, factor, minutes, takesMinutes = 2 } = options;
  const random = generator(seed);
  const part = Math.min(traffic, 100 - traffic);
  const all = (visitsAMinute * LOOK_SECONDS) / 60 / 100;
  const [fresh, control, rest]: Reach[] = [0, 0, 0].map(() => ({ visits: 0, reached: 0 })) as [Reach, Reach, Reach];
  const later = new Map<number, Reach[]>();
  const parts: Array<[Reach, number, number]> = [
    [fresh, traffic, share * factor],
    [control, part, share],
    [rest, 100 - traffic - part, share],
  ];
  let good: number | null = null;
  for (let look = 1; look * LOOK_SECONDS <= minutes * 60; look += 1) {
    for (const [reach, width, reaches] of parts) {
      const come = poisson(random, all * width);
      reach.visits += come;
      for (let count = poisson(random, come * reaches); count > 0; count -= 1) {
        const at = look + Math.ceil((-Math.log(1 - random()) * takesMinutes * 60) / LOOK_SECONDS);
        later.set(at, [...(later.get(at) ?? []), reach]);
      }
    }
    const now = later.get(look);
    later.delete(look);
    if (!now) continue;
    for (const reach of now) reach.reached += 1;
    const others = { visits: control.visits + rest.visits, reached: control.reached + rest.reached };
    const sample = { rule: RULE, fresh: { all: fresh }, control: { all: control }, others: { all: others } };
    const [judged] = judgeSteps([sample], traffic, look * LOOK_SECONDS);
    if (judged?.verdict === 'bad') return { bad: (look * LOOK_SECONDS) / 60, good };
    if (judged?.verdict === 'good') good ??= (look * LOOK_SECONDS) / 60;
  }
  return { bad: null, good };
}
