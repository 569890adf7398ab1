import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { FolderInUseError, type FolderLock, lockFolder } from './folder-lock';
import { Sql } from './sql';
import { WorkerStream } from './worker-stream';

// Minor units and ids stay far below 2^53; a larger number would be a fault and must not be rounded.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is beyond the safe integers`);
  return number;
});

const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';
const ATTEMPTS = 4;

/** A fault of the environment that whoever starts the shop can fix; its message is one line. */
export class StartError extends Error {}

export interface Database extends Sql {
  readonly kind: 'postgres' | 'embedded';
  /** Runs `work` in one transaction. Inside it never use the Database itself: with one connection it would deadlock. */
  withTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Repeats `work`, one statement, after a deadlock or a serialization failure. */
  retrying<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Every statement from now on runs as this role; to be called while no other does. */
  actAs(role: string): Promise<void>;
  /** Runs `work` on one connection as who signed in, without the role; not in a transaction. */
  asOwner<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** Copies the embedded database's folder to a new one; one in memory to a file that openEmbedded takes as a template. */
  dump(to: string): Promise<void>;
  close(): Promise<void>;
}

/**
 * Like pool.query, but a statement that fails leaves its connection in the pool: the embedded database keeps prepared
 * statements beyond a connection, so that a new one would collide with them.
 */
function queryEach(pool: Pick<Connections, 'connect'>): Pick<pg.ClientBase, 'query'> {
  const query = async (config: pg.QueryConfig) => {
    const client = await pool.connect();
    try {
      return await client.query(config);
    } finally {
      client.release();
    }
  };
  return { query: query as unknown as pg.ClientBase['query'] };
}

/** A broken connection is replaced and fails its query; without a listener its event would end the process. */
function openPool(config: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool(config);
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** The pool, whose connections act as the role once there is one. */
class Connections {
  private role: string | undefined;
  private pool: pg.Pool;

  constructor(private readonly open: (onConnect?: (client: pg.ClientBase) => Promise<void>) => pg.Pool) {
    this.pool = open();
  }

  connect = () => this.pool.connect();
  end = () => this.pool.end();

  async actAs(role: string): Promise<void> {
    await this.pool.end();
    this.role = role;
    this.pool = this.open(async (client) => void (await client.query(`set role ${role}`)));
  }

  async asOwner<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
    const client = await this.connect();
    let isOwner = this.role !== undefined;
    try {
      if (isOwner) await client.query('set role none');
      return await work(client);
    } finally {
      if (isOwner)
        isOwner = await client.query(`set role ${this.role}`).then(
          () => false,
          () => true,
        );
      // A connection that is still the owner's is not used again.
      client.release(isOwner);
    }
  }
}

class PoolDatabase extends Sql implements Database {
  constructor(
    readonly kind: 'postgres' | 'embedded',
    private readonly pool: Connections,
    private readonly end: () => Promise<void>,
    readonly dump: (to: string) => Promise<void>,
  ) {
    super(queryEach(pool));
  }

  withTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return this.retrying(async () => {
      const client = await this.pool.connect();
      try {
        await client.query('begin');
        const result = await work(new Sql(client));
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch(() => {});
        throw error;
      } finally {
        client.release();
      }
    });
  }

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

  actAs = (role: string) => this.pool.actAs(role);
  asOwner = <T>(work: (sql: Sql) => Promise<T>) => this.pool.asOwner((client) => work(new Sql(client)));

  async close(): Promise<void> {
    await this.pool.end();
    await this.end();
  }
}

export async function connectPostgres(url: string, max = 10): Promise<Database> {
  const pool = new Connections((onConnect) =>
    openPool({ connectionString: url, max, connectionTimeoutMillis: 8000, onConnect }),
  );
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end().catch(() => {});
    throw new StartError(`The database is unreachable: ${reason(error)}`);
  }
  const noDump = () => Promise.reject(new Error('only the embedded database can be dumped; use pg_dump'));
  return new PoolDatabase('postgres', pool, async () => {}, noDump);
}

export interface EmbeddedOptions {
  /** Folder of the data; without it the database lives in memory. */
  folder?: string;
  /** A dump to start a new database from. */
  template?: string;
}

/** Whether the folder holds the data of an embedded database. */
export const isEmbeddedDatabase = (folder: string) => fs.existsSync(path.join(folder, 'pgdata', 'PG_VERSION'));

/** PGlite in a worker thread. One connection: the database behind it runs one query at a time anyway. */
export async function openEmbedded({ folder, template }: EmbeddedOptions): Promise<Database> {
  let lock: FolderLock | undefined;
  if (folder) {
    try {
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      lock = await lockFolder(folder);
    } catch (error) {
      if (error instanceof FolderInUseError) throw new StartError(error.message);
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
    await lock?.release();
  };
  try {
    await reply(worker, 'ready');
  } catch (error) {
    await stop();
    const where = folder ? `in ${folder} ` : '';
    throw new StartError(`The database ${where}does not open, it may be damaged: ${reason(error)}`);
  }
  worker.unref();
  const pool = new Connections((onConnect) =>
    openPool({
      stream: () => new WorkerStream(worker),
      user: 'postgres',
      database: 'postgres',
      max: 1,
      idleTimeoutMillis: 0,
      onConnect: async (client) => {
        await client.query('deallocate all');
        await onConnect?.(client);
      },
    }),
  );
  const end = async () => {
    worker.ref();
    worker.postMessage({ kind: 'stop' });
    await reply(worker, 'stopped').catch(() => {});
    await stop();
  };
  let dumps = Promise.resolve();
  const dump = (to: string) => {
    // One after the other: an answer does not say to which it belongs.
    dumps = dumps
      .catch(() => {})
      .then(() => {
        worker.postMessage({ kind: 'dump', to });
        return reply(worker, 'dumped');
      });
    return dumps;
  };
  return new PoolDatabase('embedded', pool, end, dump);
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
