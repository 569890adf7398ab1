import { onEveryDatabase, type User } from '@shop/server/test/support/test-app';
import { auditEntries, signedInStaff, withStaff } from '../testing/staff';
import { level } from '../testing/values';
import type { StaffGoods, StaffListedLevel } from '../wire';
import type { StaffLevel } from './levels.service';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

onEveryDatabase('levels of shoppers', (testApp) => {
  const stock = withStaff(testApp, 'stock');
  const money = withStaff(testApp, 'money');
  let keys = 0;
  afterEach(async () => {
    await testApp().check();
    await testApp().db.script('update levels set active = false; delete from price_steps');
  });
  const make = async (over: Partial<StaffLevel> = {}) => {
    const key = `level-${++keys}`;
    const made = await stock.save('levels', key, level(over));
    expect(made.message).toBe('OK');
    return key;
  };
  const give = (user: User, level: string | null, until: string | null = null) =>
    money.post('shopper/level', { id: user.id, level, until, reason: 'a loyal buyer' });
  const ownLevel = async (user: User) => (await user.get('user/level', { locale: 'en' })).data;
  const unit = async (user: User, currency = 'CNY') =>
    (await user.post('order/preview', testApp().orderBody('card'), { currency })).data.unit_price;

  it('levels are edited as a whole, with thresholds, prices and members, and are shown to shoppers', async () => {
    const key = await make({
      thresholds: { CNY: '100.00', USD: '15.00' },
      period_days: 30,
      prices: [
        { goods: 'card', spec: 'a', prices: { CNY: '9.00' } },
        { goods: 'card', spec: 'b', prices: {} },
      ],
    });
    const { data: edited } = await stock.get(`levels/${key}`);
    expect(edited.value.prices).toEqual([{ goods: 'card', spec: 'a', prices: { CNY: '9.00' } }]);
    const saved = await stock.save('levels', key, { ...edited.value, percent: 90 }, edited.revision);
    expect(saved.data.value.percent).toBe(90);
    expect(((await stock.get(`levels/${key}/history`)).data as unknown[]).length).toBe(2);
    const listed = ((await money.get('levels')).data as StaffListedLevel[]).find((level) => level.key === key);
    expect(listed).toMatchObject({ given: 0, value: { name: { en: 'Gold' }, percent: 90 } });
    expect((await testApp().get('level/list', { locale: 'en' })).data).toMatchObject([
      {
        name: 'Gold',
        percent: 90,
        own_prices: true,
        thresholds: [
          { currency: 'CNY', amount: '100.00' },
          { currency: 'USD', amount: '15.00' },
        ],
        period_days: 30,
      },
    ]);
  });

  it.each<[string, Partial<StaffLevel>, string]>([
    ['a threshold without days', { thresholds: { CNY: '1.00' } }, 'value.period_days'],
    ['days without a threshold', { period_days: 30 }, 'value.thresholds'],
    ['an unknown value', { prices: [{ goods: 'card', spec: 'zz', prices: { CNY: '1.00' } }] }, 'value.prices.0.spec'],
    ['no name', { name: { 'zh-CN': ' ', en: 'Gold' } }, 'value.name.zh-CN'],
    ['more than the whole', { percent: 101 }, 'value.percent'],
    ['nothing', { percent: 0 }, 'value.percent'],
    ['a free price', { prices: [{ goods: 'card', spec: 'a', prices: { CNY: '0.00' } }] }, 'value.prices.0.prices.CNY'],
  ])('a level is refused with %s', async (_name, over, field) => {
    const answer = await stock.save('levels', 'refused', level(over));
    expect(answer.code).toBe(40001);
    expect(Object.keys(answer.data.errors)).toEqual([field]);
  });

  it('staff who manage accounts grant a level until a time and withdraw it, and both are audited', async () => {
    const gold = await make({ percent: 80 });
    const user = await testApp().user();
    expect((await give(user, 'none-such')).code).toBe(404);
    expect((await give(user, gold, inDays(-1))).data.errors).toHaveProperty('until');
    expect(await unit(user)).toBe('10.00');
    expect((await give(user, gold, inDays(1))).code).toBe(200);
    expect(await unit(user)).toBe('8.00');
    expect(await unit(user, 'USD')).toBe('1.20');
    expect(await ownLevel(user)).toMatchObject({ given: { until: expect.any(String) }, next: null });
    const { data: shown } = await money.get(`shopper/${user.id}`);
    expect(shown.level).toMatchObject({ own: { key: gold }, given: { key: gold, by: money.actor } });
    await testApp().db.run("update given_levels set until = clock_timestamp() - interval '1 second'");
    expect(await unit(user)).toBe('10.00');
    await give(user, gold);
    await give(user, null);
    expect(await unit(user)).toBe('10.00');
    const entries = await auditEntries(testApp(), "user_id = $1 and action = 'level.give'", user.id);
    expect(entries.map(({ detail }) => detail)).toMatchObject([
      { level: gold, reason: 'a loyal buyer' },
      { level: gold, until: null },
      { level: null },
    ]);
  });

  it('a shopper reaches a level by delivered orders of its period, less refunds, and loses it again', async () => {
    await make({ percent: 90, thresholds: { CNY: '30.00', USD: '99.00' }, period_days: 30 });
    await make({ percent: 80, rank: 2, thresholds: { CNY: '45.00' }, period_days: 30 });
    await make({ percent: 10, rank: 9, active: false, thresholds: { CNY: '0.01' }, period_days: 30 });
    const ids = (await testApp().get('level/list')).data.map(({ id }: { id: number }) => id);
    const user = await testApp().user(100_000);
    const missing = [
      { currency: 'CNY', amount: '30.00' },
      { currency: 'USD', amount: '99.00' },
    ];
    expect(await ownLevel(user)).toMatchObject({ id: null, given: null, next: { id: ids[0], missing } });
    const orderNo = await user.bought({ quantity: 3 });
    await user.order({ quantity: 5 });
    expect(await ownLevel(user)).toMatchObject({
      id: ids[0],
      next: { id: ids[1], spent: [{ amount: '30.00' }], missing: [{ amount: '15.00' }] },
    });
    expect(await unit(user)).toBe('9.00');
    await user.bought({ quantity: 2 });
    expect(await ownLevel(user)).toMatchObject({ id: ids[1], next: null });
    expect(await unit(user)).toBe('8.00');
    const pay = "select order_refund_part(id, $2, 1, null, 'wallet', '', 'test') from orders where order_no = $1";
    // 48.00 - 0.01 leaves gold; three units less leave neither.
    await testApp().db.row(pay, [orderNo, `cent-${orderNo}`]);
    expect(await unit(user)).toBe('8.00');
    await testApp().db.run("update orders set finished_at = now() - interval '31 days' where order_no = $1", [orderNo]);
    expect(await unit(user)).toBe('10.00');
  });

  it('the higher of the granted and the reached level applies, and a disputed payment does not count', async () => {
    await make({ percent: 90, thresholds: { CNY: '10.00' }, period_days: 30 });
    const gold = await make({ percent: 80, rank: 2 });
    const user = await testApp().user(100_000);
    const orderNo = await user.bought();
    expect(await unit(user)).toBe('9.00');
    await give(user, gold);
    expect(await unit(user)).toBe('8.00');
    const { value: before, revision } = (await stock.get(`levels/${gold}`)).data;
    await stock.save('levels', gold, { ...before, active: false }, revision);
    expect(await unit(user)).toBe('9.00');
    const dispute = (disputed: boolean) =>
      testApp().db.run('update orders set disputed = $2 where order_no = $1', [orderNo, disputed]);
    await dispute(true);
    expect(await unit(user)).toBe('10.00');
    await dispute(false);
  });

  it('levels are part of a user’s data export, and end with the account', async () => {
    const gold = await make();
    const user = await testApp().user();
    await give(user, gold);
    const manager = await signedInStaff(testApp(), 'manager');
    const copy = await manager.post('shopper/export', { id: user.id });
    expect(JSON.parse(copy.text).level).toMatchObject([{ name_en: 'Gold', until: null }]);
    expect((await manager.post('shopper/erase', { id: user.id, reason: 'asked by letter' })).code).toBe(200);
    expect(await testApp().db.row('select 1 from given_levels where user_id = $1', [user.id])).toBeUndefined();
  });

  const edited = async () => (await stock.get('goods/card')).data as { value: StaffGoods; revision: string };
  const save = async (steps: StaffGoods['specs'][number]['steps'], prices?: { CNY: string }) => {
    const { value, revision } = await edited();
    const specs = value.specs.map((existing) =>
      existing.key === 'a' ? { ...existing, steps, ...(prices && { prices, original_prices: prices }) } : existing,
    );
    return stock.save('goods', 'card', { ...value, specs }, revision);
  };
  const shown = async () => (await testApp().get(`goods/info?id=${testApp().goods.card.id}`)).data.specs[0].steps;

  it('price steps are saved with the product, shown at once, stay when a save lacks them, and are refused if one lowers no price', async () => {
    const steps: NonNullable<StaffGoods['specs'][number]['steps']> = [
      { from: 5, prices: { CNY: '9.00', USD: '1.20' } },
    ];
    expect((await save(steps)).code).toBe(200);
    expect(await shown()).toEqual([{ from: 5, price: '9.00' }]);
    expect((await edited()).value.specs[0]?.steps).toEqual(steps);
    expect((await save(undefined)).code).toBe(200);
    expect(await shown()).toEqual([{ from: 5, price: '9.00' }]);
    // The list price is below the step price: the step does not apply, and the save succeeds.
    expect((await save(steps, { CNY: '8.00' })).code).toBe(200);
    expect(await shown()).toBeUndefined();
    await save([], { CNY: '10.00' });
    expect((await edited()).value.specs[0]?.steps).toEqual([]);
    const wrong: Array<[typeof steps, string]> = [
      [[{ from: 5, prices: { CNY: '10.00' } }], '0.prices.CNY'],
      [[...steps, { from: 9, prices: { CNY: '9.00' } }], '1.prices.CNY'],
      [[...steps, { from: 5, prices: { CNY: '8.00' } }], '1.from'],
      [[{ from: 5, prices: {} }], '0.prices'],
      [[{ from: 1, prices: { CNY: '9.00' } }], '0.from'],
    ];
    for (const [refused, field] of wrong)
      expect((await save(refused)).data.errors).toHaveProperty([`value.specs.0.steps.${field}`]);
  });
});
