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

interface SimulatedPromote {
  seed: number;
  visitsAMinute: number;
  traffic: number;
  share: number;
  /** The canary's rate as a part of `share`: 1 for an equally good one, 0 if no visit completes the path. */
  factor: number;
  minutes: number;
}

const RULE = { from: 'page', to: 'done' };

/** The minutes after which a canary is judged bad, and judged good. */
export function simulatePromote({ seed, visitsAMinute, traffic, share, factor, minutes }: SimulatedPromote) {
  const random = generator(seed);
  const part = Math.min(traffic, 100 - traffic);
  const [fresh, control, rest]: Reach[] = [0, 0, 0].map(() => ({ visits: 0, reached: 0 })) as [Reach, Reach, Reach];
  const parts: Array<[Reach, number, number]> = [
    [fresh, traffic, share * factor],
    [control, part, share],
    [rest, 100 - traffic - part, share],
  ];
  let good: number | null = null;
  for (let passed = LOOK_SECONDS / 60; passed <= minutes; passed += LOOK_SECONDS / 60) {
    const before = fresh.reached + control.reached + rest.reached;
    for (const [reach, width, reaches] of parts)
      while (reach.visits < (passed * visitsAMinute * width) / 100) {
        reach.visits += 1;
        if (random() < reaches) reach.reached += 1;
      }
    if (fresh.reached + control.reached + rest.reached === before) continue;
    const others = { visits: control.visits + rest.visits, reached: control.reached + rest.reached };
    const sample = { rule: RULE, fresh: { all: fresh }, control: { all: control }, others: { all: others } };
    const [judged] = judgeSteps([sample], traffic, passed * 60);
    if (judged?.verdict === 'bad') return { bad: passed, good };
    if (judged?.verdict === 'good') good ??= passed;
  }
  return { bad: null, good };
}
