import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { serveSuppliers } from '@shop/server/suppliers/suppliers.service';
import { FaultySupplier } from '@shop/server/test/support/doubles/faulty-supplier';
import { onEveryDatabase, type User } from '@shop/server/test/support/test-app';
import { codesAndAuditLog, lastEntry, type StaffMember, sendToSupplier, viewCodes, withStaff } from '../testing/staff';
import { masked, type QueueOrder } from './queue.service';

onEveryDatabase('the queue of /staff', (testApp) => {
  const [ann, ben] = [withStaff(testApp, 'seller'), withStaff(testApp, 'seller')];
  afterEach(() => testApp().check());

  const buy = (user: User, kind: 'manual' | 'direct' = 'manual', overrides: object = {}) =>
    user.bought({ ...testApp().orderBody(kind), ...overrides });
  const paidAgo = (order: string, minutes: number) =>
    testApp().db.run('update orders set paid_at = now() - make_interval(mins => $2) where order_no = $1', [
      order,
      minutes,
    ]);
  const queued = async (member: StaffMember): Promise<QueueOrder[]> => (await member.get('queue')).data.orders;
  const find = async (member: StaffMember, order: string) =>
    (await queued(member)).find((queuedOrder) => queuedOrder.order_no === order);

  const entryOf = (order: string) => lastEntry(testApp(), 'subject = $1', order);

  it('the queue lists orders that wait for staff, earliest promise first, without automatic deliveries', async () => {
    const user = await testApp().user(20_000);
    const [late, later] = [await buy(user), await buy(user)];
    const direct = await buy(user, 'direct', { fields: { uid: 'x' } });
    const card = await user.bought();
    await paidAgo(later, 10);
    await paidAgo(late, 40);
    const ours = [late, later, direct, card];
    const shown = async () =>
      (await queued(ann)).map((order) => order.order_no).filter((order) => ours.includes(order));
    expect(await shown()).toEqual([late, later]);
    await paidAgo(direct, 31);
    expect(await shown()).toEqual([late, direct, later]);
    await user.post('order/refundApply', { order_no: card, reason: '<b>买错了</b>' });
    expect(await shown()).toEqual([late, direct, later, card]);
    expect(await find(ann, late)).toMatchObject({
      kind: 'deliver',
      name: 'Test goods',
      amount: '20.00',
      taken: null,
      takes_codes: true,
    });
    const refund = { kind: 'refund', delivered: true, refund_reason: '<b>买错了</b>' };
    expect(await find(ann, card)).toMatchObject(refund);
  });

  it('the queue masks fields; the staff member who has claimed the order opens them, and the access is audited', async () => {
    const user = await testApp().user(5000);
    const fields = { uid: 'player-one', secret: 'hunter22' };
    const order = await buy(user, 'direct', { fields });
    await paidAgo(order, 31);
    const text = (await ann.get('queue')).text;
    expect(text).toContain('pl••••ne');
    for (const secret of ['player-one', 'hunter22']) expect(text).not.toContain(secret);
    expect((await ann.post('queue/fields', { order_no: order })).code).toBe(46011);
    await ann.post('queue/take', { order_no: order });
    expect((await ben.post('queue/fields', { order_no: order })).code).toBe(46011);
    expect((await ann.post('queue/fields', { order_no: order })).data).toEqual({ fields });
    expect(await entryOf(order)).toMatchObject({ actor: ann.actor, action: 'order.fields' });
  });

  it('staff ask the buyer, who answers the question in the notices; the answer is encrypted, and no supplier gets it', async () => {
    const user = await testApp().user(10_000);
    const order = await buy(user, 'direct', { fields: { uid: 'player-one' } });
    await paidAgo(order, 31);
    const question = { order_no: order, question: ' Which <server>? ' };
    expect((await ann.post('queue/ask', question)).code).toBe(46011);
    await ann.post('queue/take', { order_no: order });
    expect((await ann.post('queue/ask', { ...question, question: '  ' })).code).toBe(40001);
    for (let time = 0; time < 2; time++) expect((await ann.post('queue/ask', question)).code).toBe(200);
    const asked = { actor: ann.actor, action: 'order.ask', detail: { note: 'Which <server>?' } };
    expect(await entryOf(order)).toMatchObject(asked);
    const notices = async () => (await user.get('order/notices', { locale: 'en' })).data;
    expect(await notices()).toMatchObject({
      list: [
        { order_no: order, kind: 'asked', text: 'We have a question about your order: Which <server>?', read: false },
      ],
      unread: 1,
    });
    expect((await find(ben, order))?.question).toMatchObject({ text: 'Which <server>?', answered_at: null });

    const reply = { order_no: order, answer: ' secret-server-9 ' };
    expect((await user.post('order/answer', reply)).code).toBe(200);
    expect((await user.post('order/answer', reply)).code).toBe(43020);
    const item = await find(ann, order);
    expect(item?.question?.answered_at).toEqual(expect.stringMatching(/Z$/));
    expect(item?.fields.map(({ key, value }) => [key, value])).toContainEqual(['answer-1', '••••']);
    expect((await ann.post('queue/fields', { order_no: order })).data.fields).toEqual({
      uid: 'player-one',
      'answer-1': 'secret-server-9',
    });
    const text = await testApp().db.value<string>(
      'select o::text || (select string_agg(e::text, $2) from order_events e where order_id = o.id) from orders o where order_no = $1',
      [order, ' '],
    );
    expect(text).not.toContain('secret-server-9');

    expect((await ann.post('queue/ask', question)).code).toBe(200);
    expect((await find(ann, order))?.question?.answered_at).toBeNull();
    await ann.post('queue/give-back', { order_no: order });
    const supplier = new FaultySupplier();
    const sent = jest.spyOn(supplier, 'order');
    const { context } = testApp();
    await serveSuppliers({ ...context, providers: { ...context.providers, supplierFor: () => supplier } });
    const supplierOrder = sent.mock.calls.map(([order]) => order).find((order) => order.fields.uid === 'player-one');
    expect(supplierOrder?.fields).toEqual({ uid: 'player-one' });
    expect(JSON.stringify(supplierOrder)).not.toContain('secret-server-9');
    expect((await user.post('order/answer', reply)).code).toBe(43020);
  });

  it('an order is claimed by one staff member at a time, who can release it; the claim ends after 15 minutes', async () => {
    const order = await buy(await testApp().user(5000));
    const tries = await Promise.all([ann, ben].map((member) => member.post('queue/take', { order_no: order })));
    expect(tries.map((attempt) => attempt.code).sort()).toEqual([200, 46010]);
    const [first, second] = tries[0]?.code === 200 ? [ann, ben] : [ben, ann];
    expect(tries.find((attempt) => attempt.code === 46010)?.data).toEqual({ by: first.name });
    expect((await find(second, order))?.taken).toMatchObject({ by: first.name, mine: false });
    const bodies = {
      'give-back': {},
      deliver: { note: 'x' },
      refund: { reason: 'x', key: 'abcd1234' },
      'refuse-refund': { reason: 'x' },
    };
    for (const [call, body] of Object.entries(bodies))
      expect((await second.post(`queue/${call}`, { order_no: order, ...body })).code).toBe(46011);
    expect((await first.post('queue/give-back', { order_no: order })).code).toBe(200);
    expect((await find(second, order))?.taken).toBeNull();
    await second.post('queue/take', { order_no: order });
    await testApp().db.run(
      'update staff_claims set expires_at = now() where order_id = (select id from orders where order_no = $1)',
      [order],
    );
    expect((await first.post('queue/take', { order_no: order })).code).toBe(200);
    expect((await second.post('queue/deliver', { order_no: order, note: 'late' })).code).toBe(46011);
  });

  it('an order is delivered once with a note, and a repetition is the same delivery', async () => {
    const user = await testApp().user(5000);
    const order = await buy(user);
    await ann.post('queue/take', { order_no: order });
    for (let time = 0; time < 2; time++)
      expect((await ann.post('queue/deliver', { order_no: order, note: 'topped up' })).data).toEqual({ done: true });
    expect((await user.info(order)).data).toMatchObject({ status: 30, actions: { reveal: false } });
    expect((await user.post('order/cards', { order_no: order })).code).not.toBe(200);
    expect(await find(ann, order)).toBeUndefined();
    expect((await ann.post('queue/take', { order_no: order })).code).toBe(43020);
    const entries = "select count(*) as n from audit_log where action = 'order.deliver' and subject = $1";
    expect(await testApp().db.one(entries, [order])).toEqual({ n: 1 });
  });

  it('staff deliver codes that only the buyer sees, encrypted, and none that the shop has already', async () => {
    const user = await testApp().user(10_000, 'right-password');
    const [order, secondOrder] = [await buy(user, 'manual', { quantity: 2 }), await buy(user)];
    const code = { card_no: `NO-${randomNumber()}`, card_pwd: 'pw-1' };
    for (const orderNo of [order, secondOrder]) await ann.post('queue/take', { order_no: orderNo });
    const codes = [code, { card_no: `NO-${randomNumber()}`, card_pwd: '' }];
    expect((await ann.post('queue/deliver', { order_no: order, note: '', codes })).code).toBe(200);
    const again = await ann.post('queue/deliver', { order_no: secondOrder, note: 'again', codes: [code] });
    expect(again).toMatchObject({ code: 46012, data: { lines: [1] } });
    const other = { order_no: secondOrder, note: 'other', codes: [{ ...code, card_pwd: 'pw-2' }] };
    expect(await ann.post('queue/deliver', other)).toMatchObject({ code: 46073, data: { lines: [1] } });
    expect((await find(ann, secondOrder))?.taken?.mine).toBe(true);
    expect((await ann.post('queue/deliver', { ...other, same_numbers: true })).code).toBe(200);
    expect((await user.info(order)).data).toMatchObject({ status: 30, cards_count: 2, actions: { reveal: true } });
    const shown = await user.post('order/cards', { order_no: order, password: 'right-password' });
    expect(JSON.stringify(shown.data)).toContain(code.card_no);
    expect(await codesAndAuditLog(testApp())).not.toContain(code.card_no);
  });

  it('a claim stops the supplier, and an order that a supplier may still deliver needs a confirmation', async () => {
    const user = await testApp().user(10_000);
    const [claimed, open] = [
      await buy(user, 'direct', { fields: { uid: 'fail' } }),
      await buy(user, 'direct', { fields: { uid: 'y' } }),
    ];
    await sendToSupplier(testApp(), open);
    for (const order of [claimed, open]) {
      await paidAgo(order, 31);
      expect((await ann.post('queue/take', { order_no: order })).code).toBe(200);
    }
    await serveSuppliers(testApp().context);
    expect((await find(ann, claimed))?.supplier).toMatchObject({ state: 'waiting', tries: 0 });
    expect((await ann.post('queue/deliver', { order_no: claimed, note: '1' })).code).toBe(200);
    const delivery = { order_no: open, note: '2' };
    const pending = { tries: 3, detail: 'pending' };
    expect(await ann.post('queue/deliver', delivery)).toMatchObject({ code: 43022, data: pending });
    const refund = { order_no: open, reason: 'x', key: randomNumber() };
    expect((await ann.post('queue/refund', refund)).code).toBe(43022);
    expect((await ann.post('queue/deliver', { ...delivery, supplier_ok: true })).code).toBe(200);
  });

  it('staff refuse an order with a refund to the wallet, once per key, and confirm again if the buyer has viewed the codes', async () => {
    const user = await testApp().user(4000);
    const [order, seen] = [await buy(user), await user.bought()];
    await user.post('order/refundApply', { order_no: seen, reason: 'x' });
    await viewCodes(testApp(), seen);
    for (const orderNo of [order, seen]) await ann.post('queue/take', { order_no: orderNo });
    const refusal = { order_no: order, reason: 'out of stock', key: randomNumber() };
    expect((await ann.post('queue/refund', { ...refusal, reason: ' ' })).code).toBe(40001);
    expect((await ann.post('queue/refund', { ...refusal, amount: '0.01' })).code).toBe(40001);
    const done = { state: 'done', amount: '20.00', currency: 'CNY' };
    for (let time = 0; time < 2; time++) expect((await ann.post('queue/refund', refusal)).data).toEqual(done);
    expect(await entryOf(order)).toMatchObject({ actor: ann.actor, action: 'order.refund' });
    expect(await user.balance()).toBe('30.00');
    const refund = { order_no: seen, reason: 'x', key: randomNumber() };
    expect(await ann.post('queue/refund', refund)).toMatchObject({ code: 46013, data: { times: 1 } });
    expect((await ann.post('queue/refund', { ...refund, revealed_ok: true })).code).toBe(200);
    expect(await entryOf(seen)).toMatchObject({ action: 'order.refund', detail: { codes_shown: 1 } });
    expect(await user.balance()).toBe('40.00');
  });

  it('staff refuse a refund request with a reason', async () => {
    const user = await testApp().user(4000);
    const order_no = await user.bought();
    await user.post('order/refundApply', { order_no, reason: 'x' });
    await ann.post('queue/take', { order_no });
    const refusal = { order_no, reason: 'the code was used' };
    expect((await ann.post('queue/refuse-refund', { ...refusal, reason: ' ' })).code).toBe(40001);
    expect((await ann.post('queue/refuse-refund', refusal)).code).toBe(200);
    expect((await user.info(order_no)).data.refund).toMatchObject({ state: 'refused' });
    expect(await find(ann, order_no)).toBeUndefined();
  });
});

it.each([
  ['1234567', '••••'],
  ['12345678', '12••••78'],
])('the queue shows of a field %s no more than %s', (value, shown) => {
  expect(masked(value)).toBe(shown);
});
