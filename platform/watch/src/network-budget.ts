import { createHmac } from 'node:crypto';

/** Visits that one network can add to one release in a minute, failed or not. */
const VISITS_A_MINUTE = 5;
const MOST_KEYS = 50_000;

export class NetworkBudget {
  private used = new Map<string, number>();
  private minute = 0;

  constructor(
    private readonly secret: string,
    private readonly now: () => number,
    private readonly most = VISITS_A_MINUTE,
  ) {}

  /** Whether the budget of `key`, which begins with the network, has something left. Uses it. */
  take(key: string): boolean {
    const minute = Math.floor(this.now() / 60_000);
    if (minute !== this.minute || this.used.size > MOST_KEYS) {
      this.minute = minute;
      this.used = new Map();
    }
    const used = this.used.get(key) ?? 0;
    this.used.set(key, used + 1);
    return used < this.most;
  }

  /** The keyed hash that is stored instead of a network. */
  hash(network: string): string {
    return createHmac('sha256', this.secret).update(`network ${network}`).digest().readBigInt64BE(0).toString();
  }
}
