import { until } from '../../../../scripts/jest/until';
import { type ApiAnswer, kinds, onEveryDatabase, TestApp, type User } from '../../../test/support/test-app';
import { times } from '../../../test/support/times';
import { lockTable } from '../../../test/support/waiting-calls';
import { randomNumber } from '../crypto/tokens';
import { type CallLimits, defaultLimits, type LimitsByKind } from './call-limits';

const SHARE = 0.3;
const limits = Object.fromEntries(
  Object.entries(defaultLimits).map(([kind, { connections, waiting, ...times }]) => [
    kind,
    {
      connections,
      waiting: Math.ceil(waiting / 10),
      ...Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, ms * SHARE])),
    },
  ]),
) as LimitsByKind;
/** A generous bound for a call, because the lock that it waits for is held until the response. */
const inTimeMs = ({ waitMs, statementMs }: CallLimits) => 10 * (waitMs + statementMs);
const busy = { status: 503, code: 50301, data: null, headers: { 'retry-after': '1' } };

async function timed<T>(work: Promise<T>): Promise<{ ms: number; result: T }> {
  const startedAt = performance.now();
  const result = await work;
  return { ms: performance.now() - startedAt, result };
}

/** Repeats a call as a client does: a machine that is busy with other work may also exceed these limits. */
const repeated = (call: () => Promise<ApiAnswer>): Promise<ApiAnswer> =>
  until<ApiAnswer | null>('an answer other than 503', async () => {
    const answer = await call();
    return answer.status === 503 ? null : answer;
  });

onEveryDatabase(
  'locked table',
  (testApp) => {
    afterEach(() => testApp().check());

    async function shopper(): Promise<{ user: User; orderNo: string; body: object }> {
      const user = await testApp().user(10_000);
      const orderNo = (await repeated(() => user.order())).data.order_no as string;
      const body = testApp().orderBody('card');
      const { price_version } = (await repeated(() => user.post('order/preview', body))).data;
      return { user, orderNo, body: { ...body, price_version } };
    }
    const balanceOf = async (user: User) => (await repeated(() => user.get('user/info'))).data.balance;
    const lock = () => lockTable(testApp().db, 'orders');

    it('calls that need a locked table get 503 in time and change nothing', async () => {
      const { user, orderNo, body } = await shopper();
      const [createKey, payKey] = [randomNumber(), randomNumber()];
      const calls = (): Promise<ApiAnswer>[] => [
        user.get('order/list'),
        user.get(`order/info?order_no=${orderNo}`),
        user.post('order/create', body, { key: createKey }),
        user.post('payment/balance', { order_no: orderNo }, { key: payKey }),
        user.post('order/cancel', { order_no: orderNo }),
      ];
      const unlock = await lock();
      const { ms, result } = await timed(Promise.all(calls()));
      expect(result).toEqual(result.map(() => expect.objectContaining({ ...busy, headers: expect.anything() })));
      expect(result.map((answer) => answer.headers['retry-after'])).toEqual(result.map(() => '1'));
      expect(ms).toBeLessThan(inTimeMs(limits.write));
      await unlock();
      expect((await repeated(() => user.info(orderNo))).data.status).toBe(10);
      expect((await repeated(() => user.get('order/list'))).data.list).toHaveLength(1);

      const create = () => user.post('order/create', body, { key: createKey });
      const repeatedOrder = await repeated(create);
      expect(repeatedOrder.code).toBe(200);
      const pay = () => user.post('payment/balance', { order_no: orderNo }, { key: payKey });
      expect((await repeated(pay)).code).toBe(200);
      expect((await repeated(create)).text).toBe(repeatedOrder.text);
      expect((await repeated(() => user.get('order/list'))).data.list).toHaveLength(2);
      expect(await balanceOf(user)).toBe('90.00');
    });

    it('a payment notification refused because of a locked table is booked once when the provider repeats it', async () => {
      const user = await testApp().user();
      const { data } = await repeated(() => user.post('recharge/create', { amount: '50.00', method: 'sandbox' }));
      const notice = testApp().paidNotice(data.payment_no, 5000);
      const notify = () => testApp().post('payment/callback/sandbox', notice);
      const unlock = await lockTable(testApp().db, 'payments');
      const { ms, result } = await timed(notify());
      expect(result).toMatchObject({ status: 503, code: 50301 });
      expect(ms).toBeLessThan(inTimeMs(limits.notice));
      await unlock();
      expect((await times(5, () => repeated(notify))).map((answer) => answer.code)).toEqual(Array(5).fill(200));
      expect(await balanceOf(user)).toBe('50.00');
    });

    it('the shop accepts a payment notification while reads are rejected', async () => {
      const { user } = await shopper();
      const { data } = await repeated(() => user.post('recharge/create', { amount: '50.00', method: 'sandbox' }));
      const notice = testApp().paidNotice(data.payment_no, 5000);
      const { shed } = testApp().db.load().notice;
      const unlock = await lock();
      let refused = 0;
      const reads = times(200, async () => {
        const answer = await user.get('order/list');
        if (answer.status === 503) refused += 1;
      });
      const notified = testApp().post('payment/callback/sandbox', notice);
      // On PostgreSQL the notification does not need the locked table; on the embedded database it may wait longer than reads.
      await until('the refusal of the reads', () => refused > 100);
      await unlock();
      expect((await notified).code).toBe(200);
      await reads;
      expect(await balanceOf(user)).toBe('150.00');
      const { text } = await testApp().get('/metrics');
      expect(Number(/shop_database_shed_total\{kind="read"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(0);
      expect(text).toContain(`shop_database_shed_total{kind="notice"} ${shed}\n`);
      expect(text).toMatch(/shop_database_waiting\{kind="read"\} 0/);
    });

    it('a transaction that runs no statement ends and releases its lock', async () => {
      const { user } = await shopper();
      const idle = testApp()
        .db.as('write', 'test')
        .withTransaction(async (sql) => {
          await sql.script('lock table orders in access exclusive mode');
          await sql.run("update users set nickname = 'never' where id = $1", [user.id]);
          await new Promise(() => {});
        });
      await expect(idle).rejects.toThrow(/ran no statement for 1500 ms/);
      expect((await repeated(() => user.get('order/list'))).code).toBe(200);
      expect((await repeated(() => user.get('user/info'))).data.nickname).not.toBe('never');
    });
  },
  undefined,
  limits,
);

const onPostgres = kinds.includes('postgres') ? describe : describe.skip;
const STUCK_MS = 30_000;
onPostgres('on PostgreSQL', () => {
  let testApp: TestApp;
  beforeAll(async () => {
    const stuck = { waitMs: STUCK_MS, lockMs: STUCK_MS, statementMs: STUCK_MS };
    const [read, write] = [limits.read, limits.write].map((kindLimits) => ({ ...kindLimits, ...stuck }));
    testApp = await TestApp.open('postgres', {}, { ...limits, read, write } as LimitsByKind);
  });
  let unlock = async () => {};
  afterAll(async () => {
    await unlock();
    await testApp.close();
  });

  it('calls that do not need a locked table succeed, however many need it', async () => {
    const [waits, goesOn] = [await testApp.user(), await testApp.user(10_000)];
    unlock = await lockTable(testApp.db, 'orders');
    const stuck = [
      times(80, () => waits.get('order/list')),
      times(40, () => waits.get('payment/status?payment_no=ABCDEFGHJKMNPQRS')),
      times(40, () => waits.post('order/cancel', { order_no: 'ABCDEFGHJKMNPQRS' })),
    ];
    const urls = [
      'recharge/options',
      'goods/list',
      `goods/info?id=${testApp.goods.card.id}`,
      'app/config',
      'user/gameAccount',
      'coupon/getCoupon',
      'payment/methods',
    ];
    const { ms, result: answers } = await timed(Promise.all(urls.map((url) => goesOn.get(url))));
    await unlock();
    expect(ms).toBeLessThan(STUCK_MS / 2);
    expect(answers.map((answer) => answer.code)).toEqual(urls.map(() => 200));
    for (const answer of (await Promise.all(stuck)).flat()) expect([200, 503]).toContain(answer.status);
  });

  it('a statement that takes too long is stopped, and its connection is used again', async () => {
    const health = testApp.db.as('health', 'test');
    const { ms } = await timed(expect(health.row('select pg_sleep(30)')).rejects.toMatchObject({ code: '57014' }));
    expect(ms).toBeLessThan(15_000);
    expect(await health.row('select 1 as one')).toEqual({ one: 1 });
  });
});
