import { ErrorCode, StockState } from '@shop/shared/domain';
import { refund } from '../../test/support/money-back';
import { addSharedValue, countOf, writeText } from '../../test/support/shared-value';
import { onEveryDatabase, type User } from '../../test/support/test-app';
import { heldBack } from '../../test/support/waiting-calls';
import { endHolds } from '../holds/holds.service';
import type { Sql } from '../platform/db/sql';

let values = 0;

onEveryDatabase('shared codes', (testApp) => {
  const db = () => testApp().db;
  const text = 'Step one: open the game.\n\tStep two: 输入 KEY-1234.';
  const share = (settings?: Parameters<typeof addSharedValue>[4]) =>
    addSharedValue(testApp().context, testApp().goods.card.id, `shared-${++values}`, text, settings);
  const cardsOf = (user: User, order_no: string, more: object = {}) => user.post('order/cards', { order_no, ...more });
  const textOf = async (user: User, orderNo: string) =>
    (await cardsOf(user, orderNo)).data.cards.map((card: { card_no: string }) => card.card_no);
  afterEach(() => testApp().check());

  it('a shared code is shown to each buyer after the payment', async () => {
    const spec_id = await share();
    const [buyer, otherBuyer] = [await testApp().user(5000), await testApp().user(5000)];
    const { data } = await buyer.order({ spec_id });
    expect((await cardsOf(buyer, data.order_no)).code).toBe(ErrorCode.WrongOrderState);
    expect((await buyer.pay(data.order_no)).code).toBe(200);
    const otherOrder = await otherBuyer.bought({ spec_id });
    const answer = await cardsOf(buyer, data.order_no);
    const card = { id: expect.any(Number), card_no: text, card_pwd: '', expire_at: null, is_text: true };
    expect(answer.data.cards).toEqual([card]);
    expect(await textOf(otherBuyer, otherOrder)).toEqual([text]);
    const info = await buyer.info(data.order_no);
    expect(info.data).toMatchObject({ status: 30, cards_count: 1, actions: { reveal: true } });
    expect(info.text).not.toContain('KEY-1234');
    const file = await cardsOf(buyer, data.order_no, { format: 'txt' });
    expect(file.text).toBe(`${text}\r\n`);
  });

  it('a shared code is stored encrypted only, and never changed or deleted', async () => {
    const spec_id = await share();
    const user = await testApp().user(5000);
    await cardsOf(user, await user.bought({ spec_id }));
    const stored = await testApp().value<string>(
      `select (select string_agg(encode(content, 'escape'), '') from shared_code_texts)
           || (select string_agg(l::text, '') from audit_log l) || (select string_agg(d::text, '') from shared_code_orders d)`,
    );
    expect(stored).not.toContain('KEY-1234');
    for (const statement of [
      'update shared_code_texts set spec_id = spec_id + 1',
      'delete from shared_code_texts',
      'truncate shared_code_orders',
      'delete from shared_code_orders',
    ])
      await expect(testApp().db.script(statement)).rejects.toThrow('append-only');
    for (const change of ['text_id = null', 'quantity = quantity + 1', 'quantity = 0'])
      await expect(
        testApp().db.script(`update shared_code_orders set ${change} where text_id is not null`),
      ).rejects.toThrow('has its text already');
  });

  it('a shared code stays as it was when the order was paid, even if the shop replaces it or stops selling it', async () => {
    const spec_id = await share();
    const user = await testApp().user(5000);
    const first = await user.bought({ spec_id });
    const { data: waiting } = await user.order({ spec_id });
    await writeText(testApp().context, spec_id, 'the second');
    await user.pay(waiting.order_no);
    const both = async () => [await textOf(user, first), await textOf(user, waiting.order_no)];
    expect(await both()).toEqual([[text], ['the second']]);
    await db().run('update goods_specs set shared = false where id = $1', [spec_id]);
    expect(await both()).toEqual([[text], ['the second']]);
  });

  it('a shared code is never sold more often than its counter says under concurrent orders, and unpaid orders return their pieces', async () => {
    const spec_id = await share({ stock: 3 });
    const mark = async () => {
      const { data } = await testApp().get(`goods/info?id=${testApp().goods.card.id}`);
      return data.specs.find((spec: { id: number }) => spec.id === spec_id).stock_state;
    };
    expect(await mark()).toBe(StockState.Low);
    const users = await Promise.all(Array.from({ length: 6 }, () => testApp().user(5000)));
    const placed = await Promise.all(users.map((user) => user.order({ spec_id })));
    expect(placed.map(({ code }) => code).sort((a, b) => a - b)).toEqual([200, 200, 200, 42220, 42220, 42220]);
    expect(await countOf(testApp().context, spec_id)).toEqual({ left: 0, taken: 3 });
    expect(await mark()).toBe(StockState.Out);
    const at = placed.findIndex(({ code }) => code === 200);
    await users[at]?.post('order/cancel', { order_no: placed[at]?.data.order_no });
    expect(await countOf(testApp().context, spec_id)).toEqual({ left: 1, taken: 2 });
    expect(await mark()).toBe(StockState.Low);
    expect((await users[at]?.order({ spec_id, quantity: 2 }))?.code).toBe(42220);
    const unlimited = await share();
    expect((await users[at]?.order({ spec_id: unlimited, quantity: 9 }))?.code).toBe(200);
  });

  it.each([
    ['a shared code', () => share(), 'shared = true, ', 0],
    ['an ordinary counter', async () => testApp().spec('manual'), '', 1],
  ])(
    'an order gives nothing back to a counter of %s that began after it',
    async (_what, placeValue, setting, isManual) => {
      const spec_id = await placeValue();
      const set = (stock: number | null) =>
        db().run(`update goods_specs set ${setting}stock = $2 where id = $1`, [spec_id, stock]);
      const left = () => testApp().value<number>('select stock from goods_specs where id = $1', [spec_id]);
      const selection = { ...(isManual ? testApp().orderBody('manual') : {}), spec_id };
      const user = await testApp().user(20_000);
      const cancel = async (order: { data: { order_no: string } }) => {
        expect((await user.post('order/cancel', { order_no: order.data.order_no })).code).toBe(200);
        return left();
      };
      await set(null);
      const unlimited = await user.order({ ...selection, quantity: 8 });
      await set(3);
      expect(await cancel(unlimited)).toBe(3);
      const counted = await user.order({ ...selection, quantity: 2 });
      expect(await cancel(counted)).toBe(3);
      const before = await user.order({ ...selection, quantity: 2 });
      await set(null);
      await set(3);
      expect(await cancel(before)).toBe(3);
      await set(null);
    },
  );

  it('a shared code returns its piece when the refund comes before the delivery, and not when the buyer may have read it', async () => {
    const spec_id = await share({ stock: 10 });
    const user = await testApp().user(20_000);
    const delivered = await user.bought({ spec_id, quantity: 3 });
    await refund(testApp().context, delivered, { quantity: 1 });
    expect(await textOf(user, delivered)).toEqual([text]);
    await refund(testApp().context, delivered);
    expect((await user.info(delivered)).data).toMatchObject({ status: 60, cards_count: 0 });
    expect((await cardsOf(user, delivered)).code).toBe(ErrorCode.WrongOrderState);
    expect(await countOf(testApp().context, spec_id)).toEqual({ left: 7, taken: 3 });

    await testApp().setHolds({ cny_from: 100 });
    const [onHold, released] = [await user.bought({ spec_id }), await user.bought({ spec_id, quantity: 2 })];
    expect((await cardsOf(user, onHold)).code).toBe(ErrorCode.WrongOrderState);
    await refund(testApp().context, onHold);
    await refund(testApp().context, released, { quantity: 1 });
    expect(await countOf(testApp().context, spec_id)).toEqual({ left: 6, taken: 4 });
    await testApp().passHolds();
    await endHolds(testApp().context);
    await testApp().setHolds();
    expect(await textOf(user, released)).toEqual([text]);
    expect(await countOf(testApp().context, spec_id)).toEqual({ left: 6, taken: 4 });
  });

  it.each([5, null])(
    'an order that waited while its value (%s left) stopped being a shared code is refused',
    async (stock) => {
      const spec_id = await share(stock === null ? {} : { stock });
      const user = await testApp().user(5000);
      const stopSharing = async (sql: Sql) => {
        await sql.run('select 1 from users where id = $1 for update', [user.id]);
        await sql.run('update goods_specs set shared = false where id = $1', [spec_id]);
      };
      const [placed] = await heldBack(db(), stopSharing, () => user.order({ spec_id }));
      expect(placed?.code).toBe(ErrorCode.OutOfStock);
      expect(await db().rows('select stock from goods_specs where id = $1', [spec_id])).toEqual([{ stock }]);
    },
  );

  it('an order whose value becomes a shared code after the preview gets the shared code, and its single code stays free', async () => {
    const spec_id = await share();
    await db().run('update goods_specs set shared = false where id = $1', [spec_id]);
    await testApp().addStock(1, spec_id);
    const user = await testApp().user(5000);
    const body = { goods_id: testApp().goods.card.id, spec_id, quantity: 1 };
    const { data } = await user.post('order/preview', body);
    await db().run('update goods_specs set shared = true where id = $1', [spec_id]);
    const { price_version } = data;
    const placed = await user.post('order/create', { ...body, price_version });
    expect((await user.pay(placed.data.order_no)).code).toBe(200);
    expect(await textOf(user, placed.data.order_no)).toEqual([text]);
    expect(await db().rows('select state from card_codes where spec_id = $1', [spec_id])).toEqual([{ state: 0 }]);
  });
});
