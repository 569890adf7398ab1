/** Promotes that were pressed at /ops. Each runs the whole gate, which takes a while, so it goes on after the answer. */
import {
  type ActLimits,
  BROWSER_CHECKS,
  type Check,
  ConflictError,
  canaryEntry,
  GateError,
  type GateQueue,
  type GateStep,
  LeftGateQueueError,
  MapError,
  type PromoteAct,
  placeInLine,
  promote,
  type Store,
  StoreError,
} from '@platform/releases';
import type { PromoteJob } from './ops-state';

export interface PromoteJobsOptions {
  store: Store;
  channel: string;
  queue: GateQueue;
  /** Where no browser is at hand, a step that fails and says why. */
  browserGate: () => Promise<GateStep>;
  /** Renders the pages of a release on the server. */
  renderGate: () => GateStep;
  onError(error: unknown): void;
}

export interface PromoteWanted extends Omit<PromoteAct, 'act'> {
  /** Also why checks are left out. */
  why?: string;
}

const KEPT = 50;

export const isExpected = (error: unknown): error is Error =>
  [ConflictError, GateError, LeftGateQueueError, MapError, StoreError].some((kind) => error instanceof kind);

const skipsBrowser = ({ skip = [] }: PromoteWanted) => skip.includes('browser');
const isOfBrowser = ({ check }: Check) => BROWSER_CHECKS.some((one) => one === check);

export class PromoteJobs {
  private readonly jobs = new Map<number, PromoteJob>();
  private readonly waiting = new Map<number, AbortController>();
  private lastId = 0;

  constructor(private readonly options: PromoteJobsOptions) {}

  get(id: number): PromoteJob | undefined {
    return this.jobs.get(id);
  }

  running(name: string): PromoteJob | null {
    return [...this.jobs.values()].find((job) => job.name === name && job.state === 'running') ?? null;
  }

  /** Takes a job that waits out of the queue; false when it is being checked by now, or has ended. */
  leave(id: number): boolean {
    const waiting = this.waiting.get(id);
    waiting?.abort();
    return waiting !== undefined;
  }

  /** The promise resolves when the job has ended, however it ended. Throws GateQueueFullError. */
  start(wanted: PromoteWanted, by: string, limits?: ActLimits): { job: PromoteJob; ended: Promise<void> } {
    const { queue } = this.options;
    if (!skipsBrowser(wanted)) queue.requireRoom();
    this.lastId += 1;
    const { name, version = null } = wanted;
    const job: PromoteJob = {
      id: this.lastId,
      name,
      version,
      by,
      state: 'running',
      place: 1,
      message: `${name}${version ? `@${version}` : ''} is being checked`,
      canSkipBrowser: false,
    };
    this.jobs.set(job.id, job);
    for (const id of [...this.jobs.keys()].slice(0, -KEPT)) this.jobs.delete(id);
    return { job, ended: this.run(job, wanted, limits) };
  }

  private async inTurn<T>(job: PromoteJob, work: () => Promise<T>): Promise<T> {
    const leaving = new AbortController();
    const onPlace = (place: number) => {
      this.waiting.set(job.id, leaving);
      job.place = place;
      job.message = `${job.name}: ${placeInLine(place)}`;
    };
    const begin = () => {
      this.waiting.delete(job.id);
      job.place = 1;
      return work();
    };
    return this.options.queue.run(begin, { onPlace, signal: leaving.signal }).finally(() => {
      this.waiting.delete(job.id);
    });
  }

  private async run(job: PromoteJob, wanted: PromoteWanted, limits?: ActLimits): Promise<void> {
    const { name } = wanted;
    const withBrowser = !skipsBrowser(wanted);
    const { store, channel, browserGate, renderGate, onError } = this.options;
    try {
      const whole = async () =>
        promote(store, {
          ...wanted,
          by: job.by,
          channel,
          maxTraffic: limits?.maxTraffic,
          steps: [renderGate(), ...(withBrowser ? [await browserGate()] : [])],
          say: (line) => {
            job.message = `${name}: ${line}`;
          },
        });
      const { outcome, version, map } = await (withBrowser ? this.inTurn(job, whole) : whole());
      job.message =
        outcome === 'canary'
          ? `${name}@${version} has ${canaryEntry(map, name)?.deployment.traffic} % of the visitors`
          : `${name}@${version} is live for everybody`;
      job.state = 'done';
    } catch (error) {
      job.state = 'refused';
      job.message = isExpected(error) ? error.message : 'It failed; the server log says why. Nothing was changed.';
      if (error instanceof GateError) {
        job.canSkipBrowser = error.verdict.checks.every((check) => check.outcome !== 'failed' || isOfBrowser(check));
      }
      if (!isExpected(error)) onError(error);
    }
  }
}
