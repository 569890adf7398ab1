import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { type CallKind, callKinds, defaultLimits, type LimitsByKind } from './call-limits';
import { type Caller, ConnectionQueue, type QueueLoad } from './connection-queue';
import { DatabaseBusyError, isTimeOut, isUnanswered } from './database-busy';
import { FolderInUseError, lockFolder } from './folder-lock';
import { sessionFault, setLimits } from './own-sessions';
import { type Query, Sql, type TraceStatement } from './sql';
import { WorkerStream } from './worker-stream';

// Minor units and ids stay far below 2^53; a larger number would be a bug and must not be rounded.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is beyond the safe integers`);
  return number;
});

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const ATTEMPTS = 4;

/** A problem of the environment that the operator can fix; its message is one line. */
export class StartError extends Error {}

/** The pool replaces a broken connection and its query fails; without a listener the error event would end the process. */
function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

interface QueuedPool {
  pool: pg.Pool;
  queue: ConnectionQueue;
}

interface Connections {
  kind: 'postgres' | 'embedded';
  limits: LimitsByKind;
  traceStatement?: TraceStatement;
  laneOf(kind: CallKind): QueuedPool;
  close(): Promise<void>;
}

/** Runs `work` with a connection. A connection whose statement fails stays in the pool, unless the server did not respond. */
async function withConnection<T>(
  { pool, queue }: QueuedPool,
  caller: Caller,
  work: (client: pg.ClientBase, discard: () => void) => Promise<T>,
): Promise<T> {
  await queue.enter(caller);
  let failure: unknown;
  let isDiscarded = false;
  const discard = () => {
    isDiscarded = true;
  };
  try {
    const client = await pool.connect().catch((error) => {
      failure = new DatabaseBusyError(`the database is unreachable: ${reason(error)}`, { cause: error });
      throw failure;
    });
    try {
      return await work(client, discard);
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      client.release(isDiscarded || isUnanswered(failure));
    }
  } finally {
    queue.leave(caller, failure instanceof DatabaseBusyError ? undefined : isTimeOut(failure));
  }
}

const traced = (query: Query, traceStatement: TraceStatement | undefined): Query =>
  traceStatement ? (config) => traceStatement(config.text, () => query(config)) : query;

export class Database extends Sql {
  readonly kind: Connections['kind'];

  constructor(
    private readonly connections: Connections,
    private readonly callKind: CallKind,
    private readonly name: string,
    private readonly lane = connections.laneOf(callKind),
  ) {
    // A statement may wait for locks of its tables, and must not delay the other statements of the same caller.
    const callerOf = (text: string) => lane.queue.caller(callKind, name && text);
    const query = (config: pg.QueryConfig) =>
      withConnection(lane, callerOf(config.text), (client) => client.query(config));
    super(traced(query, connections.traceStatement));
    this.kind = connections.kind;
  }

  /**
   * The same database under the limits of a kind of call (call-limits.ts). `name` identifies the caller: the transactions of one caller do
   * not delay those of others, and a waiting statement does not delay other statements. Without a name there is no such bound.
   */
  as(kind: CallKind, name: string): Database {
    return new Database(this.connections, kind, name);
  }

  load(): Record<CallKind, QueueLoad> {
    const loads = callKinds.map((kind) => [kind, this.connections.laneOf(kind).queue.load(kind)]);
    return Object.fromEntries(loads) as Record<CallKind, QueueLoad>;
  }

  /** Runs `work` in one transaction. Never use the Database itself inside `work`: with one connection it would deadlock. */
  withTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const { limits, traceStatement } = this.connections;
    const { idleMs } = limits[this.callKind];
    const caller = this.lane.queue.caller(this.callKind, this.name);
    return this.retrying(() =>
      withConnection(this.lane, caller, async (client, discard) => {
        try {
          await client.query('begin');
          const result = await withIdleLimit(client, idleMs, traceStatement, work);
          await client.query('commit');
          return result;
        } catch (error) {
          // The server may have ended the connection at the same moment.
          if (!isUnanswered(error)) await client.query('rollback').catch(discard);
          throw error;
        }
      }),
    );
  }

  close(): Promise<void> {
    return this.connections.close();
  }

  /** Repeats `work`, a single statement, after a deadlock or a serialization failure. */
  async retrying<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work(this);
      } catch (error) {
        const code = (error as { code?: string }).code;
        if (attempt >= ATTEMPTS || (code !== SERIALIZATION_FAILURE && code !== DEADLOCK)) throw error;
      }
    }
  }
}

/** Ends a transaction that has run no statement for `idleMs`, because the embedded database cannot do so itself. */
function withIdleLimit<T>(
  client: pg.ClientBase,
  idleMs: number,
  traceStatement: TraceStatement | undefined,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let running = 0;
    let ended = false;
    const end = () => {
      ended = true;
      clearTimeout(timer);
    };
    const expire = () => {
      end();
      reject(new DatabaseBusyError(`a transaction ran no statement for ${idleMs} ms`));
    };
    let timer = setTimeout(expire, idleMs);
    const query = async (config: pg.QueryConfig) => {
      if (ended) throw new Error('the transaction has ended');
      clearTimeout(timer);
      running += 1;
      try {
        return await client.query(config);
      } finally {
        running -= 1;
        if (!running && !ended) timer = setTimeout(expire, idleMs);
      }
    };
    work(new Sql(traced(query, traceStatement)))
      .finally(end)
      .then(resolve, reject);
  });
}

/** Extra time beyond a statement's own limit, for a server that has stopped responding. */
const UNANSWERED_MS = 1_000;
const CONNECT_MS = 8_000;

interface PostgresOptions {
  max?: number;
  limits?: LimitsByKind;
  traceStatement?: TraceStatement;
}

export async function connectPostgres(
  url: string,
  { max = defaultLimits.staff.connections, limits = defaultLimits, traceStatement }: PostgresOptions = {},
): Promise<Database> {
  const newLane = (kind: CallKind): QueuedPool => {
    const { connections, waitMs, statementMs } = limits[kind];
    const size = kind === 'staff' ? max : connections;
    const pool = openPool({
      connectionString: url,
      max: size,
      connectionTimeoutMillis: Math.min(waitMs, CONNECT_MS),
      query_timeout: statementMs + UNANSWERED_MS,
      onConnect: async (client) => {
        await setLimits(client, limits[kind]);
      },
    });
    return { pool, queue: new ConnectionQueue(size, limits) };
  };
  const lanes = new Map(callKinds.map((kind) => [kind, newLane(kind)]));
  const laneOf = (kind: CallKind) => lanes.get(kind) as QueuedPool;
  const close = async () => {
    await Promise.all([...lanes.values()].map(({ pool }) => pool.end()));
  };
  const fault = await sessionFaultOf(url, laneOf('staff').pool).catch(
    (error) => `The database is unreachable: ${reason(error)}`,
  );
  if (fault) {
    await close().catch(() => {});
    throw new StartError(fault);
  }
  return new Database({ kind: 'postgres', limits, traceStatement, laneOf, close }, 'staff', '');
}

/** The pool may have one connection only, so the other one is outside it. */
async function sessionFaultOf(url: string, pool: pg.Pool): Promise<string | undefined> {
  const other = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: CONNECT_MS,
  });
  other.on('error', () => {});
  const client = await pool.connect();
  try {
    await other.connect();
    return await sessionFault([client, other]);
  } finally {
    // A server that does not respond does not close the connection either.
    other.end().catch(() => {});
    client.release();
  }
}

interface EmbeddedOptions {
  folder?: string;
  template?: string;
  limits?: LimitsByKind;
  traceStatement?: TraceStatement;
}

export const isEmbeddedDatabase = (folder: string) => fs.existsSync(path.join(folder, 'pgdata', 'PG_VERSION'));

/**
 * PGlite in a worker thread with one connection. PGlite runs one query at a time anyway, so statements never wait for locks, only
 * for their turn.
 */
export async function openEmbedded({
  folder,
  template,
  limits = defaultLimits,
  traceStatement,
}: EmbeddedOptions): Promise<Database> {
  let unlock = async () => {};
  if (folder) {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      unlock = await lockFolder(folder);
    } catch (error) {
      if (error instanceof FolderInUseError) throw new StartError(error.message, { cause: error });
      throw new StartError(`The data folder ${folder} cannot be used: ${reason(error)}`);
    }
  }
  const dataDir = folder ? path.join(folder, 'pgdata') : undefined;
  const isNew = !folder || !isEmbeddedDatabase(folder);
  const worker = new Worker(path.join(__dirname, 'pglite-worker.cjs'), {
    execArgv: [],
    workerData: { dataDir, template: isNew ? template : undefined },
  });
  const stop = async () => {
    await worker.terminate();
    await unlock();
  };
  try {
    await reply(worker, 'ready');
  } catch (error) {
    await stop();
    const where = folder ? `in ${folder} ` : '';
    throw new StartError(`The database ${where}does not open, it may be damaged: ${reason(error)}`);
  }
  worker.unref();
  const pool = openPool({
    stream: () => new WorkerStream(worker),
    user: 'postgres',
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      await client.query('deallocate all');
    },
  });
  const lane = { pool, queue: new ConnectionQueue(1, limits) };
  const close = async () => {
    await pool.end();
    worker.ref();
    worker.postMessage({ kind: 'stop' });
    await reply(worker, 'stopped').catch(() => {});
    await stop();
  };
  return new Database({ kind: 'embedded', limits, traceStatement, laneOf: () => lane, close }, 'staff', '');
}

function reply(worker: Worker, kind: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error) => {
      worker.off('message', onMessage).off('error', settle).off('exit', onExit);
      if (error) reject(error);
      else resolve();
    };
    const onMessage = (message: { kind: string; message?: string }) => {
      if (message.kind === kind) settle();
      else if (message.kind === 'failed') settle(new Error(message.message));
    };
    const onExit = (code: number) => settle(new Error(`its thread ended with ${code}`));
    worker.on('message', onMessage).on('error', settle).on('exit', onExit);
  });
}

function reason(error: unknown): string {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] };
  return (message || errors?.[0]?.message || code || String(error)).split('\n')[0] ?? '';
}
