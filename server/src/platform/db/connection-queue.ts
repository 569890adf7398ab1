import { type CallKind, callKinds, type LimitsByKind } from './call-limits';
import { DatabaseBusyError } from './database-busy';

interface Waiter {
  turn: number;
  admit(): void;
}

export interface Caller {
  readonly kind: CallKind;
  readonly name: string;
  running: number;
  /** Whether the last call that the database answered ended at a time limit. */
  timedOut: boolean;
  waiting: Waiter[];
}

export interface QueueLoad {
  running: number;
  waiting: number;
  shed: number;
}

const RESERVED = 2;
/** A caller may take another free connection only while it holds less than this share of them. */
const SHARE = 1 / 4;

/**
 * Bounded waiting for connections. A caller holds a small share of them, so that several callers with locked tables leave some
 * for others. After a timeout it holds only one, until the database has answered one of its calls in time.
 */
export class ConnectionQueue {
  private turns = 0;
  private readonly callers = new Map<CallKind, Map<string, Caller>>(callKinds.map((kind) => [kind, new Map()]));
  private readonly waiting = new Set<Caller>();
  private readonly shed = new Map<CallKind, number>();

  constructor(
    private free: number,
    private readonly limits: LimitsByKind,
  ) {}

  caller(kind: CallKind, name: string): Caller {
    const ofKind = this.callers.get(kind) as Map<string, Caller>;
    const existing = ofKind.get(name);
    if (existing) return existing;
    const caller: Caller = { kind, name, running: 0, timedOut: false, waiting: [] };
    ofKind.set(name, caller);
    return caller;
  }

  /** Resolves when the caller may use a connection, which `leave` returns. Rejects with DatabaseBusyError. */
  async enter(caller: Caller): Promise<void> {
    if (!caller.waiting.length && this.admits(caller)) return this.take(caller);
    const { waiting, waitMs } = this.limits[caller.kind];
    if (caller.waiting.length >= waiting) throw this.refuse(caller, `${waiting} calls wait`);
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        caller.waiting.splice(caller.waiting.indexOf(waiter), 1);
        if (!caller.waiting.length) this.waiting.delete(caller);
        reject(this.refuse(caller, `no connection within ${waitMs} ms`));
      }, waitMs);
      const waiter: Waiter = {
        turn: this.turns++,
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      caller.waiting.push(waiter);
      this.waiting.add(caller);
    });
  }

  /** `timedOut` is undefined when the database was not reached, which gives no information about its locks. */
  leave(caller: Caller, timedOut: boolean | undefined): void {
    this.free += 1;
    caller.running -= 1;
    caller.timedOut = timedOut ?? caller.timedOut;
    for (let next = this.next(); next; next = this.next()) {
      this.take(next);
      next.waiting.shift()?.admit();
      if (!next.waiting.length) this.waiting.delete(next);
    }
  }

  load(kind: CallKind): QueueLoad {
    const callers = [...(this.callers.get(kind)?.values() ?? [])];
    return {
      running: callers.reduce((sum, caller) => sum + caller.running, 0),
      waiting: callers.reduce((sum, caller) => sum + caller.waiting.length, 0),
      shed: this.shed.get(kind) ?? 0,
    };
  }

  private take(caller: Caller): void {
    this.free -= 1;
    caller.running += 1;
  }

  private admits({ name, running, timedOut }: Caller): boolean {
    if (this.free === 0) return false;
    return name === '' || running === 0 || (!timedOut && running < 1 + (this.free - RESERVED) * SHARE);
  }

  private next(): Caller | undefined {
    const rankOf = ({ kind, waiting }: Caller) => [callKinds.indexOf(kind), waiting[0]?.turn ?? 0] as const;
    const isBefore = (left: Caller, right: Caller) => {
      const [[kind, turn], [otherKind, otherTurn]] = [rankOf(left), rankOf(right)];
      return kind < otherKind || (kind === otherKind && turn < otherTurn);
    };
    let first: Caller | undefined;
    for (const caller of this.waiting) if (this.admits(caller) && (!first || isBefore(caller, first))) first = caller;
    return first;
  }

  private refuse({ kind }: Caller, reason: string): DatabaseBusyError {
    this.shed.set(kind, (this.shed.get(kind) ?? 0) + 1);
    return new DatabaseBusyError(`the database is busy: ${kind}, ${reason}`);
  }
}
