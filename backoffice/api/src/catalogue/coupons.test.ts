import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { times } from '@shop/server/test/support/times';
import { withStaff } from '../testing/staff';
import type { StaffCoupon, StaffListedCoupon } from '../wire';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const value = (over: Partial<StaffCoupon> = {}): StaffCoupon => ({
  name: { 'zh-CN': '满十减二', en: '2 off 10' },
  coupon_type: 10,
  percent: 0,
  amounts: { CNY: { reduce_price: '2.00', min_price: '10.00' }, USD: null },
  expire_type: 10,
  expire_day: 7,
  start_time: null,
  end_time: null,
  goods: [],
  total: null,
  offer: true,
  redeem_code: '',
  for_invitation: false,
  claim_from: null,
  claim_until: null,
  ...over,
});

onEveryDatabase('coupons at /staff', (testApp) => {
  const stock = withStaff(testApp, 'stock');
  let keys = 0;
  const save = (key: string, coupon: StaffCoupon, revision?: string) => stock.save('coupons', key, coupon, revision);
  const make = async (over: Partial<StaffCoupon> = {}) => {
    const key = `made-${++keys}`;
    const made = await save(key, value(over));
    expect(made.message).toBe('OK');
    const id = await testApp().db.value<number>('select id from coupons where key = $1', [key]);
    return { key, id, ...(made.data as { revision: string; value: StaffCoupon }) };
  };
  const listed = async (key: string) =>
    ((await stock.get('coupons')).data as StaffListedCoupon[]).find((coupon) => coupon.key === key);

  it('a coupon is claimed and used as staff defined it, and the console counts both', async () => {
    const { key, id } = await make({ goods: ['card'], total: 5 });
    await testApp().addStock(1);
    const user = await testApp().user(10_000);
    expect((await user.post('coupon/receive', { coupon_id: id })).data).toMatchObject([
      { name: '满十减二', reduce_price: '2.00', min_price: '10.00', items: [{ goods_id: testApp().goods.card.id }] },
    ]);
    expect(await listed(key)).toMatchObject({ state: 'open', claimed: 1, used: 0 });
    const order = await user.order({ coupon: 'best' });
    expect((await user.pay(order.data.order_no)).code).toBe(200);
    expect((await user.info(order.data.order_no)).data).toMatchObject({ total_amount: '8.00' });
    expect(await listed(key)).toMatchObject({ claimed: 1, used: 1, value: { goods: ['card'] } });
    await testApp().check();
  });

  it('inviters get one coupon at a time: the newest choice replaces the previous coupon', async () => {
    const user = await testApp().user();
    const before = await make({ for_invitation: true });
    expect((await user.get('user/invite', { locale: 'en' })).data).toMatchObject({ coupon: '2 off 10' });
    const after = await make({ name: { 'zh-CN': '新券', en: 'New' }, for_invitation: true });
    expect((await user.get('user/invite', { locale: 'en' })).data).toMatchObject({ coupon: 'New' });
    expect(await listed(before.key)).toMatchObject({ value: { for_invitation: false } });
    await save(after.key, { ...after.value, for_invitation: false }, after.revision);
    expect((await user.get('user/invite')).code).toBe(404);
  });

  it('a percentage coupon applies in its currencies only', async () => {
    const { id } = await make({
      coupon_type: 20,
      percent: 85,
      amounts: { CNY: { reduce_price: '', min_price: '5' }, USD: null },
      redeem_code: ' ｓａｖｅ15 ',
      offer: false,
    });
    await testApp().addStock(1);
    const user = await testApp().user(10_000);
    expect((await user.post('coupon/receiveByCode', { code: 'save15' })).data).toMatchObject([
      { id, discount: 8.5, reduce_price: '0.00', min_price: '5.00' },
    ]);
    const order = { goods_id: testApp().goods.card.id, spec_id: testApp().spec('card'), quantity: 1, coupon: 'best' };
    expect((await user.post('order/preview', order)).data).toMatchObject({ coupon_discount: '1.50' });
    const { data } = await user.post('order/preview', order, { currency: 'USD' });
    expect(data).toMatchObject({ coupon_discount: '0.00', unavailable: [{ id }] });
    expect((await save('twice', value({ redeem_code: 'SAVE15' }))).code).toBe(46042);
  });

  it('a coupon cannot be claimed outside its period or above its total, even by many shoppers at once', async () => {
    const early = await make({ claim_from: inDays(1) });
    const late = await make({ claim_from: inDays(-2), claim_until: inDays(-1) });
    const few = await make({ total: 2 });
    const people = await times(5, () => testApp().user());
    const claim = (id: number) => Promise.all(people.map((user) => user.post('coupon/receive', { coupon_id: id })));
    expect((await claim(early.id)).map(({ code }) => code)).toEqual(people.map(() => 44003));
    expect((await claim(late.id)).map(({ code }) => code)).toEqual(people.map(() => 44003));
    expect((await claim(few.id)).map(({ code }) => code).sort()).toEqual([200, 200, 44002, 44002, 44002]);
    const states = await Promise.all([early, late, few].map(async ({ key }) => (await listed(key))?.state));
    expect(states).toEqual(['waiting', 'ended', 'gone']);
  });

  it('a coupon keeps its terms once a shopper has claimed it, and stays valid for that shopper when its claims end', async () => {
    const made = await make();
    const USD = { reduce_price: '1.00', min_price: '0.00' };
    const wider = { ...made.value, amounts: { ...made.value.amounts, USD } };
    const second = await save(made.key, wider, made.revision);
    expect(second.data.value.amounts.USD).toEqual(USD);
    const [holder, other] = [await testApp().user(10_000), await testApp().user()];
    for (const user of [holder, other]) await user.post('coupon/receive', { coupon_id: made.id });
    const { revision, value: current } = second.data;
    expect((await save(made.key, { ...current, expire_day: 1 }, revision)).code).toBe(46040);
    expect((await save(made.key, { ...current, goods: ['card'] }, revision)).code).toBe(46040);
    const fewer = await save(made.key, { ...current, total: 1 }, revision);
    expect(fewer).toMatchObject({ code: 46041, data: { claimed: 2 } });
    const renamed = { ...current, name: { 'zh-CN': '新名字', en: 'New name' }, total: 2 };
    const saved = await save(made.key, renamed, revision);
    expect(saved.data.value).toEqual(renamed);
    await save(made.key, { ...renamed, claim_until: inDays(-0.001) }, saved.data.revision);
    await testApp().addStock(1);
    const [claimed] = (await holder.get('coupon/getUserCouponList?status=1')).data;
    expect(await holder.bought({ user_coupon_id: claimed.user_coupon_id })).toEqual(expect.any(String));
  });

  it('an invalid coupon is refused with its faulty fields, and nothing is saved', async () => {
    const wrong: Array<[Partial<StaffCoupon>, string[]]> = [
      [{ name: { 'zh-CN': ' ', en: 'x' } }, ['name.zh-CN']],
      [{ amounts: { CNY: null, USD: null } }, ['amounts']],
      [{ amounts: { CNY: { reduce_price: '0.00', min_price: '0.00' }, USD: null } }, ['amounts']],
      [{ coupon_type: 20 }, ['percent']],
      [{ expire_day: 0 }, ['expire_day']],
      [{ expire_type: 20, start_time: inDays(2), end_time: inDays(1) }, ['end_time']],
      [{ expire_type: 20 }, ['start_time', 'end_time']],
      [{ claim_from: '2026-99-01T00:00:00.000Z' }, ['claim_from']],
      [{ claim_from: inDays(2), claim_until: inDays(1) }, ['claim_until']],
    ];
    for (const [over, fields] of wrong) {
      const { code, data } = await save('wrong', value(over));
      expect([over, code, Object.keys(data.errors)]).toEqual([over, 40001, fields.map((field) => `value.${field}`)]);
    }
    expect((await save('wrong', value({ goods: ['unknown'] }))).code).toBe(46043);
    expect(await listed('wrong')).toBeUndefined();
  });
});
