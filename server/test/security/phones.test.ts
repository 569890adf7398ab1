import { ErrorCode } from '@shop/shared/domain';
import { onEveryDatabase } from '../support/test-app';

let serial = 0;
const american = () => `+1415555${String(2000 + ++serial)}`;

onEveryDatabase('foreign phones', (testApp) => {
  const send = (phone: string, address = `10.30.${serial}.1`) =>
    testApp().post('app/send_code', { phone }, { address, locale: 'en' });
  const signIn = (phone: string, verify: string) =>
    testApp().post('app/login', { phone, login_type: 'verify', verify }, { address: `10.31.${serial}.1` });
  const idOf = async (token: string) => (await testApp().get('user/info', { token })).data;

  it('a foreign phone gets another message after ten a day once the first of them is a day old', async () => {
    const number = american();
    await send(number);
    for (let hour = 1; hour <= 9; hour++)
      await testApp().db.run(
        "insert into code_sends (phone, address, at) values ($1, '', clock_timestamp() - make_interval(hours => $2))",
        [number, hour],
      );
    const day = await send(number);
    expect(day.message).toBe('Too many attempts. Try again in 15 hours.');
    expect(day.data.retry_after).toBeGreaterThan(14.9 * 3600);
  });

  it('a foreign phone is erased with its account, including records of refusals in any spelling', async () => {
    const number = american();
    await send(number);
    const { data } = await signIn(number, await testApp().sentCode(number));
    const { id } = await idOf(data.access_token);
    await testApp().post('app/login', { phone: number, login_type: 'password', password: 'wrong' });
    const enquiry = { company: 'c', contact: 'c', type: 't', content: 'asked by the owner of the number' };
    const spelled = number.replace(/^\+1(...)(...)(....)$/, '+1 ($1) $2-$3');
    expect((await testApp().post('business/add', { ...enquiry, phone: spelled })).code).toBe(200);
    const erased = `select account_erase($1::bigint, 'gone-' || $1::text, 'test', '')`;
    await testApp().db.run(erased, [id]);
    for (const [table, text] of [
      ['users', 'phone'],
      ['code_sends', 'phone'],
      ['dev_outbox', 'phone'],
      ['rate_limits', 'key'],
      ['business_enquiries', 'phone'],
      ['audit_log', 'subject || detail::text'],
    ]) {
      const rows = await testApp().db.rows(
        `select 1 from ${table} where ${text} like any (array[$1, '%' || $1 || '%', $2]) ${table === 'audit_log' ? 'and user_id = $3' : 'and ($3::bigint is not null)'}`,
        [table === 'audit_log' ? `+14****${number.slice(-4)}` : number, spelled, id],
      );
      expect([table, rows]).toEqual([table, []]);
    }
  });
});

onEveryDatabase(
  'shop with selected phone countries',
  (testApp) => {
    const send = (phone: string, address: string) =>
      testApp().post('app/send_code', { phone }, { address, locale: 'en' });

    it('a shop with selected countries lists them, and refuses other phones at the field before sending or registering', async () => {
      expect((await testApp().get('app/config')).data.phone_countries).toEqual(['CN', 'US']);
      const refused = { code: ErrorCode.InvalidInput, data: { errors: { phone: expect.stringContaining('country') } } };
      expect(await send('+447400123456', '10.34.0.1')).toMatchObject(refused);
      const body = { phone: '+447400123456', password: 'longenough1', verify: '123456' };
      expect(await testApp().post('app/register', body, { locale: 'en' })).toMatchObject(refused);
      const login = { phone: '+447400123456', login_type: 'password', password: 'wrong' };
      expect((await testApp().post('app/login', login)).code).toBe(ErrorCode.WrongCredentials);
    });

    it('one country gets at most its daily messages, from any networks, and the mainland is not affected', async () => {
      const codes: number[] = [];
      for (let index = 0; index < 6; index++) codes.push((await send(american(), `10.35.${index}.1`)).code);
      expect(codes).toEqual([...Array(4).fill(200), ErrorCode.ChallengeRequired, ErrorCode.ChallengeRequired]);
      await testApp().db.run("update rate_limits set hits = 5 where key = 'code:US'");
      const refused = await send(american(), '10.35.9.1');
      expect(refused).toMatchObject({ code: ErrorCode.TooManyRequests, data: { retry_after: expect.any(Number) } });
      expect((await send('13900007777', '10.35.9.2')).code).toBe(200);
    });
  },
  () => ({ PHONE_COUNTRIES: 'CN,US', SMS_COUNTRY_DAILY_BUDGET: '5' }),
);
