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
import { bindInvitation, giveInvitationCoupons } from '../src/accounts/invitations/invitations.service';
import { addCards } from '../src/catalogue/goods.store';
import type { AppContext } from '../src/context';
import { endHolds } from '../src/holds/holds.service';
import { openEmbedded } from '../src/platform/db/database';
import type { Sql } from '../src/platform/db/sql';
import { SandboxSupplier } from '../src/providers/sandbox';
import { embeddedFolder, openContext } from '../src/start';
import { serveSuppliers } from '../src/suppliers/suppliers.service';
import { fillShop, type Shopper } from '../test/support/fill-shop';
import { faultsOf } from '../test/support/invariants';
import { startPostgres } from '../test/support/postgres';
import { addSharedValue, countOf } from '../test/support/shared-value';
import { ShopProcess } from '../test/support/shop-process';
import { type Kind, kinds } from '../test/support/test-app';
import { newCards, writeSecrets } from '../test/support/test-goods';
import { Client, type Fact, facts, SANDBOX_PAY_KEY, type SoakGoods, stepsOf, unacknowledgedFacts } from './client';

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
  const actions = repetitions(kind === 'postgres' ? 10_000 : 3_000);
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-soak-'));
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
}

async function openShop(
  shop: AppContext,
  { userCount, cards }: { userCount: number; cards: number },
): Promise<{ goods: SoakGoods; users: Shopper[]; coupons: number[] }> {
  const { db, keyring } = shop;
  const { goods, users } = await fillShop(shop, { people: userCount });
  await addCards(db, keyring, goods.card.spec, newCards(cards));
  const [text, pieces] = ['first the region,\nthen the code', cards];
  const spec = await addSharedValue(shop, goods.card.id, 'text', text, { stock: pieces });
  await db.script(`
    insert into price_steps values (${goods.card.spec}, 'CNY', 2, 950);
    insert into levels (key, name_zh, name_en, rank, percent, period_days)
      values ('silver', '白银', 'Silver', 1, 98, 30), ('gold', '黄金', 'Gold', 2, 95, 30);
    insert into level_thresholds select id, 'CNY', case key when 'silver' then 2000 else 20000 end from levels;
    insert into hold_settings values (true, true, 1500, null, null, null, '{}', false, 30, 'release')`);
  const coupons = await saveCoupons(db);
  await db.run('update coupons set for_invitation = true where id = $1', [coupons[0]]);
  for (const [index, { id }] of users.entries()) {
    const inviter = users[index - 1];
    if (inviter)
      await db.withTransaction((sql) =>
        bindInvitation(sql, { inviteeId: id, inviterId: inviter.id, address: `10.5.${index}.1`, device: null }),
      );
  }
  return { goods: { ...goods, text: { spec, text, pieces } }, users, coupons };
}

async function saveCoupons(db: Sql): Promise<number[]> {
  const coupons = await db.rows<{ id: number }>(
    `insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range)
     select 'soak-' || n, '券', 'Coupon', 10, 10, 7, 10 from generate_series(1, 8) n returning id`,
  );
  await db.run("insert into coupon_amounts select id, 'CNY', 150, 500 from coupons");
  return coupons.map(({ id }) => id);
}

/**
 * Replaces the waiting time that the run does not have: leases and pauses of suppliers end, rate limits are reset, and holds are
 * old enough to end.
 */
async function passTime(sql: Sql): Promise<void> {
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp(), sent_at = sent_at - interval '3 minutes'
      where state in (0, 1, 3) and next_at < 'infinity'`,
  );
  await sql.run('delete from rate_limits');
  await sql.run('update orders set held_until = clock_timestamp() where held_until is not null');
}

async function settle(shop: AppContext): Promise<void> {
  const { db } = shop;
  await passTime(db);
  while (await endHolds(shop));
  do await passTime(db);
  while (await serveSuppliers(shop, 500));
  while (await giveInvitationCoupons(shop));
}

const leftovers: Record<string, string> = {
  'an order is still on hold': 'select id from orders where held_until is not null',
  'an inviter has no coupon for a shopper with a finished order': `
    select i.invitee_id as id from invitations i where i.state = 'waiting' and exists (
      select 1 from orders o where o.user_id = i.invitee_id and o.finished_at is not null and o.total_amount > o.refunded_amount)`,
};
const happened: Record<string, string> = {
  'a step lowered a price': `select 1 from orders where snapshot #> '{price,parts}' @> '[{"kind": "step"}]'`,
  'a level lowered a price': `select 1 from orders where snapshot #> '{price,parts}' @> '[{"kind": "level"}]'`,
  'an inviter got a coupon': "select 1 from invitations where state = 'rewarded'",
  'an order was on hold': 'select 1 from order_holds',
  'a text was sold': 'select 1 from shared_code_orders',
};

async function expectOutcome({ db, keyring, config }: AppContext, { text }: SoakGoods, client: Client): Promise<void> {
  for (const [fact, query] of Object.entries(facts) as Array<[Fact, string]>) {
    const stored = new Set((await db.rows<{ fact: string }>(query)).map((row) => row.fact));
    const lost = [...client.acknowledged[fact]].filter((value) => !stored.has(value));
    const unacknowledged = unacknowledgedFacts.includes(fact)
      ? []
      : [...stored].filter((value) => !client.acknowledged[fact].has(value));
    expect({ fact, lost, unacknowledged }).toEqual({ fact, lost: [], unacknowledged: [] });
  }
  const codes = await db.rows<{ order_no: string | null; key_id: string; card_no: Buffer }>(
    'select o.order_no, c.key_id, c.card_no from card_codes c left join orders o on o.id = c.order_id',
  );
  const owners = new Map(codes.map((code) => [keyring.decrypt(code.key_id, code.card_no), code.order_no]));
  expect(owners.size).toBe(codes.length);
  for (const [order, cards] of client.shown) for (const card of cards) expect(owners.get(card)).toBe(order);

  const supplier = new SandboxSupplier(path.join(config.dataDir, 'sandbox-supplier'));
  const topUps = await db.rows<{ order_no: string; delivered: boolean }>(
    `select order_no, exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'delivered') as delivered
       from orders o where recharge_type = 2 and paid_at is not null`,
  );
  for (const { order_no, delivered } of topUps)
    expect([order_no, supplier.ordered(order_no)]).toEqual([order_no, delivered ? 1 : 0]);

  for (const [name, query] of Object.entries(leftovers)) expect([name, await db.rows(query)]).toEqual([name, []]);
  for (const [name, query] of Object.entries(happened))
    expect([name, await db.row(`${query} limit 1`)]).toEqual([name, expect.anything()]);
  const { left, taken } = await countOf({ db }, text.spec);
  expect(left + taken).toBe(text.pieces);
  expect(await faultsOf(db)).toEqual({});
}
