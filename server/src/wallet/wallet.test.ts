import { LedgerType } from '@shop/shared/domain';
import { onEveryDatabase, type User } from '../../test/support/test-app';
import { heldBack } from '../../test/support/waiting-calls';
import type { Sql } from '../platform/db/sql';
import { postToWallet } from './wallet.service';

onEveryDatabase('wallet postings', (testApp) => {
  afterEach(() => testApp().check());
  const post = (sql: Sql, user: User, type: LedgerType, available: number, frozen = 0) =>
    postToWallet(sql, {
      userId: user.id,
      currency: 'CNY',
      type,
      available,
      frozen,
      counter: 'adjustment',
      actor: 'test',
    });

  it('the wallet balance adds up after two concurrent postings', async () => {
    const user = await testApp().user(1000);
    const { db } = testApp();
    await heldBack(
      db,
      (sql) => sql.row('select 1 from wallets where user_id = $1 for update', [user.id]),
      ...[300, 50].map((amount) => () => post(db, user, LedgerType.Refund, amount)),
    );
    expect(await user.balance()).toBe('13.50');
  });

  it('a locked wallet pays nothing but still receives money', async () => {
    const user = await testApp().user(5000);
    const { data: order } = await user.order();
    const lock = (locked: boolean) =>
      testApp().db.run('update wallets set locked = $2 where user_id = $1', [user.id, locked]);
    await lock(true);
    expect((await user.pay(order.order_no)).code).toBe(45002);
    expect((await user.info(order.order_no)).data.status).toBe(10);
    await post(testApp().db, user, LedgerType.Refund, 100);
    expect(await user.balance()).toBe('51.00');
    await lock(false);
    expect((await user.pay(order.order_no)).data).toMatchObject({ status: 30, balance: '41.00' });
  });

  it('the wallet can be spent to its last cent and no further, available and frozen alike; a refused posting leaves no trace', async () => {
    const user = await testApp().user(1000);
    const { db } = testApp();
    const refused = { message: '45001' };
    await expect(post(db, user, LedgerType.Deduction, -1001)).rejects.toMatchObject(refused);
    await post(db, user, LedgerType.Freeze, -400, 400);
    await expect(post(db, user, LedgerType.Thaw, 401, -401)).rejects.toMatchObject(refused);
    await expect(post(db, user, LedgerType.Deduction, -601)).rejects.toMatchObject(refused);
    expect(await post(db, user, LedgerType.Thaw, 400, -400)).toBe(1000);
    expect(await post(db, user, LedgerType.Deduction, -1000)).toBe(0);
    const { data } = await user.get('user/balanceLog');
    expect(data.list.map((row: Record<string, string>) => [row.amount, row.balance_after, row.frozen_after])).toEqual([
      ['-10.00', '0.00', '0.00'],
      ['4.00', '10.00', '0.00'],
      ['-4.00', '6.00', '4.00'],
      ['10.00', '10.00', '0.00'],
    ]);
  });

  it('the wallet of one currency does not change with the other', async () => {
    const user = await testApp().user(1000);
    const usd = { userId: user.id, currency: 'USD', counter: 'adjustment', actor: 'test' } as const;
    await postToWallet(testApp().db, { ...usd, type: LedgerType.Recharge, available: 700 });
    await post(testApp().db, user, LedgerType.Deduction, -1000);
    await expect(
      postToWallet(testApp().db, { ...usd, type: LedgerType.Deduction, available: -701 }),
    ).rejects.toMatchObject({ message: '45001' });
    const inDollars = (await user.get('user/info', { currency: 'USD' })).data.balance;
    expect([await user.balance(), inDollars]).toEqual(['0.00', '7.00']);
  });
});

onEveryDatabase('wallet transactions', (testApp) => {
  afterEach(() => testApp().check());
  const log = async (user: User, query: string, options = {}) =>
    (await user.get(`user/balanceLog?${query}`, options)).data;
  const amounts = (data: { list: { amount: string }[] }) => data.list.map((row) => row.amount);

  async function withHistory(): Promise<User> {
    const user = await testApp().user();
    const { db } = testApp();
    const movements = [
      [1, 5000, '2026-03-01T23:59:59.999Z'],
      [0, -2000, '2026-03-02T00:00:00Z'],
      [2, 700, '2026-03-03T23:59:59.999Z'],
      [0, -300, '2026-03-04T00:00:00Z'],
    ] as const;
    let balance = 0;
    for (const [type, amount, at] of movements) {
      balance += amount;
      await db.run(
        `with t as (insert into ledger_transactions (type, user_id, actor, created_at) values ($1, $2, 'test', $3) returning id)
         insert into ledger_entries (transaction_id, user_id, account, currency, amount, balance_after, frozen_after)
           select id, $2::bigint, 'available', 'CNY', $4::bigint, $5::bigint, 0 from t
           union all select id, null, 'adjustment', 'CNY', -$4::bigint, null, null from t`,
        [type, user.id, at, amount, balance],
      );
    }
    await db.run("insert into wallets (user_id, currency, balance) values ($1, 'CNY', $2)", [user.id, balance]);
    return user;
  }

  it('wallet transactions are newest first, in pages, with the sums of all pages', async () => {
    const user = await withHistory();
    const all = { total: 4, summary: { income: '57.00', expense: '23.00' } };
    expect(await log(user, '')).toMatchObject({ ...all, page: 1, limit: 20, has_more: false });
    const first = await log(user, 'limit=2');
    expect(first).toMatchObject({ ...all, page: 1, limit: 2, has_more: true });
    expect(first.list).toMatchObject([
      {
        type: 0,
        amount: '-3.00',
        balance_after: '34.00',
        frozen_after: '0.00',
        created_at: '2026-03-04T00:00:00.000Z',
      },
      { type: 2, amount: '7.00', balance_after: '37.00' },
    ]);
    for (const row of first.list) expect(Object.keys(row)).not.toContain('order_no');
    const second = await log(user, 'limit=2&page=2');
    expect([amounts(second), second.has_more]).toEqual([['-20.00', '50.00'], false]);
  });

  it.each([
    ['type=0', ['-3.00', '-20.00']],
    ['type=1', ['50.00']],
    ['type=5', []],
    ['start=2026-03-02', ['-3.00', '7.00', '-20.00']],
    ['end=2026-03-03', ['7.00', '-20.00', '50.00']],
    ['start=2026-03-02&end=2026-03-03', ['7.00', '-20.00']],
    ['start=2026-03-02T08:00:00%2B08:00&end=2026-03-04T00:00:00Z', ['7.00', '-20.00']],
    ['start=2026-03-02T00:00:00.001Z&end=2026-03-03T23:59:59.999Z&type=2', []],
  ])(
    'wallet transactions filtered by %s match kind and time, including the whole last day',
    async (query, expected) => {
      const data = await log(await withHistory(), query);
      expect(amounts(data)).toEqual(expected);
      expect(data.total).toBe(expected.length);
      const income = expected.map(Number).filter((amount) => amount > 0);
      expect(Number(data.summary.income)).toBe(income.reduce((sum, amount) => sum + amount, 0));
    },
  );

  it.each(['2026-3-2', 'on 2026-03-02', '2026-03-02 or so', '2026-13-01', '2026-03-02T00:00:00+8', '7'])(
    'wallet transactions refuse %j as a time',
    async (text) => {
      const user = await testApp().user();
      for (const field of ['start', 'end'])
        expect(await user.get(`user/balanceLog?${field}=${encodeURIComponent(text)}`)).toMatchObject({
          code: 40001,
          data: { errors: { [field]: expect.any(String) } },
        });
    },
  );

  it('wallet transactions show only the user’s movements of one currency, with the order number', async () => {
    const [user, other] = [await withHistory(), await testApp().user(5000)];
    const orderNo = await other.bought();
    expect((await log(other, '')).list).toMatchObject([{ amount: '-10.00', order_no: orderNo }, { amount: '50.00' }]);
    expect(await log(other, '', { currency: 'USD' })).toMatchObject({
      list: [],
      total: 0,
      summary: { income: '0.00', expense: '0.00' },
    });
    expect((await log(user, '')).total).toBe(4);
  });
});
