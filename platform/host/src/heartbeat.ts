/** Tells a freeze of the main thread: judged in the worker (heartbeat.worker.ts), without the browser's parts, so that tests can step it. */
import type { HealthContext, Visit } from './health';

/** From the main thread. */
export type ToWorker =
  | { kind: 'beat'; visit: Visit | null; context: HealthContext; token: string | undefined; isCounted: boolean }
  /** The tab is hidden, where timers stand still. */
  | { kind: 'rest' }
  | { kind: 'read map'; url: string };

/** To the main thread. */
export type FromWorker = { kind: 'frozen'; visit: Visit } | { kind: 'map'; map: unknown };

export const beatEveryMs = 1_000;
/** Silence for so many of the worker's own seconds is a freeze. */
export const frozenAfterBeats = 5;
/** A second that took the worker longer: the whole tab, or the device, stood still. */
const lateMs = 2_500;

export class FreezeDetector {
  private beat: Extract<ToWorker, { kind: 'beat' }> | null = null;
  private silent = 0;
  private lastTick = 0;
  private readonly told = new Set<string>();

  /** `now` in milliseconds. */
  hear(message: Extract<ToWorker, { kind: 'beat' }>, now: number): void {
    if (!this.beat) this.lastTick = now;
    this.beat = message;
    this.silent = 0;
  }

  rest(): void {
    this.beat = null;
  }

  /** Call each `beatEveryMs`; returns the beat of a visit that has frozen, once a visit. */
  tick(now: number): Extract<ToWorker, { kind: 'beat' }> | null {
    const isLate = now - this.lastTick > lateMs;
    this.lastTick = now;
    this.silent = isLate ? 0 : this.silent + 1;
    const { beat } = this;
    if (!beat?.visit || !beat.isCounted || this.silent <= frozenAfterBeats || this.told.has(beat.visit.visit))
      return null;
    this.told.add(beat.visit.visit);
    return beat;
  }
}
