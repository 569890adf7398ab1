/**
 * A random history of concurrent operations against real server processes, while they and their PostgreSQL are killed with
 * `kill -9`. The model is what was acknowledged: every call is repeated under its key until it is answered, so at the end
 * the database must hold exactly what the answers said: nothing lost, nothing done twice, nothing else.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { readConfig } from '../src/config';
import { connectPostgres, type Database, openEmbedded } from '../src/db/database';
import { SandboxPayments, SandboxSupplier } from '../src/providers/sandbox';
import { openContext } from '../src/start';
import { faultsOf, invariants } from '../test/support/invariants';
import { type PostgresServer, startPostgres } from '../test/support/postgres';
import { Client } from './client';
import { addStock, fillShop, type SoakPerson } from './fill';
import { Model } from './model';
import { ShopProcess } from './shop-process';
import { type Step, step } from './step';

export interface SoakOptions {
  kind: 'postgres' | 'pglite';
  /** Changing calls that are acknowledged before the end. */
  operations: number;
  /** `kill -9` of a server process, spread evenly; on PostgreSQL there are two processes. */
  serverKills: number;
  /** `kill -9` of PostgreSQL and all its backends. */
  databaseKills?: number;
  seed?: number;
  people?: number;
  atOnce?: number;
  /** A dump of a migrated embedded database, which saves the seconds of making one. */
  template?: string;
  /** Called now and then with the progress. */
  onProgress?: (text: string) => void;
}

export interface SoakReport {
  kind: string;
  seed: number;
  operations: number;
  /** HTTP requests, repeated ones included. */
  requests: number;
  /** Requests that were cut off or failed while something was down, and were sent again. */
  repeated: number;
  serverKills: number;
  databaseKills: number;
  seconds: number;
  /** How often each operation was acknowledged, and each code answered. */
  acts: Record<string, number>;
  codes: Record<string, number>;
  /** Acknowledged facts by kind; the database holds every one. */
  acknowledged: Record<string, number>;
  /** Each invariant: 'holds', or what breaks it. */
  invariants: Record<string, string>;
  /** Differences between the model and the database. */
  differences: string[];
}

const PAY_KEY = 'the key of the sandbox cashier in a soak';
/** Codes in stock at the start; more are added while it runs. */
const STOCK = 3000;

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { kind, operations, serverKills, databaseKills = 0, people = 40, atOnce = 24 } = options;
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-soak-'));
  const postgres = kind === 'postgres' ? await startPostgres({ durable: true }) : undefined;
  if (kind === 'postgres' && !postgres) throw new Error('No PostgreSQL was found (PATH, /usr/lib/postgresql).');
  const databaseUrl = postgres?.url('postgres');
  const env = { DATA_DIR: folder, SANDBOX_PAY_KEY: PAY_KEY, ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}) };
  if (options.template) {
    // Makes the secrets: a start makes none for a database that is there already.
    readConfig({ dataDir: folder, env });
    await (await openEmbedded({ folder: path.join(folder, 'db'), template: options.template })).close();
  }
  const filled = await openContext({ dataDir: folder, databaseUrl, env, seed: false });
  const { goods, persons } = await fillShop(filled, people, STOCK);
  await filled.db.close();

  const servers = [await ShopProcess.start(env)];
  if (postgres) servers.push(await ShopProcess.start(env));
  const staff = databaseUrl ? await connectPostgres(databaseUrl, 3) : undefined;
  const cashier = new SandboxPayments(PAY_KEY);
  const model = new Model(persons);
  const client = new Client(servers, model);
  const kills = { server: 0, database: 0 };
  const startedAt = performance.now();
  try {
    const chaos = new Chaos(servers, postgres, kills);
    const due = schedule(operations, serverKills, databaseKills);
    const steps = endless(seed);
    let stopping = false;
    let stock = STOCK;
    const worker = async () => {
      while (!stopping && client.operations < operations) {
        const { act, who, pick } = steps();
        await client.act(act, persons[who % persons.length] as SoakPerson, pick, { goods, cashier, staff });
        if (staff && client.sold > stock - STOCK / 2) {
          stock += STOCK;
          await again(() => addStock({ ...filled, db: staff }, goods, STOCK, stock));
        }
        if (due[0] && client.operations >= due[0].at) {
          const { what } = due.shift() as Due;
          options.onProgress?.(`${client.operations} operations: kill -9 of ${what}`);
          // The others go on meanwhile.
          await chaos.strike(what);
        }
      }
    };
    await Promise.all(
      Array.from({ length: atOnce }, () =>
        worker().catch((error) => {
          stopping = true;
          throw error;
        }),
      ),
    );
    const seconds = (performance.now() - startedAt) / 1000;
    // Delivers what is still pending.
    await settle(servers, folder, databaseUrl, env);
    const db = await reopen(folder, databaseUrl);
    try {
      const faults = await faultsOf(db);
      const config = readConfig({ dataDir: folder, env });
      const supplier = new SandboxSupplier(path.join(folder, 'sandbox-supplier'));
      return {
        kind,
        seed,
        operations: client.operations,
        requests: client.requests,
        repeated: client.repeated,
        serverKills: kills.server,
        databaseKills: kills.database,
        seconds: Math.round(seconds * 10) / 10,
        acts: client.acts,
        codes: client.codes,
        acknowledged: model.counts(),
        invariants: Object.fromEntries(
          Object.keys(invariants).map((name) => [
            name,
            faults[name] ? `BROKEN by ${faults[name].join(', ')}` : 'holds',
          ]),
        ),
        differences: await model.differences(db, config, supplier),
      };
    } finally {
      await db.close();
    }
  } finally {
    await staff?.close().catch(() => {});
    await Promise.all(servers.map((server) => server.kill()));
    await postgres?.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Due {
  at: number;
  what: 'a server' | 'PostgreSQL';
}
function schedule(operations: number, servers: number, databases: number): Due[] {
  const spread = (count: number, what: Due['what'], shift: number): Due[] =>
    Array.from({ length: count }, (_one, index) => ({ what, at: ((index + shift) / count) * operations }));
  return [...spread(servers, 'a server', 0.4), ...spread(databases, 'PostgreSQL', 0.7)].sort((a, b) => a.at - b.at);
}

/** Steps without an end, all from one seed. */
function endless(seed: number): () => Step {
  let round = 0;
  let left: Step[] = [];
  return () => {
    if (!left.length) left = fc.sample(step, { seed: seed + round++, numRuns: 5000 });
    return left.pop() as Step;
  };
}

class Chaos {
  private next = 0;
  private queue: Promise<unknown> = Promise.resolve();
  constructor(
    private readonly servers: ShopProcess[],
    private readonly postgres: PostgresServer | undefined,
    private readonly kills: { server: number; database: number },
  ) {}

  /** One kill after the other; each waits until the killed process serves again. */
  strike(what: Due['what']): Promise<void> {
    const stroke = this.queue.then(() => this.hit(what));
    this.queue = stroke.catch(() => {});
    return stroke;
  }

  private async hit(what: Due['what']): Promise<void> {
    if (what === 'PostgreSQL') {
      await this.postgres?.kill();
      this.kills.database += 1;
      return this.postgres?.restart();
    }
    const server = this.servers[this.next++ % this.servers.length] as ShopProcess;
    await server.kill();
    this.kills.server += 1;
    // A start while PostgreSQL is down exits with one line; start it again.
    await again(() => server.start());
  }
}

async function again(work: () => Promise<unknown>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await work();
      return;
    } catch (error) {
      if (attempt >= 20) throw error;
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
  }
}

async function reopen(folder: string, databaseUrl: string | undefined): Promise<Database> {
  return databaseUrl ? connectPostgres(databaseUrl, 2) : openEmbedded({ folder: path.join(folder, 'db') });
}

/** Stops the servers, which must exit with 0, and lets the suppliers answer what is pending. */
async function settle(
  servers: ShopProcess[],
  folder: string,
  databaseUrl: string | undefined,
  env: Record<string, string>,
): Promise<void> {
  for (const server of servers) {
    const code = await server.stop();
    if (code !== 0) throw new Error(`a server ended with ${code}, not on SIGTERM with 0: ${server.log}`);
  }
  const { serveSuppliers } = await import('../src/suppliers/suppliers.service');
  const context = await openContext({ dataDir: folder, databaseUrl, env, seed: false });
  for (let round = 0; round < 1000; round++) {
    await context.db.script('update supplier_requests set next_at = clock_timestamp() where state in (0, 1)');
    if (!(await serveSuppliers(context, 500))) break;
  }
  await context.db.close();
}
