import { setImmediate as nextTurn } from 'node:timers/promises';

/** Between two pauses of work on something long; other requests wait for no longer. */
const TURN_MS = 10;

/** For a loop over something long that somebody sent: awaited in each round, it lets other requests go on every few milliseconds. */
export function givingWay(): () => Promise<void> | void {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}
