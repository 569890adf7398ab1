/** Runs one job at a time, alternating between keys, so that many jobs of one key do not delay another's first. */
export class FairQueue {
  private readonly waiting = new Map<string, Array<() => Promise<void>>>();
  private isRunning = false;

  /** Returns undefined and runs nothing if `most` jobs of this key already wait. */
  add<T>(key: string, most: number, work: () => Promise<T>): Promise<T> | undefined {
    const jobs = this.waiting.get(key) ?? [];
    if (jobs.length >= most) return undefined;
    const result = new Promise<T>((resolve, reject) => {
      jobs.push(() => work().then(resolve, reject));
    });
    this.waiting.set(key, jobs);
    if (!this.isRunning) void this.run();
    return result;
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    for (let next = this.take(); next; next = this.take()) await next();
    this.isRunning = false;
  }

  private take(): (() => Promise<void>) | undefined {
    const [entry] = this.waiting;
    if (!entry) return undefined;
    const [key, jobs] = entry;
    const work = jobs.shift();
    this.waiting.delete(key);
    if (jobs.length > 0) this.waiting.set(key, jobs);
    return work;
  }
}
