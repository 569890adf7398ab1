import { onEveryDatabase, type User } from '../../../test/support/test-app';

interface Listed {
  list: Array<Record<string, unknown>>;
  next?: string;
  has_more: boolean;
}

onEveryDatabase('lists that change while they are read', (testApp) => {
  const orders = (user: User, count: number) =>
    testApp().db.run(
      `insert into orders (order_no, user_id, goods_id, quantity, currency, unit_price, original_amount, total_amount, recharge_type, stock_type, snapshot, expire_at, created_at)
       select 'CURSOR' || $1::text || 'X' || gen.n || substr(md5(random()::text), 1, 6), $1::bigint, g.id, 1, 'CNY', 100, 100, 100, 1, 'stock', '{"name":{"zh-CN":"a","en":"a"},"image":"","face_value":{"zh-CN":"1","en":"1"}}', now() + interval '1 day', '2026-01-01'
         from generate_series(1, $2::integer) gen (n), (select id from goods order by id limit 1) g`,
      [user.id, count],
    );
  beforeAll(() => testApp().addCoupon({ for_invitation: true }));
  const kinds = {
    'order/list': {
      key: 'order_no',
      add: orders,
      remove: (user: User, keys: unknown[]) =>
        testApp().db.run('update orders set hidden_at = now() where user_id = $1 and order_no = any($2)', [
          user.id,
          keys,
        ]),
    },
    'user/balanceLog': {
      key: 'id',
      add: (user: User, count: number) =>
        testApp().db.run(
          "select wallet_post($1, 'CNY', 1, 100, 0, 'cash', null, null, null, '', 'test') from generate_series(1, $2::integer)",
          [user.id, count],
        ),
      remove: undefined,
    },
    'user/invite/people': {
      key: 'name',
      add: (user: User, count: number) =>
        testApp().db.run(
          `with made as (insert into users (phone, nickname, invite_code)
             select '+1' || (5550000000 + n + (select count(*) from users)), 'N' || n, substr(md5(random()::text), 1, 12) from generate_series(1, $2::integer) n returning id)
           insert into invitations (invitee_id, inviter_id, state, created_at)
             select id, $1, 'rewarded', case when $2 = 45 then '2026-01-01 00:00:00.123456Z' else now() end from made`,
          [user.id, count],
        ),
      remove: undefined,
    },
  };

  it.each(Object.entries(kinds))(
    '%s has each row once, and misses none that stays',
    async (url, { key, add, remove }) => {
      const user = await testApp().user();
      const page = async (query: string, limit = 15): Promise<Listed> =>
        (await user.get(`${url}?limit=${limit}${query}`)).data;
      const keysOf = ({ list }: Listed) => list.map((item) => item[key]);
      await add(user, 45);
      const before = keysOf(await page('', 100));
      expect(before).toHaveLength(45);
      const first = await page('');
      await add(user, 7);
      await remove?.(user, [before[3], before[14], before[20]]);
      // A client of an older server reads by pages; the cursor counts if both are sent.
      const second = await page(`&page=2&cursor=${first.next}`);
      const third = await page(`&page=3&cursor=${second.next}`);
      expect([...keysOf(first), ...keysOf(second), ...keysOf(third)]).toEqual(
        before.filter((_key, index) => !remove || index !== 20),
      );
      expect([third.has_more, third.next]).toEqual([false, undefined]);
      expect(keysOf(await page('&page=2')).length).toBe(15);
      for (const cursor of ['x', '1%27', '-1', '1.2.3'])
        expect((await user.get(`${url}?cursor=${cursor}`)).code).toBe(40001);
    },
  );

  it('favourites of one time are read once each, also when a favourite on the first page is removed', async () => {
    const user = await testApp().user();
    await testApp().db.run(
      "insert into favourites (user_id, goods_id, created_at) select $1, id, '2026-01-01 00:00:00.123456Z' from goods order by id limit 4",
      [user.id],
    );
    const ids = ({ list }: Listed) => list.map(({ id }) => id);
    const all = ids((await user.get('user/favourite')).data);
    const first: Listed = (await user.get('user/favourite?limit=2')).data;
    await testApp().db.run('delete from favourites where user_id = $1 and goods_id = $2', [user.id, all[1]]);
    expect([ids(first), ids((await user.get(`user/favourite?limit=2&cursor=${first.next}`)).data)]).toEqual([
      all.slice(0, 2),
      all.slice(2),
    ]);
  });

  it('a cursor of another user’s order is refused', async () => {
    const [owner, thief] = await Promise.all([testApp().user(), testApp().user()]);
    await orders(owner, 2);
    const { next } = (await owner.get('order/list?limit=1')).data;
    expect((await thief.get(`order/list?cursor=${next}`)).code).toBe(43404);
  });
});
