import fs from 'node:fs';

/**
 * CPU time of this thread in milliseconds, so that other load on the machine does not lengthen a hold. Without Linux's counters
 * or Node's own (from version 24) it falls back to the wall clock.
 */
function threadTime(): number {
  const { threadCpuUsage } = process as { threadCpuUsage?: () => { user: number; system: number } };
  if (threadCpuUsage) {
    const { user, system } = threadCpuUsage();
    return (user + system) / 1000;
  }
  try {
    return Number(fs.readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}

/** Work of constant size; it takes 6 ms on the reference machine of the limit. */
function referenceTime(): number {
  const start = threadTime();
  let text = '';
  for (let round = 0; round < 12; round++)
    text = JSON.stringify(JSON.parse(`[${'{"a":"bcd"},'.repeat(4000)}${text.length}]`));
  return threadTime() - start;
}
const REFERENCE_MS = 6;

export interface Hold<T> {
  result: T;
  /** Milliseconds of the longest turn of the event loop, converted to the reference machine. */
  longest: number;
}

/**
 * Runs `work` and measures the longest turn of the event loop meanwhile, for which every other request waits. On a core shared
 * with another busy thread CPU time is less productive, so constant work is measured beside it.
 */
export async function longestHold<T>(work: () => Promise<T>): Promise<Hold<T>> {
  let longest = 0;
  let last = threadTime();
  let running = true;
  const ended = new Promise<void>((resolve) => {
    const turn = () => {
      const now = threadTime();
      longest = Math.max(longest, now - last);
      last = now;
      // A delay, because continuous turns would keep a core busy while the work waits for the database.
      if (running) setTimeout(turn, 1);
      else resolve();
    };
    setImmediate(turn);
  });
  const result = await work();
  running = false;
  await ended;
  return { result, longest: longest / Math.max(1, longest > REFERENCE_MS ? referenceTime() / REFERENCE_MS : 1) };
}

const MOST_TRIES = 10;

/** The shortest of up to ten holds, because compilation and garbage collection occur occasionally. */
export async function leastHold<T>(work: () => Promise<T>, below: number): Promise<Hold<T>> {
  let least = await longestHold(work);
  for (let tried = 1; tried < MOST_TRIES && least.longest > below; tried++) {
    const hold = await longestHold(work);
    if (hold.longest < least.longest) least = hold;
  }
  return least;
}
