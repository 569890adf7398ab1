/**
 * A random history of concurrent actions against real server processes, while they and their PostgreSQL are killed with `kill
 * -9`. Every call is repeated with its key until it gets a response, so that at the end the database must match the responses
 * exactly: nothing is lost and nothing is done twice. A new feature of the shop is added as an action of the client, a fact if a
 * response acknowledges something, and an invariant (test/support/invariants.ts) or, if it is visible only once everything is
 * settled, a check of the outcome. Events that providers start are tested in payments/provider-notices.test.ts, failing suppliers
 * in suppliers/suppliers.test.ts, new keys in platform/crypto/keys.test.ts, mails in notices/notices.test.ts.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { repetitions } from '../../scripts/jest/test-scale';
import { openEmbedded } from '../src/platform/db/database';
import { embeddedFolder, openContext } from '../src/start';
import type { Shopper } from '../test/support/fill-shop';
import { startPostgres } from '../test/support/postgres';
import { ShopProcess } from '../test/support/shop-process';
import { type Kind, kinds } from '../test/support/test-app';
import { writeSecrets } from '../test/support/test-goods';
import { Client, SANDBOX_PAY_KEY, stepsOf } from './client';
import { expectOutcome, passTime, settle } from './outcome';
import { openShop } from './users';

const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const KILLS = repetitions(10);
it.each(kinds)(
  'on %s every acknowledged action survives kill -9 exactly once',
  async (kind) => {
    // A seed repeats the actions; their interleaving is not repeatable.
    const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));
    await soak(kind, seed).catch((error) => {
      console.error(`SOAK_SEED=${seed}`);
      throw error;
    });
  },
  3_000_000,
);

async function soak(kind: Kind, seed: number): Promise<void> {
  const started = performance.now();
  const actions = repetitions(kind === 'postgres' ? 10_000 : 3_000);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-soak-'));
  closing.push(async () => fs.rmSync(dataDir, { recursive: true, force: true }));
  writeSecrets(dataDir);
  const postgres = kind === 'postgres' ? await startPostgres({ durable: true }) : undefined;
  closing.push(async () => postgres?.stop());
  const databaseUrl = postgres?.url('postgres');
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl ?? '',
    SANDBOX_PAY_KEY,
    // Its users spend in a run what others spend in a year.
    WALLET_PROOF_ABOVE: 'off',
  };
  const open = () => openContext({ dataDir, databaseUrl, env, seed: false });
  if (!postgres) {
    const template = process.env.SHOP_TEST_TEMPLATE;
    await (await openEmbedded({ folder: embeddedFolder(dataDir), template })).close();
  }
  const shop = await open();
  const { goods, users, coupons } = await openShop(shop, { userCount: postgres ? 12 : 8, cards: actions });
  if (postgres) closing.push(() => shop.db.close());
  else await shop.db.close();
  const servers: ShopProcess[] = [];
  for (let count = 0; count < (postgres ? 2 : 1); count++) {
    const server = await ShopProcess.start(env);
    servers.push(server);
    closing.push(() => server.kill());
  }

  const client = new Client(servers, goods, coupons, postgres && shop);
  closing.push(async () => {
    client.isOver = true;
  });
  let due = 0;
  let kills = 0;
  const killOnce = async () => {
    const server = servers[kills++ % servers.length] as ShopProcess;
    await postgres?.kill();
    await postgres?.restart();
    await server.kill();
    // Only one process at a time can open the embedded database.
    const context = postgres ? shop : await open();
    await context.db.retrying(passTime);
    if (!postgres) await context.db.close();
    await server.start();
  };
  const steps = fc.sample(stepsOf(postgres !== undefined), { seed, numRuns: 10 * actions });
  const isDone = () => client.actionCount >= actions && client.hasEnough;
  const worker = async () => {
    for (let next = steps.pop(); next && !isDone(); next = steps.pop()) {
      await client.perform(next.action, users[next.who % users.length] as Shopper, next.pick);
      // The other workers continue meanwhile.
      if (due === KILLS || client.actionCount < ((due + 0.5) * actions) / KILLS) continue;
      due += 1;
      client.recovered = client.recovered.then(killOnce);
      await client.recovered;
    }
  };
  await Promise.all(Array.from({ length: users.length }, worker));

  for (const server of servers) expect([await server.stop(), server.log]).toEqual([0, expect.anything()]);
  const end = postgres ? shop : await open();
  if (!postgres) closing.push(() => end.db.close());
  await settle(end);
  await expectOutcome(end, goods, client);
  expect(kills).toBe(KILLS);
  expect(client.hasEnough).toBe(true);
  if (process.env.TEST_FULL) {
    const minutes = Math.round((performance.now() - started) / 6000) / 10;
    console.info(`${kind}: ${client.actionCount} actions, ${kills} kills, ${minutes} min`, client.counts);
  }
}
