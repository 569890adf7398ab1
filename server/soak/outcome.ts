import path from 'node:path';
import { giveInvitationCoupons } from '../src/accounts/invitations/invitations.service';
import type { AppContext } from '../src/context';
import { endHolds } from '../src/holds/holds.service';
import type { Sql } from '../src/platform/db/sql';
import { SandboxSupplier } from '../src/providers/sandbox';
import { serveSuppliers } from '../src/suppliers/suppliers.service';
import { faultsOf } from '../test/support/invariants';
import { countOf } from '../test/support/shared-value';
import { type Client, type Fact, facts, unacknowledgedFacts } from './client';
import type { SoakGoods } from './users';

/**
 * Replaces the waiting time that the run does not have: leases and pauses of suppliers end, rate limits are reset, and holds are
 * old enough to end.
 */
export async function passTime(sql: Sql): Promise<void> {
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp(), sent_at = sent_at - interval '3 minutes'
      where state in (0, 1, 3) and next_at < 'infinity'`,
  );
  await sql.run('delete from rate_limits');
  await sql.run('update orders set held_until = clock_timestamp() where held_until is not null');
}

export async function settle(shop: AppContext): Promise<void> {
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

export async function expectOutcome(
  { db, keyring, config }: AppContext,
  { text }: SoakGoods,
  client: Client,
): Promise<void> {
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
