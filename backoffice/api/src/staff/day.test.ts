import { randomNumber } from '@shop/server/platform/crypto/tokens';
import { serveSuppliers } from '@shop/server/suppliers/suppliers.service';
import { onEveryDatabase, type Person } from '@shop/server/test/support/test-app';
import { type StaffMember, signedInStaff } from '../testing/staff';
import type { StaffCoupon } from './coupons/coupons.schemas';
import type { Figures } from './figures.schemas';
import { applyPriceChanges } from './goods/price-changes.service';
import type { Queue, QueueOrder } from './queue.schemas';

onEveryDatabase('a day of work at /staff', (testApp) => {
  let [ann, money, manager, stock]: StaffMember[] = [];
  beforeAll(async () => {
    [ann, money, manager, stock] = [
      await signedInStaff(testApp(), 'seller'),
      await signedInStaff(testApp(), 'money'),
      await signedInStaff(testApp(), 'manager'),
      await signedInStaff(testApp(), 'stock'),
    ];
  });
  const seller = () => ann as StaffMember;
  const keeper = () => stock as StaffMember;

  /** Five codes by a CSV file that has three bad lines too. */
  async function restock(): Promise<void> {
    const rows = Array.from({ length: 5 }, () => `card,a,${randomNumber()},pw,`);
    const bad = [rows[0], 'card,nowhere,X-1,pw,', 'card,a'];
    const body = { goods: '', spec: '', text: ['goods,spec,card_no,card_pwd,expire_at', ...rows, ...bad].join('\r\n') };
    const preview = await keeper().post('codes/preview', body);
    expect(preview.data).toEqual({
      good: 5,
      faults: [
        { line: 7, kind: 'twice', other: 2 },
        { line: 8, kind: 'goods' },
        { line: 9, kind: 'format' },
      ],
      specs: [{ goods: 'card', spec: 'a', good: 5 }],
    });
    expect((await keeper().post('codes/import', { ...body, only_good: false })).code).toBe(46071);
    const imported = await keeper().post('codes/import', { ...body, only_good: true });
    expect(imported.data).toEqual({ added: 5, left_out: 3 });
  }

  /** ¥7.00 instead of ¥10.00 from in an hour on; the job runs at that time. */
  async function lowerPrice(): Promise<void> {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000);
    const change = { goods: 'card', spec: 'a', prices: { CNY: '7.00' }, starts_at: at(1).toISOString(), ends_at: null };
    expect((await keeper().post('goods/price-changes', change)).code).toBe(200);
    await applyPriceChanges(testApp().db, at(1.1));
  }

  /** ¥2.00 off a card, for two people who have its code. */
  async function makeCoupon(): Promise<void> {
    const value: StaffCoupon = {
      name: { 'zh-CN': '今日立减', en: 'Day' },
      coupon_type: 10,
      percent: 0,
      amounts: { CNY: { reduce_price: '2.00', min_price: '5.00' }, USD: null },
      expire_type: 10,
      expire_day: 7,
      start_time: null,
      end_time: null,
      goods: ['card'],
      total: 2,
      offer: false,
      redeem_code: 'DAY2',
      claim_from: null,
      claim_until: null,
    };
    expect((await keeper().post('coupons/save', { key: 'day-2', value, revision: null })).code).toBe(200);
  }

  const buy = async (person: Person, kind: 'card' | 'direct' | 'manual', fields?: object): Promise<string> => {
    const goods = { goods_id: testApp().goods[kind].id, spec_id: testApp().spec(kind) };
    const { data } = await person.order({ ...goods, ...(fields && { fields }) });
    expect((await person.pay(data.order_no)).code).toBe(200);
    return data.order_no;
  };
  /** 3: topped up by staff with the buyer's account; 4: by staff otherwise. */
  const sellManualAs = (type: number) =>
    testApp().db.run('update goods set recharge_type = $2 where id = $1', [testApp().goods.manual.id, type]);

  /** How often somebody did what, as the manager's audit page has it. */
  async function acts({ name }: StaffMember): Promise<Record<string, number>> {
    const { data } = await (manager as StaffMember).get(`audit?actor=${encodeURIComponent(`${name} (staff)`)}`);
    const counts: Record<string, number> = {};
    for (const { action } of data.entries) counts[action] = (counts[action] ?? 0) + 1;
    return counts;
  }

  it('is done through its calls alone: codes, a price, a coupon, 20 orders of four kinds, two refunds and an answer; figures and audit log agree', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => testApp().person(50_000)));
    const of = async (kind: 'card' | 'direct' | 'manual', fields?: object) =>
      Promise.all(people.map((person) => buy(person, kind, fields)));
    await restock();
    await lowerPrice();
    await makeCoupon();
    expect((await people[0]?.post('coupon/receiveByCode', { code: 'DAY2' }))?.code).toBe(200);
    const [before] = ((await (money as StaffMember).get(span())).data as Figures).totals;
    const cards = await of('card');
    const direct = await of('direct', { uid: 'player-one' });
    const manual = await of('manual');
    await sellManualAs(3);
    const proxy = await of('manual');
    await sellManualAs(4);
    const all = [...cards, ...direct, ...manual, ...proxy];
    expect(new Set(all).size).toBe(20);
    const amounts = await testApp().db.rows<{ total_amount: number }>(
      'select total_amount from orders where order_no = any($1) order by total_amount',
      [cards],
    );
    expect(amounts.map((one) => one.total_amount)).toEqual([500, 700, 700, 700, 700]);
    await testApp().post('business/add', {
      ...{ company: 'Day & Co', contact: '王芳', phone: '13900001111', type: 'wholesale', content: '批量采购' },
    });

    // Suppliers deliver by themselves; what people deliver waits, the oldest first.
    await serveSuppliers(testApp().context);
    const waiting = ((await seller().get('queue')).data as Queue).orders.filter((one) => all.includes(one.order_no));
    expect(waiting.map((one: QueueOrder) => one.order_no).sort()).toEqual([...manual, ...proxy].sort());
    const [soldOut = '', ...rest] = waiting.map((one) => one.order_no);
    for (const order_no of rest) {
      expect((await seller().post('queue/take', { order_no })).code).toBe(200);
      expect((await seller().post('queue/deliver', { order_no, note: 'topped up' })).code).toBe(200);
    }
    await seller().post('queue/take', { order_no: soldOut });
    const refusal = { order_no: soldOut, reason: 'sold out', key: randomNumber() };
    expect((await seller().post('queue/refund', refusal)).data).toMatchObject({ state: 'done', amount: '20.00' });

    // The shopper of a code asks for the money back; who has the money finds the order by its number.
    const [card = ''] = cards;
    expect((await people[0]?.post('order/refundApply', { order_no: card, reason: '买错了' }))?.code).toBe(200);
    const found = (await (money as StaffMember).get(`find?q=${card}`)).data.orders;
    expect(found).toMatchObject([{ order_no: card, refunded: '0.00' }]);
    const refund = { order_no: card, target: 'wallet', reason: 'bought by mistake', key: randomNumber() };
    expect((await (money as StaffMember).post('refunds', refund)).data.state).toBe('done');

    const [enquiry] = (await seller().get('enquiries')).data.filter(
      (one: { company: string }) => one.company === 'Day & Co',
    );
    expect((await seller().post('enquiries/close', { id: enquiry.id, answer: 'sent the price list' })).code).toBe(200);

    const states = await testApp().db.rows<{ status: number; count: number }>(
      'select status, count(*) as count from orders where order_no = any($1) group by status order by status',
      [all],
    );
    expect(states).toEqual([
      { status: 30, count: 18 },
      { status: 60, count: 2 },
    ]);
    expect(((await seller().get('queue')).data as Queue).orders.filter((one) => all.includes(one.order_no))).toEqual(
      [],
    );
    const [after] = ((await (money as StaffMember).get(span())).data as Figures).totals;
    expect((after?.orders ?? 0) - (before?.orders ?? 0)).toBe(20);
    const sold = await testApp().db.one<{ paid: number; refunded: number }>(
      'select sum(total_amount)::bigint as paid, sum(refunded_amount)::bigint as refunded from orders where order_no = any($1)',
      [all],
    );
    expect([minor(after?.sales) - minor(before?.sales), minor(after?.refunds) - minor(before?.refunds)]).toEqual([
      sold.paid,
      sold.refunded,
    ]);
    expect(await acts(seller())).toMatchObject({
      'order.take': 10,
      'order.deliver': 9,
      'order.refund': 1,
      'enquiry.close': 1,
    });
    expect(await acts(keeper())).toMatchObject({
      'codes.import': 1,
      'price-change.add': 1,
      'goods.edit': 1,
      'coupon.edit': 1,
    });
    expect(await acts(money as StaffMember)).toMatchObject({ 'order.refund': 1 });
    await testApp().check();
  });
});

const minor = (text = '0') => Number(text.replace('.', ''));
const span = () => {
  const day = new Date().toISOString().slice(0, 10);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  return `figures?from=${day}&to=${tomorrow}`;
};
