import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { repetitions } from '../../../scripts/jest/test-scale';
import { onEveryDatabase, type User } from '../../test/support/test-app';
import type { Sql } from '../platform/db/sql';
import { fromWire, toWire } from '../platform/http/money';
import type { RuledPrice } from './quote.service';

interface Terms {
  spec_type: 1 | 2;
  price: number;
  steps?: Array<{ from: number; price: number }>;
  level?: { percent: number; price?: number };
}
interface Order {
  terms: Terms;
  value: number | null;
  quantity: number;
}

const pricesOf = (sql: Sql, orders: Order[]): Promise<RuledPrice[]> =>
  sql.rows(
    `select p.* from jsonb_array_elements($1::jsonb) with ordinality as o (one, n),
       order_price(one -> 'terms', (one ->> 'value')::bigint, (one ->> 'quantity')::integer) p order by n`,
    [JSON.stringify(orders)],
  );

const minor = (text: string) => fromWire(text) ?? Number.NaN;

function casesOfDocument() {
  const document = fs.readFileSync(path.join(__dirname, '../../../docs/product.md'), 'utf8');
  const section = document.slice(document.indexOf('\n## Prices\n'));
  const table = section.slice(section.indexOf('| case |')).split('\n\n')[0]?.split('\n') ?? [];
  const [names = [], , ...rows] = table.map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map((cells) => {
    const of = (name: string) => cells[names.indexOf(name)] ?? '';
    const [value, steps, level] = ['custom amount', 'quantity discount', 'level'].map(of) as [string, string, string];
    const terms: Terms = {
      spec_type: value ? 2 : 1,
      price: minor(of('list price')),
      ...(steps && {
        steps: steps
          .split(', ')
          .map((step) => ({ from: Number.parseInt(step, 10), price: minor(step.split(': ')[1] ?? '') })),
      }),
      ...(level && {
        level: level.endsWith('%') ? { percent: Number.parseInt(level, 10) } : { percent: 100, price: minor(level) },
      }),
    };
    const order = { terms, value: value ? Number(value) : null, quantity: Number(of('quantity')) };
    return { order, coupon: of('coupon'), expected: ['case', 'unit price', 'taken off', 'total'].map(of) };
  });
}

const price = fc.integer({ min: 1, max: 1_000_000 });
const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    isCustom: fc.boolean(),
    price: fc.oneof(fc.integer({ min: 1, max: 20 }), price),
    steps: fc.uniqueArray(fc.record({ from: fc.integer({ min: 2, max: 60 }), price }), {
      maxLength: 4,
      selector: ({ from }) => from,
    }),
    level: fc.option(
      fc.record({ percent: fc.integer({ min: 1, max: 100 }), price: fc.option(price, { nil: undefined }) }),
      {
        nil: undefined,
      },
    ),
    value: fc.integer({ min: 1, max: 100_000 }),
    quantity: fc.integer({ min: 1, max: 99 }),
  })
  .map(({ isCustom, price, steps, level, value, quantity }) => ({
    terms: isCustom
      ? { spec_type: 2 as const, price, ...(level && { level: { percent: level.percent } }) }
      : { spec_type: 1 as const, price, steps, ...(level && { level }) },
    value: isCustom ? value : null,
    quantity,
  }));

onEveryDatabase('order prices', (testApp) => {
  const db = () => testApp().db;
  const card = () => testApp().spec('card');
  const setSteps = async (...steps: Array<[from: number, price: number]>) => {
    await db().run('delete from price_steps');
    for (const [from, price] of steps)
      await db().run(`insert into price_steps values ($1, 'CNY', $2, $3)`, [card(), from, price]);
  };
  const addLevel = (key: string, percent: number) =>
    testApp().value<number>(
      'insert into levels (key, name_zh, name_en, rank, percent) values ($1, $1, $2, 1, $3) returning id',
      [key, `${key} member`, percent],
    );
  const give = (user: User, level: number) =>
    db().run(
      `insert into given_levels (user_id, level_id, given_by) values ($1, $2, 'ann (staff)')
       on conflict (user_id) do update set level_id = excluded.level_id`,
      [user.id, level],
    );
  const selection = (quantity: number) => ({ goods_id: testApp().goods.card.id, spec_id: card(), quantity });
  const preview = async (user: User, quantity: number, locale?: string) =>
    (await user.post('order/preview', selection(quantity), { locale })).data;

  afterEach(async () => {
    await testApp().check();
    await db().script('delete from price_steps; delete from given_levels; update levels set active = false');
  });

  it('order prices match the table in docs/product.md, case by case', async () => {
    const cases = casesOfDocument();
    expect(cases.length).toBeGreaterThan(15);
    const prices = await pricesOf(
      db(),
      cases.map(({ order }) => order),
    );
    for (const [index, { order, coupon, expected }] of cases.entries()) {
      const computed = prices[index] as RuledPrice;
      const isPercent = coupon.endsWith('%');
      const less = await testApp().value<number>('select coupon_discount($1, $2, $3, $4)', [
        ...(isPercent ? [20, 0, Number.parseInt(coupon, 10)] : [10, coupon ? minor(coupon) : 0, null]),
        computed.amount,
      ]);
      const parts = [
        ['step', computed.step_off],
        ['level', computed.level_off],
        ['coupon', less],
      ] as const;
      const reductions = parts.flatMap(([rule, amount]) => (amount > 0 ? [`${rule} ${toWire(amount)}`] : []));
      const [name] = expected;
      const actual = [name, toWire(computed.unit_price), reductions.join(', '), toWire(computed.amount - less)];
      expect(actual).toEqual(expected);
      expect(order.quantity).toBeGreaterThan(0);
    }
  });

  it('order prices never exceed the list price or fall below zero, and their parts add up without a remainder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyOrder, { minLength: 40, maxLength: 80 }), async (orders) => {
        const prices = await pricesOf(db(), orders);
        for (const [index, computed] of prices.entries()) {
          const { terms, quantity } = orders[index] as Order;
          expect(computed.amount).toBe(computed.list_amount - computed.step_off - computed.level_off);
          expect(Math.min(computed.amount, computed.step_off, computed.level_off)).toBeGreaterThanOrEqual(0);
          if (terms.spec_type === 1) expect(computed.amount).toBe(computed.unit_price * quantity);
        }
        const ruleless = orders.map(({ terms: { spec_type, price }, ...rest }) => ({
          ...rest,
          terms: { spec_type, price },
        }));
        for (const [index, computed] of (await pricesOf(db(), ruleless)).entries()) {
          expect(computed.amount).toBe(computed.list_amount);
          expect(prices[index]?.amount).toBeLessThanOrEqual(computed.amount);
        }
      }),
      { numRuns: repetitions(40) },
    );
  });

  it('order prices stay within what a JavaScript number can hold', async () => {
    const terms = { spec_type: 2 as const, price: 99_999_999_999 };
    const [computed] = await pricesOf(db(), [{ terms, value: 100_000_000, quantity: 1_000_000 }]);
    expect(computed?.list_amount).toBe(9e15);
    expect(await pricesOf(db(), [{ terms: { spec_type: 1 } as Terms, value: null, quantity: 1 }])).toEqual([]);
  });

  it('order prices without steps and levels have no additional field in the response', async () => {
    const user = await testApp().user();
    const { data: goods } = await user.get(`goods/info?id=${testApp().goods.card.id}`);
    for (const spec of goods.specs) expect(spec).not.toHaveProperty('steps');
    const shown = await preview(user, 10);
    expect(shown).toMatchObject({ unit_price: '10.00', original_amount: '100.00', total_amount: '100.00' });
    expect(shown).not.toHaveProperty('list_price');
    expect(shown.breakdown.map(({ kind }: { kind: string }) => kind)).toEqual(['goods', 'total']);
    const { data } = await user.info((await user.order()).data.order_no);
    expect(data).not.toHaveProperty('price');
    expect((await testApp().get('level/list')).data).toEqual([]);
    expect((await user.get('user/level')).data).toEqual({ id: null, given: null, next: null });
  });

  it('the product page, the preview and the order say in both languages what each price rule took off', async () => {
    await setSteps([5, 900], [10, 850], [11, 800]);
    const gold = await addLevel('gold', 95);
    const id = await testApp().addCoupon({ name_zh: '减三', reduce: 300, min: 8080 });
    const user = await testApp().user(100_000);
    await give(user, gold);
    const { data: goods } = await user.get(`goods/info?id=${testApp().goods.card.id}`);
    expect(goods.specs[0].steps).toEqual([
      { from: 5, price: '9.00' },
      { from: 10, price: '8.50' },
    ]);
    // 8.50 x 95 % = 8.075, rounded half up to 8.08; the coupon's minimum applies to the remainder.
    expect(await preview(user, 10, 'en')).toMatchObject({
      list_price: '10.00',
      unit_price: '8.08',
      original_amount: '80.80',
      breakdown: [
        { kind: 'goods', amount: '100.00' },
        { kind: 'step', label: '10 or more', amount: '-15.00' },
        { kind: 'level', label: 'gold member', amount: '-4.20' },
        { kind: 'total', amount: '80.80' },
      ],
    });
    await user.post('coupon/receive', { coupon_id: id });
    expect((await preview(user, 10)).breakdown).toEqual([
      { kind: 'goods', label: '商品金额', amount: '100.00' },
      { kind: 'step', label: '满 10 件', amount: '-15.00' },
      { kind: 'level', label: 'gold', amount: '-4.20' },
      { kind: 'coupon', label: '减三', amount: '-3.00' },
      { kind: 'total', label: '应付金额', amount: '77.80' },
    ]);
    const orderNo = await user.bought(selection(10));
    await setSteps();
    await db().run('update levels set percent = 50, name_zh = $1', ['改名']);
    await db().run("update goods set name_zh = '改名' where id = $1", [testApp().goods.card.id]);
    const { data: order } = await user.info(orderNo);
    expect(order).toMatchObject({
      unit_price: '8.08',
      original_amount: '80.80',
      coupon_discount: '3.00',
      total_amount: '77.80',
      snapshot: { name: '原神' },
    });
    await db().run("update goods set name_zh = '原神' where id = $1", [testApp().goods.card.id]);
    expect(order.price).toEqual({
      list_amount: '100.00',
      parts: [
        { kind: 'step', label: '满 10 件', amount: '-15.00' },
        { kind: 'level', label: 'gold', amount: '-4.20' },
      ],
    });
    const [recent] = (await user.get('order/recent')).data;
    expect(recent.price).toBe('50.00');
  });

  it('a shopper with a level pays a fixed price in its currency only', async () => {
    const level = await addLevel('fixed', 90);
    await db().run("insert into level_prices values ($1, $2, 'CNY', 650)", [level, card()]);
    const user = await testApp().user();
    await give(user, level);
    expect(await preview(user, 2)).toMatchObject({ unit_price: '6.50', total_amount: '13.00' });
    const inDollars = await user.post('order/preview', selection(2), { currency: 'USD' });
    expect(inDollars.data).toMatchObject({ list_price: '1.50', unit_price: '1.35', total_amount: '2.70' });
    const { id } = testApp().goods.custom;
    const custom = { goods_id: id, custom_value: 130, quantity: 1 };
    expect((await user.post('order/preview', custom)).data).toMatchObject({
      unit_price: '0.10',
      total_amount: '11.70',
    });
    const { data } = await user.order({ ...custom, fields: { uid: '1' } });
    expect(data.total_amount).toBe('11.70');
  });

  it('an order whose price changed by a step or a level since the preview is refused as a changed price, and none is placed', async () => {
    await setSteps([5, 900]);
    const gold = await addLevel('changed', 95);
    const user = await testApp().user(10_000);
    const create = (shown: { price_version: string }, quantity: number) =>
      user.post('order/create', { ...selection(quantity), price_version: shown.price_version });
    const changes: Array<() => Promise<unknown>> = [
      () => setSteps([5, 890]),
      () => setSteps([6, 890]),
      () => setSteps([4, 890]),
      () => setSteps(),
      () => give(user, gold),
      () => db().run('update levels set percent = 94 where id = $1', [gold]),
      () => db().run('update levels set active = false where id = $1', [gold]),
    ];
    for (const change of changes) {
      const shown = await preview(user, 5);
      await change();
      expect((await create(shown, 5)).code).toBe(43010);
      expect(await preview(user, 5)).not.toMatchObject({ price_version: shown.price_version });
    }
    expect(await db().row('select 1 from orders where user_id = $1', [user.id])).toBeUndefined();
    const shown = await preview(user, 2);
    await setSteps([5, 870]);
    expect((await create(shown, 2)).code).toBe(200);
  });

  it('order_create refuses an amount that does not follow from the price rules', async () => {
    await setSteps([2, 900]);
    const user = await testApp().user(10_000);
    const order = await user.order(selection(2));
    expect(order.data.total_amount).toBe('18.00');
    const change = 'original_amount = original_amount - 1, total_amount = total_amount - 1';
    const cheaper = db().run(`update orders set ${change} where order_no = $1`, [order.data.order_no]);
    await expect(cheaper).rejects.toThrow(/check/);
  });
});
