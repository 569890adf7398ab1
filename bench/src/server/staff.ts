import { tailMark } from '../../../server/src/platform/crypto/keyring';
import { connectPostgres, type Database } from '../../../server/src/platform/db/database';
import { migrate } from '../../../server/src/platform/db/migrate';
import type { Sql } from '../../../server/src/platform/db/sql';
import { auditPage } from '../../../server/src/staff/audit.routes';
import { figures } from '../../../server/src/staff/figures.service';
import { find } from '../../../server/src/staff/find.service';
import { queue } from '../../../server/src/staff/queue.service';
import { explain, recording } from './recorder';
import type { Rig } from './shops';
import { median } from './start';
import { stockShop } from './stock-shop';

export interface StaffRow {
  call: string;
  /** ms on the server, by the database. */
  median: number;
  slowest: number;
  found: number;
  rowsRead: number;
  wholeTables: string[];
}
export interface StaffResults {
  orders: number;
  rows: StaffRow[];
}

const ORDERS = 100_000;
const PEOPLE = 5000;
const ROUNDS = 40;
const SECRET = 'a secret of sixteen letters';
const tails = Array.from({ length: 10_000 }, (_one, index) => String(index).padStart(4, '0'));

/** What staff search by, and what they have done: a payment for each order, for half a supplier's request, a top-up and a code. */
const steps = [
  'update orders set order_no = upper(order_no)',
  `insert into payments (payment_no, user_id, order_id, method, currency, amount, state, provider_ref, created_at, expire_at, ended_at)
   select 'PAY' || lpad(id::text, 12, '0'), user_id, id, 'alipay', 'CNY', 100, 'paid', 'trade' || id, created_at, created_at, created_at from orders`,
  `insert into recharges (recharge_no, user_id, currency, amount, method, state, created_at, expire_at, paid_at)
   select 'RE' || lpad(id::text, 12, '0'), user_id, 'CNY', 100, 'alipay', 'paid', created_at, created_at, created_at from orders where id % 2 = 0`,
  `insert into payments (payment_no, user_id, recharge_id, method, currency, amount, state, provider_ref, created_at, expire_at, ended_at)
   select 'REPAY' || lpad(id::text, 12, '0'), user_id, id, 'alipay', 'CNY', 100, 'paid', 'topup' || id, created_at, created_at, created_at from recharges`,
  `insert into supplier_requests (order_id, supplier, reference, state, next_at)
   select id, '7', 'ask' || lpad(id::text, 12, '0'), 2, 'infinity' from orders where id % 2 = 0`,
  "update users set email = 'p' || id || '@example.com'",
  `insert into audit_log (at, actor, action, subject, user_id)
   select created_at, 'staff ' || id % 5 || ' (staff)', 'order.deliver', order_no, user_id from orders`,
];

async function fill(sql: Sql): Promise<void> {
  await sql.script('set session_replication_role = replica');
  for (const step of steps) await sql.script(step);
  await sql.run(
    `insert into card_codes (spec_id, code_hash, key_id, card_no, card_pwd, state, order_id, sold_at, tail_mark)
     select spec_id, sha256(order_no::bytea), 'local', '\\x00', '\\x00', 2, id, created_at, ($1::bytea[])[1 + id % 10000] from orders`,
    [tails.map((one) => tailMark(SECRET, one))],
  );
  await sql.script('set session_replication_role = origin');
  await sql.script('vacuum analyze');
}

/** In a shop of 100,000 orders on PostgreSQL. */
export async function measureStaff(rig: Rig, log: (line: string) => void): Promise<StaffResults> {
  const { url } = await rig.newDatabase();
  const filling = await connectPostgres(url, { max: 1 });
  await migrate(filling);
  await stockShop(filling, { goods: 10_000, cardGoods: 10, cardsPerSpec: 200, people: PEOPLE, orders: ORDERS });
  await fill(filling);
  await filling.close();
  log(`a shop of ${ORDERS} orders is filled`);
  const db = await connectPostgres(url, { max: 2 });
  const rows = await measureCalls(db);
  await db.close();
  return { orders: ORDERS, rows };
}

async function measureCalls(db: Database): Promise<StaffRow[]> {
  const recorder = recording(db);
  const by = async (text: string): Promise<number> => {
    const { orders, people } = await find(recorder.db, text, SECRET, 'en');
    return orders.length + people.length;
  };
  const numbered = (name: string, n: number) => `${name}${String(n).padStart(12, '0')}`;
  const [to, from] = [0, 29].map((days) => new Date(Date.now() - (89 - 29 + days) * 86_400_000).toJSON().slice(0, 10));
  const staff = { id: 1, name: 'Ann', role: 'manager', tokenHash: Buffer.alloc(32) } as const;
  const calls: Record<string, (n: number) => Promise<number>> = {
    'find, an order’s number': (n) => by(numbered('PAST', n)),
    'find, a payment’s number': (n) => by(numbered('PAY', n)),
    'find, a provider’s number': (n) => by(`trade${n}`),
    'find, a supplier’s number': (n) => by(numbered('ask', n * 2)),
    'find, a top-up’s number': (n) => by(numbered('RE', n * 2)),
    'find, a number that nobody has': (n) => by(`NOTHING${n}`),
    'find, a phone': (n) => by(String(13_900_000_000 + (n % PEOPLE) + 1)),
    'find, an email': (n) => by(`P${(n % PEOPLE) + 1}@example.com`),
    'find, last four of a code': (n) => by(tails[n % tails.length] ?? ''),
    'the queue': async () => (await queue(recorder.db, staff, 'en')).orders.length,
    'audit log, newest': async () => (await auditPage(recorder.db, {})).entries.length,
    'audit log, of one person and kind': async (n) =>
      (await auditPage(recorder.db, { actor: `staff ${n % 5} (staff)`, kind: 'order' })).entries.length,
    'figures of 30 days': async () =>
      (await figures(recorder.db, { from: from ?? '', to: to ?? '', offset: 0 }, 'en')).days.length,
  };
  const measured: StaffRow[] = [];
  for (const [call, run] of Object.entries(calls)) {
    const times: number[] = [];
    let found = 0;
    for (let round = 0; round < ROUNDS; round++) {
      recorder.statements.length = 0;
      const startedAt = performance.now();
      found = await run(1 + ((round * 1237) % (ORDERS / 2)));
      times.push(performance.now() - startedAt);
    }
    const explained = [];
    for (const one of recorder.statements) explained.push(await explain(db, one));
    measured.push({
      call,
      // The first calls fill the memory of the database.
      median: median(times.slice(ROUNDS / 4)),
      slowest: Math.max(...times.slice(ROUNDS / 4)),
      found,
      rowsRead: explained.reduce((sum, one) => sum + one.rowsRead, 0),
      wholeTables: [...new Set(explained.flatMap((one) => one.wholeTables))],
    });
  }
  return measured;
}
