import { setImmediate as nextTurn } from 'node:timers/promises';

/** The longest uninterrupted run of a long loop, ms; other requests wait no longer. */
const TURN_MS = 10;

/** For a loop over long input: awaited in each round, it lets other requests run every few milliseconds. */
export function yieldingTurns(): () => Promise<void> | void {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
