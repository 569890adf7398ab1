import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { importFile } from '../cli/import';
import { lastEntry, withStaff } from '../testing/staff';
import type { StaffStock } from '../wire';
import type { ShareCodeBody } from './codes.schemas';
import { goodsEditable } from './goods.service';

onEveryDatabase('shared codes at /staff', (testApp) => {
  const ann = withStaff(testApp, 'stock');
  afterEach(async () => {
    await ann.post('codes/unshare', place);
    await testApp().check();
  });

  const place = { goods: 'card', spec: 'b' };
  const stock = async (spec = 'b'): Promise<StaffStock> =>
    (await ann.get('stock?q=card')).data.find((row: StaffStock) => row.goods === 'card' && row.spec === spec);
  const code = async () => (await ann.get('codes/shared?goods=card&spec=b')).data;
  const share = (body: Partial<ShareCodeBody>) => ann.post('codes/share', { ...place, ...body });
  const entryOf = (action: string) => lastEntry(testApp(), 'action = $1', action);

  it('a shared code is written, sold, replaced, and read again with an audit entry', async () => {
    expect(await code()).toEqual({ shared: false, stock: null, has_text: false });
    expect((await share({})).code).toBe(40001);
    const text = `Line one\nSecret ${randomNumber()}`;
    expect((await share({ text, stock: 5 })).code).toBe(200);
    const user = await testApp().user(10_000);
    const spec_id = testApp().spec('card', 'b');
    const order_no = await user.bought({ spec_id, quantity: 2 });
    expect((await user.post('order/cards', { order_no })).data.cards[0].card_no).toBe(text);
    const unpaid = (await user.order({ spec_id })).data.order_no;
    expect((await ann.post('codes/read', place)).data).toEqual({ text });
    expect(await entryOf('codes.read')).toMatchObject({ actor: ann.actor, subject: 'card/b' });
    expect((await share({ text: 'the second' })).code).toBe(200);
    expect(await code()).toEqual({ shared: true, stock: 2, has_text: true });
    expect((await ann.post('codes/read', place)).data).toEqual({ text: 'the second' });
    expect((await ann.post('codes/read', { ...place, spec: 'a' })).code).toBe(404);
    expect(await entryOf('codes.share')).toMatchObject({
      detail: { before: { stock: 2 }, after: { stock: 2 }, has_new_text: true },
    });
    const log = await testApp().db.value<string>("select string_agg(l::text, '') from audit_log l");
    expect(log).not.toContain(text.slice(-20));
    await user.post('order/cancel', { order_no: unpaid });
  });

  it('a shared code refuses a new counter while one runs', async () => {
    await share({ text: 'mine', stock: 3 });
    expect((await share({ stock: 9 })).code).toBe(46030);
    expect((await share({ stock: null })).code).toBe(200);
    expect((await stock()).pieces).toBeNull();
    expect((await share({ stock: 9 })).code).toBe(200);
    expect((await ann.post('stock/save', { ...place, low_stock: 10, add: 1 })).code).toBe(200);
    expect(await stock()).toMatchObject({ pieces: 10, shared: true, codes: false, low: true });
    expect((await ann.post('stock/save', { ...place, low_stock: 9, add: 0 })).code).toBe(200);
    expect((await stock()).low).toBe(false);
  });

  it('a shared code accepts the same text again, and every import refuses single codes for its specification', async () => {
    const text = 'the same guide for both';
    for (const spec of ['a', 'b']) expect((await share({ spec, text })).code).toBe(200);
    const [line, otherLine] = [randomNumber(), randomNumber()];
    const body = { ...place, text: `${line} pw\n${otherLine} pw` };
    const faults = [1, 2].map((number) => ({ line: number, kind: 'shared' }));
    expect((await ann.post('codes/preview', body)).data).toMatchObject({ good: 0, faults });
    expect((await ann.post('codes/import', { ...body, only_good: true })).code).toBe(46071);
    const report = await importFile(testApp().context, 'x.csv', `goods,spec,card_no,card_pwd\ncard,b,${line},pw\n`);
    expect([report.cards, report.faults]).toEqual([0, [{ line: 2, message: expect.stringContaining('shared code') }]]);
    await ann.post('codes/unshare', { goods: 'card', spec: 'a' });
    await ann.post('codes/unshare', place);
    expect((await ann.post('codes/import', { ...body, only_good: false })).data).toEqual({ added: 2, left_out: 0 });
    expect((await ann.post('codes/import', { ...body, only_good: true })).code).toBe(46071);
  });

  it('a shared code sets the unsold codes of its specification aside and leaves them unchanged', async () => {
    const before = (await stock()).pieces;
    await share({ text: 'meanwhile', stock: 0 });
    const user = await testApp().user(5000);
    expect((await user.order({ spec_id: testApp().spec('card', 'b') })).code).toBe(42220);
    await ann.post('codes/unshare', place);
    expect(await stock()).toMatchObject({ pieces: before, shared: false, codes: true });
    expect((await user.order({ spec_id: testApp().spec('card', 'b') })).code).toBe(200);
  });

  it('a shared code keeps its counter when the product is edited, and is for card codes only', async () => {
    await share({ text: 'a guide', stock: 7 });
    await testApp().db.withTransaction(async (sql) => {
      const value = await goodsEditable.read(sql, 'card');
      if (value) await goodsEditable.write(sql, 'card', value);
    });
    expect(await stock()).toMatchObject({ pieces: 7, shared: true });
    for (const other of [
      { goods: 'direct', spec: 'a' },
      { goods: 'card', spec: 'none' },
    ])
      expect((await ann.post('codes/share', { ...other, text: 'x' })).code).toBe(404);
    const listed = (await ann.get('goods?q=card')).data.list.find((product: { key: string }) => product.key === 'card');
    expect(listed.stock).toBe(7 + ((await stock('a')).pieces ?? 0));
  });
});
