import { ErrorCode } from '@shop/shared/domain';
import fc from 'fast-check';
import { repetitions } from '../../../scripts/jest/test-scale';
import { bindInvitation, giveInvitationCoupons } from '../../src/accounts/invitations/invitations.service';
import { endHolds } from '../../src/holds/holds.service';
import { closeUnpaid } from '../../src/jobs/jobs';
import { askPayments } from '../../src/payments/provider-calls.service';
import { shopErrorOf } from '../../src/platform/http/errors';
import { serveSuppliers } from '../../src/suppliers/suppliers.service';
import { secondsNow } from '../support/doubles/double';
import { StripeDouble } from '../support/doubles/stripe';
import { refund } from '../support/money-back';
import { addSharedValue, countOf, writeText } from '../support/shared-value';
import { onEveryDatabase, type ProviderNotice, type TestApp, type User } from '../support/test-app';

/** The number of histories on each database. The seed of a failing history is printed. server/soak runs the same over real processes. */
const HISTORIES = process.env.TEST_FULL ? 1000 : repetitions(100);
const stripe = new StripeDouble();
const usd = { currency: 'USD', locale: 'en' };

type Operation = (testApp: TestApp, user: User, pick: number) => Promise<unknown>;

const orderOf = async (testApp: TestApp, user: User, pick: number) => {
  const rows = await testApp.db.rows<{ order_no: string }>(
    'select order_no from orders where user_id = $1 order by id desc limit 6',
    [user.id],
  );
  return rows[pick % Math.max(1, rows.length)]?.order_no ?? 'NONE00000000';
};

const notices: ProviderNotice[] = [];
const tell = (testApp: TestApp, notice: ProviderNotice) => testApp.notify('stripe', notice);
const paidSessions = () => [...stripe.sessions.values()].filter(({ payment_status }) => payment_status === 'paid');
function refundedEvent(paymentNo: string): ProviderNotice {
  const event = stripe.refundEvent(paymentNo, stripe.refundedOf(stripe.sessionOf(paymentNo)));
  notices.push(event);
  return event;
}
const refundOrPass = (testApp: TestApp, orderNo: string, request: Parameters<typeof refund>[2]) =>
  refund(testApp.context, orderNo, request).catch((error) => {
    if (!shopErrorOf(error)) throw error;
  });
async function askStripe({ context, db }: TestApp): Promise<void> {
  for (const table of ['payments', 'payment_refunds'])
    await db.run(`update ${table} set ask_at = clock_timestamp() where state = 'pending' and ask_at is not null`);
  await askPayments(context).catch((error) => {
    if (!/did not answer/.test(error.message)) throw error;
  });
}

const actions: Record<string, Operation> = {
  byCard: async (testApp, user, pick) => {
    const { data: order } = await user.order({ quantity: 1 + (pick % 3) }, usd);
    const { data } = await user.post('payment/online', { order_no: order?.order_no, method: 'stripe' }, usd);
    if (!data) return undefined;
    await testApp.app.inject(`/cashier/${data.payment_no}`);
    if (![...stripe.sessions.values()].some(({ metadata }) => metadata.payment_no === data.payment_no))
      return undefined;
    if (pick % 4 === 0) await user.post('order/cancel', { order_no: order.order_no });
    const expired = { payment_status: 'unpaid', status: 'expired', payment_intent: null } as const;
    if (pick % 5 === 0)
      await tell(testApp, stripe.notice(data.payment_no, { type: 'checkout.session.expired', session: expired }));
    stripe.pay(data.payment_no);
    return pick % 7 === 0 ? undefined : tell(testApp, stripe.notice(data.payment_no));
  },
  backToCard: async (testApp, _user, pick) => {
    const rows = await testApp.db.rows<{ order_no: string; payment_no: string; codes: number[] }>(
      `select o.order_no, p.payment_no, array(select id from card_codes where order_id = o.id and state = 2) as codes
         from orders o join payments p on p.id = o.payment_id where p.method = 'stripe' and p.state = 'paid' and p.payment_no = any ($1) order by o.id`,
      [paidSessions().map(({ client_reference_id }) => client_reference_id)],
    );
    const order = rows[pick % Math.max(1, rows.length)];
    if (!order) return undefined;
    const part = [{}, { amount: 1 + pick }, { quantity: 1 }, { quantity: 1, codes: order.codes.slice(0, 1) }][pick % 4];
    stripe.refundsPend = pick % 2 === 0;
    stripe.unreachable = pick % 7 === 0;
    await refundOrPass(testApp, order.order_no, { ...part, target: 'source' });
    stripe.unreachable = false;
    refundedEvent(order.payment_no);
  },
  refundEnds: async (testApp, _user, pick) => {
    const open = [...stripe.refunds.values()].filter(
      (refund) => refund.metadata?.refund_no && refund.status !== 'failed',
    );
    const { status, metadata } = open[pick % Math.max(1, open.length)] ?? {};
    if (!metadata) return undefined;
    const [paymentNo = '', refundNo = ''] = [metadata.payment_no, metadata.refund_no];
    stripe.endRefund(paymentNo, refundNo, status === 'pending' && pick % 3 > 0);
    const notice = stripe.refundNotice(paymentNo, refundNo);
    notices.push(notice);
    return pick % 2 ? tell(testApp, notice) : undefined;
  },
  atStripe: async (testApp, _user, pick) => {
    const session = paidSessions()[pick % Math.max(1, paidSessions().length)];
    const left = session ? session.amount_total - stripe.refundedOf(session) : 0;
    if (!session || left === 0) return undefined;
    stripe.refundByHand(session.client_reference_id, Math.min(left, 1 + pick));
    const event = refundedEvent(session.client_reference_id);
    return pick % 3 ? tell(testApp, event) : undefined;
  },
  dispute: async (testApp, _user, pick) => {
    const session = paidSessions()[pick % Math.max(1, paidSessions().length)];
    if (!session) return undefined;
    const paymentNo = session.client_reference_id;
    const dispute = {
      id: `dp_${paymentNo}`,
      amount: Math.ceil(session.amount_total / (1 + (session.amount_total % 2))),
    };
    await tell(testApp, stripe.disputeEvent(paymentNo, 'created', dispute));
    if (pick % 3 === 0) return undefined;
    const status = pick % 3 === 1 ? 'won' : 'lost';
    return tell(testApp, stripe.disputeEvent(paymentNo, 'closed', { ...dispute, status }));
  },
  again: async (testApp, _user, pick) => {
    const notice = notices[pick % Math.max(1, notices.length)];
    if (notice) await Promise.all([tell(testApp, notice), tell(testApp, notice)]);
  },
  ask: (testApp) => Promise.all([askStripe(testApp), askStripe(testApp)]),
  card: (_world, user) => user.order(),
  cards: (testApp, user, pick) => user.order({ spec_id: testApp.spec('card', 'b'), quantity: 1 + (pick % 3) }),
  direct: (testApp, user, pick) =>
    user.order({
      goods_id: testApp.goods.custom.id,
      custom_value: 10 * (1 + (pick % 9)),
      fields: { uid: ['1', 'fail', 'slow', 'lost'][pick % 4] },
    }),
  pay: async (testApp, user, pick) => user.pay(await orderOf(testApp, user, pick)),
  payTwice: async (testApp, user, pick) => {
    const number = await orderOf(testApp, user, pick);
    await Promise.all([user.pay(number), user.pay(number)]);
  },
  cancel: async (testApp, user, pick) => user.post('order/cancel', { order_no: await orderOf(testApp, user, pick) }),
  expire: async (testApp, user, pick) => {
    await testApp.db.run('update orders set expire_at = clock_timestamp() where order_no = $1 and status = 10', [
      await orderOf(testApp, user, pick),
    ]);
    await closeUnpaid(testApp.db);
  },
  online: async (testApp, user, pick) => {
    const opened = await user.post('payment/online', {
      order_no: await orderOf(testApp, user, pick),
      method: 'sandbox',
    });
    return opened.code === 200 ? notify(testApp, opened.data.payment_no, pick) : opened;
  },
  recharge: async (testApp, user, pick) => {
    const created = await user.post('recharge/create', { amount: `${1 + (pick % 40)}.50`, method: 'sandbox' });
    return created.code === 200 ? notify(testApp, created.data.payment_no, pick) : created;
  },
  coupon: async (testApp, user) => {
    const coupon_id = await testApp.value('select min(id) from coupons');
    return user.post('coupon/receive', { coupon_id });
  },
  refund: async (testApp, user, pick) => {
    const orderNo = await orderOf(testApp, user, pick);
    await testApp.db
      .row("select order_refund(id, 'model', 'model') from orders where order_no = $1", [orderNo])
      .catch((error) => {
        const refusals: unknown[] = [ErrorCode.SupplierRequestOpen, ErrorCode.OrderDisputed];
        if (!refusals.includes(shopErrorOf(error)?.code)) throw error;
      });
  },
  refundPart: async (testApp, user, pick) => {
    const orderNo = await orderOf(testApp, user, pick);
    const part = pick % 2 ? { quantity: 1 } : { amount: 1 + pick };
    const refundNo = `part-${orderNo}-${pick % 4}`;
    await refundOrPass(testApp, orderNo, { ...part, refund_no: refundNo });
  },
  steps: async (testApp, _user, pick) => {
    await testApp.db.withTransaction(async (sql) => {
      await sql.run('delete from price_steps');
      if (pick % 3)
        await sql.run("insert into price_steps values ($1, 'CNY', 2, $2) on conflict do nothing", [
          testApp.spec('card', 'b'),
          2000 + pick,
        ]);
    });
  },
  level: async (testApp, user, pick) => {
    await testApp.db.run(
      `with l as (insert into levels (key, name_zh, name_en, rank, percent) values ('model', '等级', 'Level', 1, $2)
         on conflict (key) do update set percent = excluded.percent, active = $3 returning id)
       insert into given_levels (user_id, level_id, given_by) select $1, id, 'model' from l on conflict do nothing`,
      [user.id, 1 + (pick % 100), pick % 4 > 0],
    );
  },
  invitations: ({ context }) => Promise.all([giveInvitationCoupons(context), giveInvitationCoupons(context)]),
  look: async (testApp, _user, pick) => {
    await testApp.db.run('update hold_settings set at_end = $1', [pick % 2 ? 'refund' : 'release']);
    await testApp.passHolds();
    await Promise.all([endHolds(testApp.context), endHolds(testApp.context)]);
  },
  text: async (testApp, user, pick) => user.order({ spec_id: await sharedSpec(testApp), quantity: 1 + (pick % 3) }),
  write: async (testApp, _user, pick) => writeText(testApp.context, await sharedSpec(testApp), `text ${pick}`),
  supply: async (testApp) => {
    await testApp.db.run('update supplier_requests set next_at = clock_timestamp() where state = $1', [1]);
    await serveSuppliers(testApp.context);
  },
};

const sharedSpec = (testApp: TestApp) => testApp.value<number>("select id from goods_specs where key = 'shared'");

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
}

async function invite({ db }: TestApp, users: User[]): Promise<void> {
  for (const [index, invitee] of users.slice(1).entries())
    await db.withTransaction((sql) =>
      bindInvitation(sql, {
        inviteeId: invitee.id,
        inviterId: users[index]?.id ?? 0,
        address: `10.5.${index}.${invitee.id % 256}`,
        device: null,
      }),
    );
}

const cashOf = (testApp: TestApp) =>
  testApp.value<number>(
    "select coalesce(-sum(amount), 0)::bigint from ledger_entries where account = 'cash' and currency = 'USD'",
  );

/** After all notifications have arrived, the money that Stripe has kept of each payment equals the shop's books. */
async function settleStripe(testApp: TestApp, cashBefore: number): Promise<void> {
  const { db } = testApp;
  stripe.refundsPend = false;
  for (const refund of stripe.refunds.values()) if (refund.status === 'pending') refund.status = 'succeeded';
  while (await db.row("select 1 from payment_refunds where state = 'pending'")) await askStripe(testApp);
  const sessions = paidSessions();
  for (const { client_reference_id: paymentNo } of sessions) {
    await tell(testApp, stripe.notice(paymentNo));
    for (const { metadata } of stripe.refunds.values())
      if (metadata?.refund_no && metadata.payment_no === paymentNo)
        await tell(testApp, stripe.refundNotice(paymentNo, metadata.refund_no));
    const total = stripe.refundedOf(stripe.sessionOf(paymentNo));
    await tell(testApp, stripe.refundEvent(paymentNo, total, secondsNow() + 60));
    const booked = 'select payment_paid_back(id) as total from payments where payment_no = $1';
    expect([paymentNo, await db.one(booked, [paymentNo])]).toEqual([paymentNo, { total }]);
  }
  const keptMoney = sessions.reduce((sum, session) => sum + session.amount_total - stripe.refundedOf(session), 0);
  expect((await cashOf(testApp)) - cashBefore).toBe(keptMoney);
}

const byStripe = ['byCard', 'byCard', 'backToCard', 'refundEnds', 'atStripe', 'dispute', 'again', 'ask'];
const step = fc.record({
  action: fc.constantFrom(...Object.keys(actions), ...byStripe, ...byStripe),
  who: fc.nat(2),
  pick: fc.nat(100),
});
const history = fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { minLength: 3, maxLength: 10 });

beforeAll(() => stripe.start());
afterAll(() => stripe.close());

onEveryDatabase(
  'a random history of concurrent operations',
  (testApp) => {
    it('a random history of concurrent operations keeps every invariant', async () => {
      await testApp().addCoupon({ reduce: 250, min: 500, for_invitation: true });
      await testApp().setHolds({ cny_from: 600, codes_per_hour: 5 });
      const { context, goods } = testApp();
      let pieces = 20;
      const spec = await addSharedValue(context, goods.card.id, 'shared', 'text', { stock: pieces });
      await fc.assert(
        fc.asyncProperty(history, async (batches) => {
          stripe.sessions.clear();
          stripe.refunds.clear();
          notices.length = 0;
          const cash = await cashOf(testApp());
          const users = await Promise.all([3000, 1000, 0].map((balance) => testApp().user(balance)));
          await invite(testApp(), users);
          for (const batch of batches) {
            const answers = await Promise.all(
              batch.map(({ action, who, pick }) => actions[action]?.(testApp(), users[who] as User, pick)),
            );
            expect(answers).not.toContainEqual(expect.objectContaining({ code: 50000 }));
          }
          await settleStripe(testApp(), cash);
          await testApp().check();
          if (await testApp().db.row('select 1 from wallets where balance < 0 or frozen < 0'))
            throw new Error('a balance is negative');
          await testApp().addStock(20);
          const { left, taken } = await countOf(context, spec);
          expect(left + taken).toBe(pieces);
          pieces += 3;
          await testApp().db.run('update goods_specs set stock = stock + 3 where id = $1', [spec]);
        }),
        { numRuns: HISTORIES, endOnFailure: true },
      );
      const { supplier } = testApp();
      for (const reference of supplier.references()) expect(supplier.ordered(reference)).toBe(1);
    }, 100_000_000);
  },
  () => stripe.env(),
);
