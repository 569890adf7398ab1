import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { pollSuppliers } from '@shop/server/suppliers/supplier-offers.service';
import { serveSuppliers } from '@shop/server/suppliers/suppliers.service';
import { refund } from '@shop/server/test/support/money-back';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { addDays } from '@shop/shared/domain/time-zone';
import { withStaff } from '../testing/staff';
import type { Reports, ReportTotal } from '../wire';

const DAY_MS = 86_400_000;
const dayAt = (at: number) => new Date(at).toISOString().slice(0, 10);

onEveryDatabase('reports at /staff', (testApp) => {
  const ann = withStaff(testApp, 'money');
  const [yesterday = '', today = '', tomorrow = ''] = [-DAY_MS, 0, DAY_MS].map((ms) => dayAt(Date.now() + ms));
  const reports = async (from = yesterday, to = tomorrow): Promise<Reports> =>
    (await ann.get(`reports?from=${from}&to=${to}`)).data;
  const total = async (currency: string): Promise<ReportTotal> =>
    (await reports()).totals.find((total) => total.currency === currency) as ReportTotal;
  const minor = (text: string) => Number(text.replace('.', ''));

  beforeAll(async () => {
    testApp().context.config.timeZone = 'UTC';
    await testApp().addStock(40);
  });

  it('reports agree with the ledger to the cent, in both currencies, over orders, refunds, recharges and payouts', async () => {
    const before = { CNY: await total('CNY'), USD: await total('USD') };
    const users = await Promise.all([0, 1, 2].map(() => testApp().user(30_000)));
    const orders: string[] = [];
    for (const [index, user] of users.entries())
      for (let time = 0; time < 3; time++) orders.push(await user.bought({ quantity: 1 + ((index + time) % 3) }));
    for (const [index, order_no] of orders.slice(0, 5).entries()) {
      const part = index % 2 && { amount: `${index}.0${index}` };
      const body = { order_no, target: 'wallet', reason: 'x', key: randomNumber(), ...part };
      expect((await ann.post('refunds', body)).code).toBe(200);
    }
    for (const currency of ['CNY', 'USD'] as const) {
      const [counter, amount] = ['cash', 12_345 + currency.length];
      const post = 'select wallet_post($1, $2, $3, $4, 0, $5, null, null, null, $6, $7)';
      await testApp().db.run(post, [users[0]?.id, currency, 1, amount, counter, '', 'test']);
      await testApp().db.run(post, [users[0]?.id, currency, 3, -4_501, counter, '', 'test']);
      await testApp().db.run(post, [users[0]?.id, currency, 4, -100, 'adjustment', '', 'test']);
    }
    const answer = await reports();
    for (const currency of ['CNY', 'USD'] as const) {
      const total = answer.totals.find((total) => total.currency === currency) as ReportTotal;
      const sum = (where: string) =>
        testApp().db.value<number>(
          `select coalesce(sum(e.amount), 0)::bigint from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
            where e.currency = $1 and ${where}`,
          [currency],
        );
      const inSpan = `t.created_at >= '${yesterday}Z' and t.created_at < '${tomorrow}Z'::timestamptz + interval '1 day'`;
      expect(minor(total.net)).toBe(await sum(`account = 'sales' and ${inSpan}`));
      expect(minor(total.received) - minor(total.paid_out)).toBe(-(await sum(`account = 'cash' and ${inSpan}`)));
      expect(minor(total.liabilities)).toBe(await sum("account in ('available', 'frozen')"));
      expect(minor(total.sales) - minor(total.refunds)).toBe(minor(total.net));
      expect(minor(total.paid_out) - minor(before[currency].paid_out)).toBe(4_501);
      const days = answer.days.filter((day) => day.currency === currency);
      expect(days.map((day) => day.day)).toEqual([yesterday, today, tomorrow]);
      for (const name of ['sales', 'refunds', 'net', 'received', 'paid_out'] as const)
        expect(days.reduce((all, day) => all + minor(day[name]), 0)).toBe(minor(total[name]));
      expect(days.at(-1)?.liabilities).toBe(total.liabilities);
    }
    const now = await total('CNY');
    expect(now.orders - before.CNY.orders).toBe(9);
    const sales = await testApp().db.one<{ paid: number; refunded: number }>(
      `select sum(total_amount)::bigint as paid, sum(refunded_amount)::bigint as refunded from orders where order_no = any($1)`,
      [orders],
    );
    expect(minor(now.sales) - minor(before.CNY.sales)).toBe(sales.paid);
    expect(minor(now.refunds) - minor(before.CNY.refunds)).toBe(sales.refunded);
    await testApp().check();
  });

  it('margins count what a supplier delivered, less refunds of the revenue only', async () => {
    await testApp().setCounter(null);
    const user = await testApp().user(30_000);
    await pollSuppliers(testApp().context);
    const buy = (quantity: number) =>
      user.bought({ ...testApp().orderBody('direct'), quantity, fields: { uid: '10001' } });
    const [partly, wholly] = [await buy(3), await buy(1)];
    await serveSuppliers(testApp().context);
    for (const refunded of [{ order_no: partly, amount: 600 }, { order_no: wholly }])
      await refund(testApp().context, refunded.order_no, refunded);
    // The sandbox supplier takes 0.50 a piece.
    const margin = { currency: 'CNY', orders: 2, revenue: '12.00', cost: '2.00', earned: '10.00', margin: 83.3 };
    expect((await reports()).margins).toMatchObject([
      { ...margin, name: null },
      { ...margin, name: 'Test goods Value a' },
    ]);
  });

  it.each([
    ['Asia/Shanghai', '2026-02-28', ['2026-02-28T15:59:59Z', '2026-02-28T16:00Z'], [1, 1, 0]],
    ['America/New_York', '2026-03-07', ['2026-03-08T04:59Z', '2026-03-08T05:00Z', '2026-03-09T04:00Z'], [1, 1, 1]],
    ['Australia/Sydney', '2026-10-03', ['2026-10-03T13:59Z', '2026-10-03T14:00Z', '2026-10-04T12:59Z'], [1, 2, 0]],
    ['Australia/Lord_Howe', '2026-04-04', ['2026-04-04T13:00Z', '2026-04-05T13:29Z', '2026-04-05T13:30Z'], [0, 2, 1]],
    ['Asia/Kolkata', '2026-11-01', ['2026-11-01T18:29Z', '2026-11-01T18:30Z', '2026-11-04T18:30Z'], [1, 1, 0]],
  ])('in %s the reports from %s count an order on its day there', async (zone, from, times, counts) => {
    testApp().context.config.timeZone = zone;
    const user = await testApp().user(5000);
    const numbers = await Promise.all(times.map(() => user.bought()));
    await testApp().db.run(
      `update orders o set paid_at = t.at from unnest($1::text[], $2::timestamptz[]) t (order_no, at) where o.order_no = t.order_no`,
      [numbers, times],
    );
    const { days, totals } = await reports(from, addDays(from, 2));
    const inCny = days.filter((day) => day.currency === 'CNY');
    expect(inCny.map((day) => day.orders)).toEqual(counts);
    expect(totals[0]?.orders).toBe(counts.reduce((sum, count) => sum + count));
    expect(inCny[0]).toMatchObject({ sales: '0.00', liabilities: '0.00' });
    testApp().context.config.timeZone = 'UTC';
    await testApp().db.run("update orders set paid_at = '2020-01-01' where order_no = any($1)", [numbers]);
  });

  it('reports count failed payments', async () => {
    const user = await testApp().user(30_000);
    await user.bought();
    await testApp().db.run(
      `insert into payments (payment_no, user_id, order_id, method, currency, amount, state, expire_at, ended_at)
       select 'F' || n, user_id, id, 'sandbox', 'CNY', 100, (array['failed', 'paid', 'closed'])[n], now(), '2026-04-02T10:00:00Z'
         from orders, generate_series(1, 3) n where user_id = $1`,
      [user.id],
    );
    const [day] = (await reports('2026-04-02', '2026-04-02')).totals as [ReportTotal];
    expect(day).toMatchObject({ payments: 2, failed_payments: 1 });
  });

  it('reports list the differences of the reconciliation', async () => {
    await testApp().db.run(
      `insert into reconciliations (method, day, entries, differences) values ('alipay', '2026-04-02', 7, '[{}, {}]')
       on conflict do nothing`,
    );
    const { reconciled } = await reports('2026-04-01', '2026-04-03');
    expect(reconciled).toEqual([
      { day: '2026-04-02', method: 'alipay', entries: 7, differences: 2, run_at: expect.any(String) },
    ]);
  });

  it.each([
    ['2026-02-30', '2026-03-02'],
    ['2026-03-02', '2026-03-01'],
    ['2026-01-01', '2026-04-03'],
  ])('reports from %s to %s are refused', async (from, to) => {
    expect((await ann.get(`reports?from=${from}&to=${to}`)).code).toBe(46060);
  });
});
