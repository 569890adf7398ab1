import { defaultLimits } from './call-limits';
import { DatabaseBusyError } from './database-busy';

/** Of one statement. */
const MOST_WISHES = 500;
/** A statement serves many calls, so that more of them may wait than of other reads. */
const MOST_WAITING = 10 * defaultLimits.read.waiting;

interface Waiting<Wish, Found> {
  wish: Wish;
  resolve(found: Found): void;
  reject(error: unknown): void;
}

/**
 * One statement for many calls: those that arrive while a statement runs share the next one. None is answered by a statement that
 * started before it.
 */
export class SharedStatement<Wish, Found> {
  private waiting: Waiting<Wish, Found>[] = [];
  private busy = false;

  /** `run` finds what each wish asks for, in their order. */
  constructor(private readonly run: (wishes: Wish[]) => Promise<Found[]>) {}

  /** Rejects with DatabaseBusyError when too many wait. */
  find(wish: Wish): Promise<Found> {
    if (this.waiting.length >= MOST_WAITING)
      return Promise.reject(new DatabaseBusyError(`the database is busy: ${MOST_WAITING} calls wait for a statement`));
    return new Promise((resolve, reject) => {
      this.waiting.push({ wish, resolve, reject });
      if (!this.busy) void this.serve();
    });
  }

  private async serve(): Promise<void> {
    this.busy = true;
    while (this.waiting.length) {
      const served = this.waiting.splice(0, MOST_WISHES);
      try {
        const found = await this.run(served.map((one) => one.wish));
        served.forEach((one, index) => {
          one.resolve(found[index] as Found);
        });
      } catch (error) {
        for (const one of served) one.reject(error);
      }
    }
    this.busy = false;
  }
}
