/** The gate's checks use all processor cores, so a server checks one release at a time. The others wait in the order of their arrival. */

const MOST_WAITING = 10;

export class GateQueueFullError extends Error {
  constructor(waiting: number) {
    super(`${waiting} releases wait for the gate of this server; nothing was done, try again in some minutes`);
  }
}

export class LeftGateQueueError extends Error {
  constructor() {
    super('it left the queue for the gate; nothing was done');
  }
}

interface WaitOptions {
  /** The release. */
  name: string;
  /** Called with the place in line, from 2 on, when the check begins to wait and at each change. */
  onPlace?: (place: number) => void;
  /** Removes the check while it waits. A running check continues. */
  signal?: AbortSignal;
}

interface Turn extends WaitOptions {
  begin(): void;
}

export const placeInLine = (place: number): string => `waiting for the gate, place ${place} in line`;

export class GateQueue {
  private readonly line: Turn[] = [];

  constructor(private readonly most = MOST_WAITING) {}

  /** Throws GateQueueFullError. */
  requireRoom(): void {
    if (this.line.length > this.most) throw new GateQueueFullError(this.line.length - 1);
  }

  /** 1 while the release is checked, more while it waits, 0 if it is not in line. */
  placeOf(name: string): number {
    return this.line.findIndex((turn) => turn.name === name) + 1;
  }

  /** Throws GateQueueFullError, LeftGateQueueError and the errors of `work`. */
  async run<T>(work: () => Promise<T>, options: WaitOptions): Promise<T> {
    this.requireRoom();
    if (options.signal?.aborted) throw new LeftGateQueueError();
    const turn: Turn = { ...options, begin: () => {} };
    this.line.push(turn);
    try {
      if (this.line.length > 1) await this.wait(turn);
      return await work();
    } finally {
      this.leave(turn);
    }
  }

  private wait(turn: Turn): Promise<void> {
    turn.onPlace?.(this.line.length);
    return new Promise((resolve, reject) => {
      turn.begin = resolve;
      turn.signal?.addEventListener('abort', () => reject(new LeftGateQueueError()), { once: true });
    });
  }

  private leave(turn: Turn): void {
    const index = this.line.indexOf(turn);
    this.line.splice(index, 1);
    if (index === 0) this.line[0]?.begin();
    for (let behind = Math.max(index, 1); behind < this.line.length; behind += 1)
      this.line[behind]?.onPlace?.(behind + 1);
  }
}
