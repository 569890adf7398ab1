/**
 * A random history of concurrent operations against real server processes, while they and their PostgreSQL are killed with
 * `kill -9`, the encryption key is changed, the supplier fails, and the card provider begins refunds and disputes. The model is what was acknowledged: every call is repeated under its key until it is answered, so at the end
 * the database must hold exactly what the answers said: nothing lost, nothing done twice, nothing else.
 */
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { rotateKeys } from '../src/cli/rotate-keys';
import type { AppContext } from '../src/context';
import { takeAnyNotice } from '../src/payments/provider-notices.service';
import { sendRefunds } from '../src/payments/refund-payment.service';
import { checkKeys } from '../src/platform/crypto/check-keys';
import { Keyring } from '../src/platform/crypto/keyring';
import { connectPostgres, openEmbedded } from '../src/platform/db/database';
import type { Sql } from '../src/platform/db/sql';
import { openContext } from '../src/start';
import { serveSuppliers } from '../src/suppliers/suppliers.service';
import { StripeDouble } from '../test/support/doubles/stripe';
import { faultsOf, invariants } from '../test/support/invariants';
import { type PostgresServer, startPostgres } from '../test/support/postgres';
import { Client } from './client';
import { FaultyGateway } from './faulty-gateway';
import { addStock, fillShop, type SoakPerson } from './fill';
import { Model, type SoakProviders } from './model';
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
  /** Changes of the encryption key; the old key is taken away each time. */
  rotations?: number;
  seed?: number;
  people: number;
  atOnce: number;
  /** A dump of a migrated embedded database, which saves the seconds of making one. */
  template?: string;
}

export interface SoakReport {
  seed: number;
  serverKills: number;
  databaseKills: number;
  rotations: number;
  /** Values that each rotation has encrypted again, together. */
  encryptedAgain: number;
  /** How many orders the supplier has delivered. */
  delivered: number;
  /** Acknowledged facts by kind; the database holds every one. */
  acknowledged: Record<string, number>;
  /** Each invariant: 'holds', or what breaks it. */
  invariants: Record<string, string>;
  /** Differences between the model and the database. */
  differences: string[];
}

/** Codes in stock at the start, at most; more are added while it runs. */
const MOST_STOCK = 3000;
/** How often time passes for suppliers and limits, and by how many minutes. */
const TIME_PASSES_MS = 2000;
const MINUTES = 3;

/** The keys of a run in the order of their use. Before a rotation the servers know the next one, after it not the last one. */
class Keys {
  private readonly keys: Array<{ id: string; key: Buffer }>;
  private current = 0;
  constructor(rotations: number) {
    this.keys = Array.from({ length: rotations + 1 }, (_one, index) => ({ id: `k${index + 1}`, key: randomBytes(32) }));
  }
  next(): void {
    this.current += 1;
  }
  /** CARD_KEYS: the key in use first; the last one too while it is being replaced. */
  text(withLast = false): string {
    return this.list(withLast)
      .map(({ id, key }) => `${id}:${key.toString('base64')}`)
      .join(',');
  }
  ring(withLast = false): Keyring {
    return new Keyring(this.list(withLast));
  }
  private list(withLast: boolean) {
    const from = this.keys.slice(this.current, this.current + 2);
    return withLast ? [...from, ...this.keys.slice(this.current - 1, this.current)] : from;
  }
}

export async function soak(options: SoakOptions): Promise<SoakReport> {
  const { kind, operations, serverKills, databaseKills = 0, rotations = 0, people, atOnce } = options;
  // An operation sells half a code.
  const supply = Math.min(MOST_STOCK, operations);
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-soak-'));
  const postgres = kind === 'postgres' ? await startPostgres({ durable: true }) : undefined;
  if (kind === 'postgres' && !postgres) throw new Error('No PostgreSQL was found (PATH, /usr/lib/postgresql).');
  const databaseUrl = postgres?.url('postgres');
  const stripe = await new StripeDouble().start();
  const gateway = await new FaultyGateway().start();
  const keys = new Keys(rotations);
  const env: Record<string, string> = {
    ...(gateway.env() as Record<string, string>),
    ...(stripe.env() as Record<string, string>),
    PAYMENTS_CNY: 'stripe',
    DATA_DIR: folder,
    // Its people spend in a run what others spend in a year.
    WALLET_PROOF_ABOVE: 'off',
    APP_SECRET: randomBytes(32).toString('base64'),
    CARD_KEYS: keys.text(),
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
  };
  if (options.template)
    await (await openEmbedded({ folder: path.join(folder, 'db'), template: options.template })).close();
  const open = (CARD_KEYS = keys.text()) =>
    openContext({ dataDir: folder, databaseUrl, env: { ...env, CARD_KEYS }, seed: false });
  const filled = await open();
  const { goods, persons } = await fillShop(filled, people, supply);
  await filled.db.close();

  const servers = [await ShopProcess.start(env)];
  if (postgres) servers.push(await ShopProcess.start(env));
  const staff: AppContext | undefined = databaseUrl
    ? { ...filled, db: await connectPostgres(databaseUrl, { max: 4 }) }
    : undefined;
  const around = { goods, stripe, staff };
  const model = new Model(persons);
  const client = new Client(servers, model);
  const chaos = new Chaos({ servers, postgres, staff, keys, open, client, gateway, stripe });
  let stopping = false;
  const time = staff && passTime(staff.db, () => stopping);
  try {
    const due = schedule(operations, serverKills, databaseKills, rotations);
    const steps = endless(seed);
    let stock = supply;
    const worker = async () => {
      while (!stopping && client.operations < operations) {
        const { act, who, pick } = steps();
        await client.act(act, persons[who % persons.length] as SoakPerson, pick, around);
        if (staff && client.sold > stock - supply / 2) {
          stock += supply;
          await again(() => addStock(staff, goods, supply, stock));
        }
        if (due[0] && client.operations >= due[0].at) {
          const { what } = due.shift() as Due;
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
    stopping = true;
    await time;
    const context = await settle(servers, open, client, model, { stripe, gateway });
    try {
      const faults = await faultsOf(context.db);
      const { left } = await rotateKeys(context);
      return {
        seed,
        ...chaos.counts,
        delivered: [...gateway.supplier.orders.values()].reduce((sum, one) => sum + one.delivered, 0),
        acknowledged: model.counts(),
        invariants: Object.fromEntries(
          Object.keys(invariants).map((name) => [
            name,
            faults[name] ? `BROKEN by ${faults[name].join(', ')}` : 'holds',
          ]),
        ),
        differences: [
          ...chaos.faults,
          ...Object.entries(left)
            .filter(([id]) => id !== context.keyring.currentId)
            .map(([id, rows]) => `the old key ${id} still encrypts ${JSON.stringify(rows)}`),
          ...(await model.differences(context.db, context.keyring, { stripe, gateway })),
        ],
      };
    } finally {
      await context.db.close();
    }
  } finally {
    stopping = true;
    await time;
    await staff?.db.close().catch(() => {});
    await Promise.all(servers.map((server) => server.kill()));
    await postgres?.stop();
    await Promise.all([stripe.close(), gateway.close()]);
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Leases and pauses of suppliers end, and limits by the hour are forgotten; the run has no hours. */
async function timePasses(sql: Sql): Promise<void> {
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp(), sent_at = sent_at - make_interval(mins => $1)
      where state in (0, 1, 3) and next_at < 'infinity'`,
    [MINUTES],
  );
  await sql.script('delete from rate_limits');
}
async function passTime(sql: Sql, ended: () => boolean): Promise<void> {
  while (!ended()) {
    await timePasses(sql).catch(() => {});
    await sleep(TIME_PASSES_MS);
  }
}

interface Due {
  at: number;
  what: 'kill -9 of a server' | 'kill -9 of PostgreSQL' | 'a new key';
}
function schedule(operations: number, servers: number, databases: number, rotations: number): Due[] {
  const spread = (count: number, what: Due['what'], shift: number): Due[] =>
    Array.from({ length: count }, (_one, index) => ({ what, at: ((index + shift) / count) * operations }));
  return [
    ...spread(servers, 'kill -9 of a server', 0.4),
    ...spread(databases, 'kill -9 of PostgreSQL', 0.7),
    ...spread(rotations, 'a new key', 0.5),
  ].sort((a, b) => a.at - b.at);
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

interface Struck {
  servers: ShopProcess[];
  postgres: PostgresServer | undefined;
  staff: AppContext | undefined;
  keys: Keys;
  /** Opens the database in this process; the embedded one only while no server has it. */
  open: (cardKeys?: string) => Promise<AppContext>;
  client: Client;
  gateway: FaultyGateway;
  stripe: StripeDouble;
}

class Chaos {
  readonly counts = { serverKills: 0, databaseKills: 0, rotations: 0, encryptedAgain: 0 };
  readonly faults: string[] = [];
  private next = 0;
  private queue: Promise<unknown> = Promise.resolve();
  constructor(private readonly struck: Struck) {}

  /** One after the other; each waits until what was killed serves again. Meanwhile the providers are worse than usual. */
  strike(what: Due['what']): Promise<void> {
    const stroke = this.queue.then(async () => {
      const { gateway, stripe } = this.struck;
      const port = Number(gateway.address.split(':')[1]);
      await gateway.close();
      stripe.losesAnswers = true;
      try {
        await this.hit(what);
      } finally {
        stripe.losesAnswers = false;
        await gateway.start(port);
      }
    });
    this.queue = stroke.catch(() => {});
    return stroke;
  }

  private async hit(what: Due['what']): Promise<void> {
    const { servers, postgres } = this.struck;
    if (what === 'a new key') return this.rotate();
    if (what === 'kill -9 of PostgreSQL') {
      await postgres?.kill();
      this.counts.databaseKills += 1;
      return postgres?.restart();
    }
    const server = servers[this.next++ % servers.length] as ShopProcess;
    await server.kill();
    this.counts.serverKills += 1;
    if (!postgres) await this.betweenServers(async () => {});
    await restart(server);
  }

  /** As docs/operating.md says: first on every server, everything encrypted again, then the old key is taken away. */
  private async rotate(): Promise<void> {
    const { servers, staff, keys } = this.struck;
    keys.next();
    const encrypt = async (context: AppContext) => {
      context.keyring = keys.ring(true);
      await again(() => checkKeys(context.db, context.keyring));
      await again(async () => {
        const { changed, left } = await rotateKeys(context);
        for (const count of Object.values(changed)) this.counts.encryptedAgain += count;
        // A call that a killed server had begun may have written with the old key a moment ago.
        const current = context.keyring.currentId;
        if (Object.keys(left).some((id) => id !== current)) throw new Error(`values are left: ${JSON.stringify(left)}`);
      });
      context.keyring = keys.ring();
    };
    const restartAll = async (CARD_KEYS: string) => {
      for (const server of servers) {
        await server.kill();
        server.configure({ CARD_KEYS });
        await restart(server);
      }
    };
    if (staff) {
      await restartAll(keys.text(true));
      await encrypt(staff);
      await restartAll(keys.text());
    } else {
      for (const server of servers) await server.kill();
      await this.betweenServers(encrypt, keys.text(true));
      await restartAll(keys.text());
    }
    this.counts.rotations += 1;
  }

  /** What only whoever has the embedded database can do. */
  private async betweenServers(work: (context: AppContext) => Promise<void>, cardKeys?: string): Promise<void> {
    const { open, client, stripe } = this.struck;
    // Nobody is served until this is done.
    stripe.losesAnswers = false;
    const context = await open(cardKeys);
    try {
      await work(context);
      for (const one of client.deferred.splice(0)) await one(context);
      await timePasses(context.db);
    } finally {
      await context.db.close();
    }
  }
}

/** A start while PostgreSQL is down exits with one line; start it again. */
const restart = (server: ShopProcess) => again(() => server.start());

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

/** Stops the servers, which must exit with 0; then suppliers and providers end what is open. Answers with the database, open. */
async function settle(
  servers: ShopProcess[],
  open: () => Promise<AppContext>,
  client: Client,
  model: Model,
  { stripe, gateway }: SoakProviders,
): Promise<AppContext> {
  for (const server of servers) {
    const code = await server.stop();
    if (code !== 0) throw new Error(`a server ended with ${code}, not on SIGTERM with 0: ${server.log}`);
  }
  // Still wrong, but no longer slow.
  gateway.supplier.meanwhile = async () => {};
  const context = await open();
  for (const one of client.deferred.splice(0)) await one(context);
  const provider = context.providers.payments.find((one) => one.code === 'stripe');
  const tell = async ({ body, headers }: { body: string; headers: Record<string, string> }) => {
    const notice = provider?.readNotice(body, headers);
    if (!notice || notice === 'nothing') throw new Error('a genuine notice was not read');
    await takeAnyNotice(context.db, 'stripe', notice);
  };
  for (const { payment_no, dispute } of model.openDisputes()) {
    if (!dispute) continue;
    await tell(stripe.disputeEvent(payment_no, 'funds_reinstated', { ...dispute, status: 'won' }));
    await tell(stripe.disputeEvent(payment_no, 'closed', { ...dispute, status: 'won' }));
    dispute.state = 'won';
  }
  for (let round = 0; round < 200; round++) {
    await timePasses(context.db);
    // It names orders that were delivered although they had been refused; the model holds them against the supplier.
    const served = await serveSuppliers(context, 500).catch((error: Error) => {
      if (!error.message.includes('delivered after it had been refused')) throw error;
      return 1;
    });
    await context.db.run('update payment_refunds set ask_at = clock_timestamp() where state = $1', ['pending']);
    if (!served && !(await sendRefunds(context))) break;
  }
  for (const { metadata, payment_intent } of stripe.sessions.values()) {
    const total = stripe.refundedOf({ payment_intent });
    if (payment_intent && total) await tell(stripe.refundEvent(metadata.payment_no ?? '', total));
  }
  return context;
}
