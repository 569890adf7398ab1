import { ErrorCode } from '@shop/shared/domain';
import { onEveryDatabase, type User } from '../../../test/support/test-app';
import { saveConfig } from '../../content/content.service';

onEveryDatabase('a recharge', (testApp) => {
  afterEach(() => testApp().check());
  const usd = { currency: 'USD' };
  const open = (user: User, amount: string, options = {}) =>
    user.post('recharge/create', { amount, method: 'sandbox' }, options);
  const pay = (paymentNo: string) =>
    testApp().post(`/cashier/${paymentNo}`, 'action=pay', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  const recharged = async (user: User, amount: string, options = {}): Promise<string> => {
    const { data } = await open(user, amount, options);
    await pay(data.payment_no);
    return data.recharge_no;
  };
  const optionsFor = async (user: User, options = {}) => (await user.get('recharge/options', options)).data;
  const list = async (user: User, query = '', options = {}) => (await user.get(`recharge/list${query}`, options)).data;
  const setBounds = (value: object) => saveConfig(testApp().db, 'recharge', value);
  beforeEach(() => testApp().db.run("delete from app_config where key = 'recharge'"));
  afterAll(() => testApp().db.run("delete from app_config where key = 'recharge'"));

  it('recharge options offer the amounts of the currency within its bounds', async () => {
    const user = await testApp().user();
    expect(await optionsFor(user)).toEqual({
      currency: 'CNY',
      amounts: ['10.00', '50.00', '100.00', '200.00', '500.00', '1000.00'],
      min: '1.00',
      max: '10000.00',
      day_left: '50000.00',
    });
    expect(await optionsFor(user, usd)).toEqual({
      currency: 'USD',
      amounts: ['5.00', '10.00', '20.00', '50.00', '100.00', '200.00'],
      min: '1.00',
      max: '2000.00',
      day_left: '10000.00',
    });
  });

  it('recharge bounds set by staff apply to their currency only', async () => {
    const user = await testApp().user();
    await setBounds({ CNY: { options: ['3.00'], min: '2.00', max: '4.00' } });
    expect(await optionsFor(user)).toEqual({
      currency: 'CNY',
      amounts: ['3.00'],
      min: '2.00',
      max: '4.00',
      day_left: '20.00',
    });
    expect(await optionsFor(user, usd)).toMatchObject({ max: '2000.00' });
    const codes: number[] = [];
    for (const amount of ['1.99', '2.00', '4.00', '4.01']) codes.push((await open(user, amount)).code);
    const refused = ErrorCode.RechargeAmountNotAllowed;
    expect(codes).toEqual([refused, 200, 200, refused]);
  });

  it('a recharge beyond the daily limit is refused to the cent until a day has passed', async () => {
    const user = await testApp().user();
    await setBounds({ CNY: { options: [], min: '1.00', max: '4.00' }, USD: { options: [], min: '1.00', max: '9.00' } });
    await recharged(user, '9.00', usd);
    for (const amount of ['4.00', '4.00', '4.00', '4.00']) await recharged(user, amount);
    expect([(await optionsFor(user)).day_left, (await optionsFor(user, usd)).day_left]).toEqual(['4.00', '36.00']);
    const { data: whole } = await open(user, '3.00');
    expect((await open(user, '1.01')).code).toBe(ErrorCode.RechargeAmountNotAllowed);
    expect((await open(user, '1.00')).code).toBe(200);
    await pay(whole.payment_no);
    expect((await optionsFor(user)).day_left).toBe('0.00');
    await setBounds({ CNY: { options: [], min: '1.00', max: '2.00' } });
    expect((await optionsFor(user)).day_left).toBe('0.00');
    await testApp().db.run("update recharges set paid_at = paid_at - interval '1 day' where user_id = $1", [user.id]);
    expect((await optionsFor(user)).day_left).toBe('9.00');
    expect((await open(user, '2.00')).code).toBe(200);
  });

  it('a user reads an own recharge with its payment and what went back, and no one else does', async () => {
    const [user, other] = [await testApp().user(), await testApp().user()];
    const { data } = await open(user, '10.00');
    const info = async (viewer: User) => viewer.get(`recharge/info?recharge_no=${data.recharge_no}`, usd);
    const recharge = { recharge_no: data.recharge_no, amount: '10.00', currency: 'CNY', method: 'sandbox' };
    expect((await info(user)).data).toMatchObject({ ...recharge, state: 'pending', paid_at: null, payment_no: null });
    await pay(data.payment_no);
    await testApp().db.run(
      "insert into provider_refunds (payment_id, provider_id, amount) select id, 'r-1', 250 from payments where payment_no = $1",
      [data.payment_no],
    );
    const paid = { state: 'paid', payment_no: data.payment_no, refunded_amount: '2.50', paid_at: expect.any(String) };
    expect((await info(user)).data).toEqual({ ...recharge, ...paid, created_at: expect.any(String) });
    expect((await info(other)).code).toBe(ErrorCode.NotFound);
  });

  it('a recharge is open for half an hour, and a user has at most five open in all currencies', async () => {
    const user = await testApp().user();
    const { data } = await open(user, '10.00');
    const minutes = (Date.parse(data.expire_at) - Date.now()) / 60_000;
    expect([data.amount, data.currency, Math.round(minutes)]).toEqual(['10.00', 'CNY', 30]);
    const rest = await Promise.all([usd, {}, usd, {}, usd, {}].map((options) => open(user, '10.00', options)));
    const refused = [ErrorCode.TooManyOpenRecharges, ErrorCode.TooManyOpenRecharges];
    expect(rest.map(({ code }) => code).sort()).toEqual([200, 200, 200, 200, ...refused]);
    await pay(data.payment_no);
    expect((await open(user, '10.00')).code).toBe(200);
    await testApp().db.run('update recharges set expire_at = now() where user_id = $1', [user.id]);
    for (let index = 0; index < 5; index++) expect((await open(user, '10.00')).code).toBe(200);
  });

  it('the recharge list shows the user’s recharges of the currency, newest first, in pages, with their state', async () => {
    const [user, other] = [await testApp().user(), await testApp().user()];
    await recharged(other, '10.00');
    await recharged(user, '20.00', usd);
    const paid = await recharged(user, '30.00');
    const { data: late } = await open(user, '40.00');
    await testApp().db.run('update recharges set expire_at = now() where recharge_no = $1', [late.recharge_no]);
    const { data: waiting } = await open(user, '50.00');
    expect(await list(user)).toEqual({
      total: 3,
      page: 1,
      limit: 20,
      has_more: false,
      list: [
        [waiting.recharge_no, '50.00', 'pending', null],
        [late.recharge_no, '40.00', 'closed', null],
        [paid, '30.00', 'paid', expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/)],
      ].map(([recharge_no, amount, state, paid_at]) => ({
        recharge_no,
        amount,
        state,
        paid_at,
        currency: 'CNY',
        method: 'sandbox',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      })),
    });
    const second = await list(user, '?limit=2&page=2');
    expect(second).toMatchObject({ list: [{ recharge_no: paid }], total: 3, page: 2, limit: 2, has_more: false });
    expect((await list(user, '?limit=2')).has_more).toBe(true);
    expect((await list(user, '', usd)).list).toMatchObject([{ amount: '20.00' }]);
    expect(await list(await testApp().user())).toMatchObject({ list: [], total: 0, has_more: false });
  });
});
