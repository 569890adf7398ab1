import { ErrorCode } from '@shop/shared/domain';
import fc from 'fast-check';
import { repetitions } from '../../../scripts/jest/test-scale';
import { bindInvitation } from '../../src/accounts/invitations/bind-invitation.service';
import { endHolds } from '../../src/holds/holds.service';
import { settleInvitations } from '../../src/invitations/rewards.service';
import { shopErrorOf } from '../../src/platform/http/errors';
import { closeUnpaid } from '../../src/platform/jobs/jobs';
import { serveSuppliers } from '../../src/suppliers/suppliers.service';
import { refund } from '../support/money-back';
import { addSharedValue, countOf, writeText } from '../support/shared-value';
import { onBothDatabases, type Person, type TestApp } from '../support/test-app';

/** The seed of a failing history is printed. server/soak does the same over real processes. */
const HISTORIES = repetitions(100);

/** What anybody may do at any time; `pick` chooses among the person's orders. */
type Operation = (testApp: TestApp, person: Person, pick: number) => Promise<{ code: number } | undefined>;

const orderOf = async (testApp: TestApp, person: Person, pick: number) => {
  const rows = await testApp.db.rows<{ order_no: string }>(
    'select order_no from orders where user_id = $1 order by id desc limit 6',
    [person.id],
  );
  return rows[pick % Math.max(1, rows.length)]?.order_no ?? 'NONE00000000';
};

const acts: Record<string, Operation> = {
  card: (_world, person) => person.order(),
  cards: (testApp, person, pick) => person.order({ spec_id: testApp.spec('card', 'b'), quantity: 1 + (pick % 3) }),
  direct: (testApp, person, pick) =>
    person.order({
      goods_id: testApp.goods.custom.id,
      custom_value: 10 * (1 + (pick % 9)),
      fields: { uid: ['1', 'fail', 'slow', 'lost'][pick % 4] },
    }),
  pay: async (testApp, person, pick) => person.pay(await orderOf(testApp, person, pick)),
  payTwice: async (testApp, person, pick) => {
    const number = await orderOf(testApp, person, pick);
    await Promise.all([person.pay(number), person.pay(number)]);
    return undefined;
  },
  cancel: async (testApp, person, pick) =>
    person.post('order/cancel', { order_no: await orderOf(testApp, person, pick) }),
  expire: async (testApp, person, pick) => {
    await testApp.db.run('update orders set expire_at = clock_timestamp() where order_no = $1 and status = 10', [
      await orderOf(testApp, person, pick),
    ]);
    await closeUnpaid(testApp.db);
    return undefined;
  },
  online: async (testApp, person, pick) => {
    const opened = await person.post('payment/online', {
      order_no: await orderOf(testApp, person, pick),
      method: 'sandbox',
    });
    return opened.code === 200 ? notify(testApp, opened.data.payment_no, pick) : opened;
  },
  recharge: async (testApp, person, pick) => {
    const created = await person.post('recharge/create', { amount: `${1 + (pick % 40)}.50`, method: 'sandbox' });
    return created.code === 200 ? notify(testApp, created.data.payment_no, pick) : created;
  },
  coupon: async (testApp, person) => {
    const { id } = await testApp.db.one<{ id: number }>('select min(id) as id from coupons');
    return person.post('coupon/receive', { coupon_id: id });
  },
  refund: async (testApp, person, pick) => {
    const orderNo = await orderOf(testApp, person, pick);
    await testApp.db
      .row("select order_refund(id, 'model', 'model') from orders where order_no = $1", [orderNo])
      .catch((error) => {
        if (shopErrorOf(error)?.code !== ErrorCode.SupplierRequestOpen) throw error;
      });
    return undefined;
  },
  refundPart: async (testApp, person, pick) => {
    const orderNo = await orderOf(testApp, person, pick);
    const part = pick % 2 ? { quantity: 1 } : { amount: 1 + pick };
    // The key of some is another's or its own again.
    const refundNo = `part-${orderNo}-${pick % 4}`;
    await refund(testApp.context, orderNo, { ...part, refundNo }).catch((error) => {
      if (!shopErrorOf(error)) throw error;
    });
    return undefined;
  },
  /** Of the card: from two pieces on, or not any more. */
  steps: async (testApp, _person, pick) => {
    await testApp.db.withTransaction(async (sql) => {
      await sql.run('delete from price_steps');
      if (pick % 3)
        await sql.run("insert into price_steps values ($1, 'CNY', 2, $2) on conflict do nothing", [
          testApp.spec('card', 'b'),
          2000 + pick,
        ]);
    });
    return undefined;
  },
  level: async (testApp, person, pick) => {
    await testApp.db.run(
      `with l as (insert into levels (key, name_zh, name_en, rank, percent) values ('model', '等级', 'Level', 1, $2)
         on conflict (key) do update set percent = excluded.percent, active = $3 returning id)
       insert into given_levels (user_id, level_id, given_by) select $1, id, 'model' from l on conflict do nothing`,
      [person.id, 1 + (pick % 100), pick % 4 > 0],
    );
    return undefined;
  },
  reward: async (testApp) => {
    const { db } = testApp;
    await db.run(
      "update invite_rewards set due_at = clock_timestamp(), settle_at = clock_timestamp() where state = 'waiting'",
    );
    await Promise.all([settleInvitations({ db }), settleInvitations({ db })]);
    return undefined;
  },
  look: async (testApp, _person, pick) => {
    const { db } = testApp;
    await db.run('update hold_settings set at_end = $1', [pick % 2 ? 'refund' : 'release']);
    await db.run('update orders set held_until = clock_timestamp() where held_until is not null');
    await Promise.all([endHolds(testApp.context), endHolds(testApp.context)]);
    return undefined;
  },
  text: async (testApp, person, pick) => person.order({ spec_id: await sharedSpec(testApp), quantity: 1 + (pick % 3) }),
  /** Another version, and who sees it. */
  write: async (testApp, _person, pick) => {
    await testApp.db.run('update goods_specs set shows_newest = $2 where id = $1', [
      await sharedSpec(testApp),
      pick % 2 === 0,
    ]);
    await writeText(testApp.context, await sharedSpec(testApp), `text ${pick}`);
    return undefined;
  },
  supply: async (testApp) => {
    await testApp.db.run('update supplier_requests set next_at = clock_timestamp() where state = $1', [1]);
    await serveSuppliers(testApp.context);
    return undefined;
  },
};

const sharedSpec = async ({ db }: TestApp) =>
  (await db.one<{ id: number }>("select id from goods_specs where key = 'shared'")).id;

/** A provider's notice, twice at once, sometimes preceded by one with a wrong amount. */
async function notify(testApp: TestApp, paymentNo: string, pick: number) {
  const payment = await testApp.db.one<{ amount: number; currency: string }>(
    'select amount, currency from payments where payment_no = $1',
    [paymentNo],
  );
  const send = (amount: number) =>
    testApp.post(
      'payment/callback/sandbox',
      testApp.cashier.notice({ ...payment, amount, payment_no: paymentNo }, pick % 5 !== 0),
    );
  if (pick % 3 === 0) await send(payment.amount + 1);
  await Promise.all([send(payment.amount), send(payment.amount)]);
  return undefined;
}

/** The first has invited the second, and the second the third. */
async function invite({ db }: TestApp, people: Person[]): Promise<void> {
  for (const [index, invitee] of people.slice(1).entries())
    await db.withTransaction((sql) =>
      bindInvitation(sql, {
        inviteeId: invitee.id,
        inviterId: people[index]?.id ?? 0,
        address: `10.5.${index}.${invitee.id % 256}`,
        device: null,
      }),
    );
}

const step = fc.record({ act: fc.constantFrom(...Object.keys(acts)), who: fc.nat(2), pick: fc.nat(100) });
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 3, maxLength: 10 });

onBothDatabases('a random history of concurrent operations', (testApp) => {
  it('keeps every invariant', async () => {
    await testApp().db.script(`
      insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range) values ('model', '券', 'Coupon', 10, 10, 7, 10);
      insert into coupon_amounts select id, 'CNY', 250, 500 from coupons where key = 'model';
      insert into invite_settings values (true, true, 20, 3, 30, 1, 10, 500, 100);
      insert into hold_settings values (true, true, 600, null, null, 5, '{}', false, 30, 'release')`);
    const { context, goods } = testApp();
    let pieces = 20;
    const spec = await addSharedValue(context, goods.card.id, 'shared', 'text', { stock: pieces });
    await fc.assert(
      fc.asyncProperty(history, async (batches) => {
        const people = await Promise.all([3000, 1000, 0].map((balance) => testApp().person(balance)));
        await invite(testApp(), people);
        for (const batch of batches) {
          const answers = await Promise.all(
            batch.map(({ act, who, pick }) => acts[act]?.(testApp(), people[who] as Person, pick)),
          );
          for (const answer of answers) expect(answer?.code).not.toBe(50000);
        }
        await testApp().check();
        if (await testApp().db.row('select 1 from wallets where balance < 0 or frozen < 0'))
          throw new Error('a balance is negative');
        await testApp().addStock(20);
        const { left, taken } = await countOf(context, spec);
        expect(left + taken).toBe(pieces);
        // Some histories begin with less than they want.
        pieces += 3;
        await testApp().db.run('update goods_specs set stock = stock + 3 where id = $1', [spec]);
      }),
      { numRuns: HISTORIES, endOnFailure: true },
    );
    const { supplier } = testApp();
    for (const reference of supplier.references()) expect(supplier.ordered(reference)).toBe(1);
  }, 100_000_000);
});
