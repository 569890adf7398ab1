/** Values of responses that clients rely on (docs/product.md#calls); calls.json protects the fields. */
import { importFile } from '@shop/backoffice/cli/import';
import { addDays, localTime } from '@shop/shared/domain/time-zone';
import { onEveryDatabase } from '../support/test-app';

onEveryDatabase('calls of clients', (testApp) => {
  it.each([
    ['en', '13700000078', 'Player 0078'],
    ['zh-CN', '13700000079', '玩家0079'],
  ])('a first sign-in by code creates a nickname in %s', async (locale, phone, nickname) => {
    const { data } = await testApp().signInByCode(phone, { locale });
    expect((await testApp().get('user/info', { token: data.access_token })).data.nickname).toBe(nickname);
  });

  it('a fixed-amount coupon has its wire values, and lasts for expire_day days from receipt', async () => {
    const user = await testApp().user();
    expect((await user.get('coupon/check')).data).toBeNull();
    const id = await testApp().addCoupon({ name_zh: '满减', reduce: 500, min: 1000, total: 10, offer: true });
    expect((await user.get('coupon/check')).data).toMatchObject({ id });
    const { data } = await user.get('coupon/getCoupon');
    expect(data).toMatchObject({
      id,
      name: '满减',
      coupon_type: 10,
      reduce_price: '5.00',
      min_price: '10.00',
      expire_type: 10,
      expire_day: 7,
      apply_range: 10,
      items: [],
      status: 1,
    });
    const before = Date.now();
    const received = (await user.post('coupon/receive', { coupon_id: id })).data;
    const days = (Date.parse(received[0].end_time) - before) / 86_400_000;
    expect(Math.round(days)).toBe(7);
  });

  it.each(['America/New_York', 'Australia/Sydney', 'Australia/Lord_Howe', 'Asia/Shanghai'])(
    'a coupon of any number of days ends at the same time on a clock in %s',
    async (zone) => {
      testApp().context.config.timeZone = zone;
      for (const days of [60, 120, 180, 240]) {
        const user = await testApp().user();
        const id = await testApp().addCoupon({ expire_day: days });
        const [coupon] = (await user.post('coupon/receive', { coupon_id: id })).data;
        const [start, end] = [coupon.start_time, coupon.end_time].map((time) => localTime(new Date(time), zone));
        expect(end).toBe(`${addDays(start?.slice(0, 10) ?? '', days)}${start?.slice(10)}`);
      }
    },
  );

  it('the app config is available in both spellings', async () => {
    const { data } = await testApp().get('app/config');
    expect(data.customer_qrcode).toBe(data.customerQrcode);
    expect(data.work_time).toBe(data.workTime);
    expect(data.customer_link).toBe(data.customerLink);
  });

  it('an import accepts every stock type and no other', async () => {
    const goods = (stock_type: string) => ({
      key: `stock-${stock_type}`,
      name: { 'zh-CN': '库存', en: 'Stock' },
      category: 'games',
      recharge_type: 2,
      stock_type,
      specs: [{ key: '1', name: { 'zh-CN': '一', en: 'One' }, face_value: '1', prices: { CNY: '1.00' } }],
    });
    const types = ['stock', '91', 'bamboo', 'ezpaypin', 'fulu', 'transport', 'carrypin', 'kkxi'];
    const all = JSON.stringify({ goods: types.map(goods) });
    expect(await importFile(testApp().context, 'x.json', all)).toMatchObject({ goods: 8, faults: [] });
    const unknown = JSON.stringify({ goods: [goods('other')] });
    expect((await importFile(testApp().context, 'x.json', unknown)).faults).not.toEqual([]);
  });
});
