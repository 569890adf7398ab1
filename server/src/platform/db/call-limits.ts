/** Kinds of calls to the database, the most urgent first. */
export const callKinds = ['health', 'notice', 'write', 'job', 'staff', 'read'] as const;
export type CallKind = (typeof callKinds)[number];

export interface CallLimits {
  /** Connections to PostgreSQL; the embedded database has one for all kinds. */
  connections: number;
  /** ms that a call may wait for a connection. */
  waitMs: number;
  /** Calls of one statement, or transactions of one domain, that may wait at the same time. */
  waiting: number;
  /** ms that one statement may take, including its waits for locks. The embedded database cannot stop a statement. */
  statementMs: number;
  /** ms that a statement may wait for one lock. */
  lockMs: number;
  /** ms that a transaction may hold its connection without a statement. */
  idleMs: number;
}

export type LimitsByKind = Record<CallKind, CallLimits>;

/** Reads are rejected first, because a client can repeat them; a provider's notification is rejected last. */
export const defaultLimits: LimitsByKind = {
  health: { connections: 1, waitMs: 700, waiting: 20, statementMs: 700, lockMs: 700, idleMs: 700 },
  notice: { connections: 3, waitMs: 8_000, waiting: 1000, statementMs: 8_000, lockMs: 5_000, idleMs: 5_000 },
  write: { connections: 10, waitMs: 2_000, waiting: 200, statementMs: 5_000, lockMs: 2_000, idleMs: 5_000 },
  job: { connections: 4, waitMs: 10_000, waiting: 20, statementMs: 60_000, lockMs: 5_000, idleMs: 30_000 },
  staff: { connections: 4, waitMs: 60_000, waiting: 1000, statementMs: 900_000, lockMs: 30_000, idleMs: 300_000 },
  read: { connections: 12, waitMs: 3_000, waiting: 100, statementMs: 3_000, lockMs: 1_000, idleMs: 3_000 },
};
