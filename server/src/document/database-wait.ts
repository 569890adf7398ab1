import { Breaker } from '@platform/pages/rendering';

/** A database that answers later than its limits for reads must not hold up documents. */
const LONGEST_WAIT_MS = 3_000;
const LONGEST_PAUSE_MS = 10_000;

/** The database has not answered in time, now or a moment ago. */
export class DatabaseWaitError extends Error {}

/**
 * How long documents wait for the database. After it was too late once, they do without it for a second, then one of them waits again;
 * each further time doubles the pause.
 */
export class DatabaseWait {
  private readonly breaker: Breaker;

  constructor(
    private readonly maxWaitMs = LONGEST_WAIT_MS,
    now?: () => number,
  ) {
    this.breaker = new Breaker(1, { longestPauseMs: LONGEST_PAUSE_MS, now });
  }

  async for<T>(work: () => Promise<T>): Promise<T> {
    if (!this.breaker.take()) throw new DatabaseWaitError();
    const isTrial = this.breaker.isOpen;
    const started = performance.now();
    try {
      const result = await withinTime(work(), this.maxWaitMs);
      this.breaker.succeeded();
      return result;
    } catch (error) {
      // The database's own limits end a call at about the same time.
      const isLate = performance.now() - started >= this.maxWaitMs / 2;
      // Of those that waited together, one begins the pause.
      if (isLate && (isTrial || !this.breaker.isOpen)) this.breaker.failed();
      else if (isTrial) this.breaker.abandoned();
      throw error;
    }
  }
}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseWaitError()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
