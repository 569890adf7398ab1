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

  find(wish: Wish): Promise<Found> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ wish, resolve, reject });
      if (!this.busy) void this.serve();
    });
  }

  private async serve(): Promise<void> {
    this.busy = true;
    while (this.waiting.length) {
      const served = this.waiting;
      this.waiting = [];
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
