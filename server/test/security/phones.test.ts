import { ErrorCode } from '@shop/shared/domain';
import { onEveryDatabase } from '../support/test-app';

let serial = 0;
/** Of San Francisco; each test has its own. */
const american = () => `+1415555${String(2000 + ++serial)}`;

onEveryDatabase('phones of other countries', (testApp) => {
  const send = (phone: string, address = `10.30.${serial}.1`) =>
    testApp().post('app/send_code', { phone }, { address, locale: 'en' });
  const signIn = (phone: string, verify: string) =>
    testApp().post('app/login', { phone, login_type: 'verify', verify }, { address: `10.31.${serial}.1` });
  const idOf = async (token: string) => (await testApp().get('user/info', { token })).data;

  it('register, sign in by code and by password, and have one account however they are spelled', async () => {
    const number = american();
    const spelled = number.replace(/^\+1(...)(...)(....)$/, '001 ($1) $2-$3');
    expect((await send(number)).code).toBe(200);
    const body = { phone: spelled, password: 'longenough1', verify: await testApp().sentCode(number) };
    const registered = await testApp().post('app/register', body);
    expect(registered.code).toBe(200);
    const profile = await idOf(registered.data.access_token);
    expect(profile).toMatchObject({ phone: number });

    const byPassword = { phone: ` ${number} `, login_type: 'password', password: 'longenough1' };
    expect((await idOf((await testApp().post('app/login', byPassword)).data.access_token)).id).toBe(profile.id);
    await testApp().db.run("update code_sends set at = at - interval '61 seconds' where phone = $1", [number]);
    expect((await send(spelled)).code).toBe(200);
    const again = await signIn(number, await testApp().sentCode(number));
    expect((await idOf(again.data.access_token)).id).toBe(profile.id);

    await testApp().db.run("update code_sends set at = at - interval '61 seconds' where phone = $1", [number]);
    await testApp().post('app/send_code', { phone: number, scene: 'password' });
    const reset = { phone: spelled, verify: await testApp().sentCode(number), password: 'another-one' };
    expect((await testApp().post('app/setPassword', reset)).code).toBe(200);
    const { rows } = { rows: await testApp().db.rows('select 1 from users where phone = $1', [number]) };
    expect(rows).toHaveLength(1);
  });

  it('a mainland number with +86 is the one of eleven digits, for its account and its limits', async () => {
    const person = await testApp().person(0, 'right-password');
    const login = { phone: `+86 ${person.phone}`, login_type: 'password', password: 'right-password' };
    const { data } = await testApp().post('app/login', login);
    expect(await idOf(data.access_token)).toMatchObject({ id: person.id, phone: person.phone });
    expect((await send(`+86${person.phone}`)).code).toBe(200);
    expect((await send(person.phone)).code).toBe(ErrorCode.TooManyRequests);
    const wrong = (phone: string, address: string) =>
      testApp().post('app/login', { phone, login_type: 'password', password: 'wrong' }, { address });
    const tries: number[] = [];
    for (const prefix of ['', '+86', '0086', '+86 ', '', '+86'])
      tries.push((await wrong(`${prefix}${person.phone}`, '10.32.0.1')).code);
    expect(tries).toEqual([...Array(5).fill(ErrorCode.WrongCredentials), ErrorCode.TooManyRequests]);
  });

  it.each(['4155552671', '+1 415 555', '+86 10 6552 9988', '+1 900 555 0100', '+881612345678', 'phone', ''])(
    'refuses %j at its field, in all calls that take a phone',
    async (phone) => {
      const calls: Array<[string, object]> = [
        ['send_code', {}],
        ['login', { login_type: 'password', password: 'x' }],
        ['register', { password: 'longenough1', verify: '123456' }],
        ['setPassword', { password: 'longenough1', verify: '123456' }],
      ];
      for (const [call, rest] of calls) {
        const answer = await testApp().post(`app/${call}`, { phone, ...rest }, { locale: 'en' });
        expect(answer).toMatchObject({ code: ErrorCode.InvalidInput, data: { errors: { phone: expect.any(String) } } });
      }
    },
  );

  it('say how long to wait, in the header, in the answer and in words', async () => {
    const number = american();
    await send(number);
    const answer = await send(number);
    expect(answer).toMatchObject({ status: 429, code: ErrorCode.TooManyRequests });
    const seconds = answer.data.retry_after;
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(answer.headers['retry-after']).toBe(String(seconds));
    expect(answer.message).toBe(`Too many attempts. Try again in ${seconds} seconds.`);
    // The tenth message of the day: until the first of them is a day old.
    for (let hour = 1; hour <= 9; hour++)
      await testApp().db.run(
        "insert into code_sends (phone, address, at) values ($1, '', clock_timestamp() - make_interval(hours => $2))",
        [number, hour],
      );
    const day = await send(number);
    expect(day.message).toBe('Too many attempts. Try again in 15 hours.');
    expect(day.data.retry_after).toBeGreaterThan(14.9 * 3600);
  });

  it('says after five wrong passwords in how many minutes the next one is taken, alike without an account', async () => {
    const person = await testApp().person(0, 'right-password');
    const answers = [];
    for (const phone of [person.phone, american()]) {
      const guess = () =>
        testApp().post(
          'app/login',
          { phone, login_type: 'password', password: 'wrong' },
          { address: '10.33.0.1', locale: 'en' },
        );
      for (let index = 0; index < 5; index++) await guess();
      const { message, data } = await guess();
      answers.push({ message, keys: Object.keys(data) });
    }
    expect(answers[0]).toEqual({ message: 'Too many attempts. Try again in 15 minutes.', keys: ['retry_after'] });
    expect(answers[1]).toEqual(answers[0]);
  });

  it('leaves no whole number in the log of what was refused', async () => {
    const number = american();
    await testApp().post('app/login', { phone: number, login_type: 'password', password: 'wrong' });
    const rows = await testApp().db.rows<{ subject: string }>(
      "select subject from audit_log where action = 'session.refuse' order by id desc limit 1",
    );
    expect(rows).toEqual([{ subject: `+14****${number.slice(-4)}` }]);
  });

  it('are erased with their account, with what was refused and asked under them in any spelling', async () => {
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
  'a shop that takes phones of some countries',
  (testApp) => {
    const send = (phone: string, address: string) =>
      testApp().post('app/send_code', { phone }, { address, locale: 'en' });

    it('names them, and refuses others at the field where a code would be sent or an account made', async () => {
      expect((await testApp().get('app/config')).data.phone_countries).toEqual(['CN', 'US']);
      const refused = { code: ErrorCode.InvalidInput, data: { errors: { phone: expect.stringContaining('country') } } };
      expect(await send('+447400123456', '10.34.0.1')).toMatchObject(refused);
      const body = { phone: '+447400123456', password: 'longenough1', verify: '123456' };
      expect(await testApp().post('app/register', body, { locale: 'en' })).toMatchObject(refused);
      const login = { phone: '+447400123456', login_type: 'password', password: 'wrong' };
      expect((await testApp().post('app/login', login)).code).toBe(ErrorCode.WrongCredentials);
    });

    it('sends no more than the day’s messages to one country, whatever the networks, and as ever to the mainland', async () => {
      const codes: number[] = [];
      for (let index = 0; index < 6; index++) codes.push((await send(american(), `10.35.${index}.1`)).code);
      // From 80 % on a message needs a solved challenge; without one none is sent.
      expect(codes).toEqual([...Array(4).fill(200), ErrorCode.ChallengeRequired, ErrorCode.ChallengeRequired]);
      await testApp().db.run("update rate_limits set hits = 5 where key = 'code:US'");
      const refused = await send(american(), '10.35.9.1');
      expect(refused).toMatchObject({ code: ErrorCode.TooManyRequests, data: { retry_after: expect.any(Number) } });
      expect((await send('13900007777', '10.35.9.2')).code).toBe(200);
    });
  },
  () => ({ PHONE_COUNTRIES: 'CN,US', SMS_COUNTRY_DAILY_BUDGET: '5' }),
);
