import fs from 'node:fs';

/**
 * Processor time of this thread in milliseconds, so that a machine busy with something else makes no hold longer. Without Linux's
 * counters or Node's own (from 24 on) the clock on the wall has to do.
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

/** Work of always the same size; 6 ms on the machine on which the limit was set. */
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
  /** Milliseconds of the longest turn of the event loop, as the machine of reference takes them. */
  longest: number;
}

/**
 * Runs `work` and measures the longest turn of the event loop meanwhile: for so long every other request waits. A core that is shared
 * with another busy thread counts time in which it gets little done, so that the same work is measured beside it.
 */
async function longestHold<T>(work: () => Promise<T>): Promise<Hold<T>> {
  let longest = 0;
  let last = threadTime();
  let running = true;
  const ended = new Promise<void>((resolve) => {
    const turn = () => {
      const now = threadTime();
      longest = Math.max(longest, now - last);
      last = now;
      // Not at once: that would keep a core busy while the work waits for the database.
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

/** The least of up to `tries`: compiling code and collecting garbage of others happen once in a while. */
export async function leastHold<T>(work: () => Promise<T>, below: number, tries = 10): Promise<Hold<T>> {
  let least = await longestHold(work);
  for (let tried = 1; tried < tries && least.longest > below; tried++) {
    const again = await longestHold(work);
    if (again.longest < least.longest) least = again;
  }
  return least;
}
