import { Breaker } from '@platform/pages/rendering';
import { withinTime } from '../platform/within-time';

/** A database that exceeds its own read limits must not delay documents. */
const LONGEST_WAIT_MS = 3_000;
const LONGEST_PAUSE_MS = 10_000;

export class DatabaseWaitError extends Error {}

/**
 * Limits how long documents wait for the database. After one timeout they skip it for a second, then one of them waits again;
 * each further timeout doubles the pause.
 */
export class DatabaseWait {
  private readonly breaker = new Breaker(1, LONGEST_PAUSE_MS);

  constructor(private readonly maxWaitMs = LONGEST_WAIT_MS) {}

  async for<T>(work: () => Promise<T>): Promise<T> {
    if (!this.breaker.take()) throw new DatabaseWaitError();
    const isTrial = this.breaker.isOpen;
    const started = performance.now();
    try {
      const result = await withinTime(work(), this.maxWaitMs, new DatabaseWaitError());
      this.breaker.succeeded();
      return result;
    } catch (error) {
      // The database's own limits end a call at about the same time, so half the wait counts as late.
      const isLate = performance.now() - started >= this.maxWaitMs / 2;
      // Of several calls that waited together, only the first starts the pause.
      if (isLate && (isTrial || !this.breaker.isOpen)) this.breaker.failed();
      else if (isTrial) this.breaker.abandoned();
      throw error;
    }
  }
}
