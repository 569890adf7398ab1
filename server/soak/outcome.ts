import path from 'node:path';
import { giveInvitationCoupons } from '../src/accounts/invitations/invitation-coupons.service';
import type { AppContext } from '../src/context';
import { endHolds } from '../src/holds/holds.service';
import { collectOrderNotices } from '../src/notices/collect-notices.service';
import { kindsOfEvents } from '../src/notices/notice-kinds';
import { sendNotices } from '../src/notices/send-notices.service';
import type { Sql } from '../src/platform/db/sql';
import { SandboxSupplier } from '../src/providers/sandbox';
import { serveSuppliers } from '../src/suppliers/suppliers.service';
import type { MailServer } from '../test/support/doubles/mail-server';
import { faultsOf } from '../test/support/invariants';
import { countOf } from '../test/support/shared-value';
import { type Client, type Fact, facts, unacknowledgedFacts } from './client';
import type { SoakGoods, SoakUser } from './users';

/**
 * Replaces the waiting time that the run does not have: leases and pauses of suppliers and notices end, rate limits are reset,
 * and holds are old enough to end.
 */
export async function passTime(sql: Sql): Promise<void> {
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp(), sent_at = sent_at - interval '3 minutes'
      where state in (0, 1, 3) and next_at < 'infinity'`,
  );
  await sql.run('delete from rate_limits');
  await sql.run('update orders set held_until = clock_timestamp() where held_until is not null');
  await sql.run(
    `update notices set created_at = created_at - interval '25 hours',
       due_at = case state when 'waiting' then clock_timestamp() else due_at end`,
  );
}

export async function settle(shop: AppContext): Promise<void> {
  const { db } = shop;
  await passTime(db);
  while (await endHolds(shop));
  do await passTime(db);
  while (await serveSuppliers(shop, 500));
  while (await giveInvitationCoupons(shop));
  await collectOrderNotices(shop);
  for (let waits = true; waits; ) {
    await db.run("update notices set due_at = clock_timestamp() where state = 'waiting'");
    await sendNotices(shop);
    waits = (await db.row("select 1 from notices where state = 'waiting'")) !== undefined;
  }
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
  'a mail was sent': "select 1 from notices where state = 'sent'",
  'a text was sold': 'select 1 from shared_code_orders',
  'a shopper was notified of a level': "select 1 from notices where kind = 'level_reached'",
};

export async function expectOutcome(
  { db, keyring, config }: AppContext,
  { text }: SoakGoods,
  client: Client,
  mails: MailServer,
  users: readonly SoakUser[],
): Promise<void> {
  for (const [fact, query] of Object.entries(facts) as Array<[Fact, string]>) {
    const stored = new Set((await db.rows<{ fact: string }>(query)).map((row) => row.fact));
    const lost = [...client.acknowledged[fact]].filter((value) => !stored.has(value));
    const unacknowledged = unacknowledgedFacts.includes(fact)
      ? []
      : [...stored].filter((value) => !client.acknowledged[fact].has(value));
    expect({ fact, lost, unacknowledged }).toEqual({ fact, lost: [], unacknowledged: [] });
  }
  const codes = await db.rows<{ order_no: string | null; key_id: string; card_no: Buffer; card_pwd: Buffer }>(
    'select o.order_no, c.key_id, c.card_no, c.card_pwd from card_codes c left join orders o on o.id = c.order_id',
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
  const passwords = codes.map((code) => keyring.decrypt(code.key_id, code.card_pwd));
  await expectMails(db, client, mails, users, new Set([...owners.keys(), ...passwords]));
  expect(await faultsOf(db)).toEqual({});
}

async function expectMails(
  db: AppContext['db'],
  client: Client,
  mails: MailServer,
  users: readonly SoakUser[],
  codes: ReadonlySet<string>,
): Promise<void> {
  const notices = await db.rows<{
    id: number;
    kind: string;
    state: string;
    detail: string;
    tries: number;
    user_id: number;
    email: string;
    event_at: Date | null;
  }>(
    `select n.id, n.kind, n.state, n.detail, n.tries, n.user_id, u.email, e.at as event_at from notices n join users u on u.id = n.user_id
       left join order_events e on e.id::text = n.about and n.kind = any($1) where n.channel = 'mail'`,
    [kindsOfEvents.map(({ kind }) => kind)],
  );
  const received = new Map<string, string[]>();
  for (const { headers, to, subject, text } of mails.received) {
    const number = /^<notice\.(\d+)@/.exec(headers['message-id'] ?? '')?.[1] ?? '';
    received.set(number, [...(received.get(number) ?? []), ...to]);
    // Codes consist of letters and digits.
    expect(`${subject} ${text}`.split(/[^0-9A-Z]+/).filter((word) => codes.has(word))).toEqual([]);
  }
  for (const { id, state, detail, tries, email } of notices) {
    const to = received.get(String(id)) ?? [];
    expect([id, to.filter((address) => address !== email)]).toEqual([id, []]);
    // Each attempt sends the notice at most once. A dropped notice may have been sent by a server that died before it recorded this.
    const [least, most] = state === 'sent' ? [1, tries] : [0, tries - 1];
    expect({ id, least, most, isRight: to.length >= least && to.length <= most }).toMatchObject({ isRight: true });
    if (state !== 'sent')
      expect([id, state, detail]).toEqual([id, 'dropped', expect.stringMatching(/^(not wanted|too many in a day)$/)]);
    received.delete(String(id));
  }
  expect([...received.keys()]).toEqual([]);
  const unwanted = notices.filter(({ kind, user_id, event_at }) => {
    const ended = client.ended.get(`${user_id} ${kind}`);
    return ended && event_at && event_at > ended;
  });
  expect(unwanted).toEqual([]);
  const lost = await db.rows(
    `select e.id, e.kind from order_events e join orders o on o.id = e.order_id
      where o.user_id = any($1) and e.kind = any($2)
        and not (e.kind = 'delivered' and o.recharge_type = 1 and o.pay_method = 'balance'
                 and not exists (select 1 from order_holds h where h.order_id = o.id))
        and not exists (select 1 from notices n where n.user_id = o.user_id and n.channel = 'mail' and n.kind = any($3) and n.about = e.id::text)`,
    [
      users.filter((user) => user.mails === 'kept').map(({ id }) => id),
      kindsOfEvents.map(({ event }) => event),
      kindsOfEvents.map(({ kind }) => kind),
    ],
  );
  expect(lost).toEqual([]);
}
