import { defaultLimits } from './call-limits';
import { DatabaseBusyError } from './database-busy';

const MOST_QUESTIONS = 500;
/** A statement serves many calls, so more of them may wait than other reads. */
const MOST_WAITING = 10 * defaultLimits.read.waiting;

interface Waiting<Question, Result> {
  question: Question;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/**
 * One statement for many calls: calls that arrive while a statement runs share the next one. A statement never serves a call that
 * arrived after it started.
 */
export class SharedStatement<Question, Result> {
  private waiting: Waiting<Question, Result>[] = [];
  private busy = false;

  /** `run` returns one result per question, in order. */
  constructor(private readonly run: (questions: Question[]) => Promise<Result[]>) {}

  /** Rejects with DatabaseBusyError when too many wait. */
  find(question: Question): Promise<Result> {
    if (this.waiting.length >= MOST_WAITING)
      return Promise.reject(new DatabaseBusyError(`the database is busy: ${MOST_WAITING} calls wait for a statement`));
    return new Promise((resolve, reject) => {
      this.waiting.push({ question, resolve, reject });
      if (!this.busy) void this.serve();
    });
  }

  private async serve(): Promise<void> {
    this.busy = true;
    while (this.waiting.length) {
      const served = this.waiting.splice(0, MOST_QUESTIONS);
      try {
        const results = await this.run(served.map((call) => call.question));
        served.forEach((call, index) => {
          call.resolve(results[index] as Result);
        });
      } catch (error) {
        for (const call of served) call.reject(error);
      }
    }
    this.busy = false;
  }
}
