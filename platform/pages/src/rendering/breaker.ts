const WINDOW_MS = 60_000;
const FIRST_PAUSE_MS = 1_000;

/**
 * Pauses work that fails repeatedly, such as the pages of a release. After `most` failures within a minute it allows nothing for
 * a second, then one attempt, and each further failure doubles the pause, by default up to five minutes.
 */
export class Breaker {
  private failures: number[] = [];
  private pause = 0;
  private closedAgainAt = 0;
  private isTrying = false;

  constructor(
    private readonly most: number,
    private readonly longestPauseMs = 300_000,
  ) {}

  get isOpen(): boolean {
    return this.pause > 0 && (this.isTrying || performance.now() < this.closedAgainAt);
  }

  /** Whether a page may be attempted now. After a pause it is true once, until that page has succeeded or failed. */
  take(): boolean {
    if (this.isOpen) return false;
    if (this.pause > 0) this.isTrying = true;
    return true;
  }

  succeeded(): void {
    if (!this.isTrying) return;
    this.isTrying = false;
    this.pause = 0;
    this.failures = [];
  }

  /** The attempted page says nothing about the release. */
  abandoned(): void {
    this.isTrying = false;
  }

  /** `atOnce` opens the breaker for a failure that would recur, such as a build that does not load. */
  failed(atOnce = false): void {
    const now = performance.now();
    this.failures = [...this.failures.filter((at) => now - at < WINDOW_MS), now];
    if (!atOnce && this.pause === 0 && this.failures.length < this.most) return;
    this.isTrying = false;
    this.pause = Math.min(this.longestPauseMs, this.pause ? this.pause * 2 : FIRST_PAUSE_MS);
    this.closedAgainAt = now + this.pause;
  }
}
