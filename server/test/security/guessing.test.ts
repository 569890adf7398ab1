import { json } from 'node:stream/consumers';
import { ErrorCode } from '@shop/shared/domain';
import { maskIdentifier } from '@shop/shared/domain/mask-phone';
import { createUser } from '../../src/accounts/auth/auth.service';
import { hashPassword } from '../../src/accounts/auth/passwords';
import { exportFile } from '../../src/accounts/privacy/export.service';
import { openSession } from '../../src/accounts/sessions/sessions.service';
import { mailboxOf } from '../../src/platform/emails/email';
import { onEveryDatabase, type TestApp } from '../support/test-app';
import { tracesOf } from '../support/traces';
import { workOf } from '../support/work-of';

let serial = 0;
const network = (last = 1) => `10.${40 + (serial >> 8)}.${serial & 255}.${last}`;

const phone = {
  field: 'phone',
  next: () => `1375${String(++serial).padStart(7, '0')}`,
  spellings: (value: string) => [value, `+86${value}`, `0086 ${value}`, ` +86 ${value}`],
  sameLimit: (value: string) => [value, `+86${value}`, `0086 ${value}`, ` +86 ${value}`],
  limitOf: (value: string) => value,
  code: (testApp: TestApp, value: string) => testApp.sentCode(value),
  user: (value: string) => ({ phone: value }),
  column: 'phone',
  profile: (value: string) => ({ phone: value, sign_in_email: '' }),
  pair: () => [`+1415555${2000 + ++serial}`, `+1415555${2000 + ++serial}`],
  enquiry: (value: string) => ({ phone: value.replace(/^\+1(...)(...)(....)$/, '+1 ($1) $2-$3') }),
  refused: ['+86 10 6552 9988', 'ann@mail.example'],
};
const email: typeof phone = {
  field: 'email',
  next: () => `an.n${++serial}@mail.example`,
  spellings: (value) => [value, value.toUpperCase(), ` ${value}`, value],
  sameLimit: (value) => [value, value.replace('@', '+tag@'), value.replace('an.n', 'ann'), value.toUpperCase()],
  limitOf: (value) => value.replace('an.n', 'ann'),
  code: (testApp, value) => testApp.mailedCode(value),
  user: (value) => ({ signInEmail: value }) as never,
  column: 'sign_in_email',
  profile: (value) => ({ phone: '', sign_in_email: value, email: '' }) as never,
  /** The addresses contain wildcards of LIKE, and fit the same pattern. */
  pair: () => [`j%_a.b+${++serial}@mail.example`, `jx_a.b+${serial}@mail.example`],
  enquiry: (value) => ({ phone: '010-5555555', email: value.toUpperCase() }),
  refused: ['Ann <ann@mail.example>', '13900000001'],
};

describe.each([phone, email])('sign-in by $field', ({ field, ...identifier }) => {
  onEveryDatabase('its codes and passwords', (testApp) => {
    const { next } = identifier;
    const db = () => testApp().db;
    const send = (value: string, address = network(), scene?: string) =>
      testApp().post('app/send_code', { [field]: value, scene }, { address, locale: 'en' });
    const minuteLater = (value: string) => testApp().nextCode(identifier.limitOf(value));
    const codeOf = (value: string) => identifier.code(testApp(), value);
    const codeFor = async (value: string, scene = 'login') => {
      await minuteLater(value);
      expect((await send(value, network(), scene)).code).toBe(200);
      return codeOf(value);
    };
    const byCode = (value: string, verify: string, address = network()) =>
      testApp().post('app/login', { [field]: value, login_type: 'verify', verify }, { address, locale: 'en' });
    const byPassword = (value: string, password = 'wrong', address = network()) =>
      testApp().post('app/login', { [field]: value, login_type: 'password', password }, { address, locale: 'en' });
    const accounts = (value: string) => db().rows(`select 1 from users where ${identifier.column} = $1`, [value]);
    const member = async (passwordHash?: string) => {
      const value = next();
      const account = await createUser(db(), { ...identifier.user(value), passwordHash });
      const visitor = { address: network(9), userAgent: '', device: null };
      if (account) await openSession(db(), account, visitor, 'code');
      return value;
    };

    it('an identifier registers, signs in by code and password, and resets the password, as one account in any spelling', async () => {
      const value = next();
      const [, second = '', third = '', fourth = ''] = identifier.spellings(value);
      expect((await send(second)).code).toBe(200);
      const body = { [field]: third, password: 'longenough1', verify: await codeOf(value) };
      const registered = await testApp().post('app/register', body);
      const infoOf = async (token: string) => (await testApp().get('user/info', { token })).data;
      const profile = await infoOf(registered.data.access_token);
      expect(profile).toMatchObject({ ...identifier.profile(value), has_password: true });
      expect(profile.nickname).not.toContain(value.split('@')[0]);
      const answers = [await byPassword(fourth, 'longenough1'), await byCode(second, await codeFor(value))];
      for (const { data } of answers) expect((await infoOf(data.access_token)).id).toBe(profile.id);
      const reset = { [field]: fourth, verify: await codeFor(value, 'password'), password: 'another-one' };
      expect((await testApp().post('app/setPassword', reset)).code).toBe(200);
      expect((await byPassword(value, 'another-one')).code).toBe(200);
      expect(await accounts(value)).toHaveLength(1);
      const repeated = { ...body, verify: await codeFor(value) };
      expect((await testApp().post('app/register', repeated)).code).toBe(ErrorCode.PhoneAlreadyRegistered);
    });

    it('many concurrent first sign-ins create one account', async () => {
      const value = next();
      const code = await codeFor(value);
      const answers = await Promise.all(
        identifier.spellings(value).map((spelling, index) => byCode(spelling, code, network(index + 1))),
      );
      expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1);
      expect(await accounts(value)).toHaveLength(1);
      const otherValue = next();
      const made = await Promise.all([1, 2, 3, 4].map(() => createUser(db(), identifier.user(otherValue))));
      expect(made.filter(Boolean)).toHaveLength(1);
    });

    const errorsOf = async (body: object) => {
      const calls: Array<[call: string, rest: object]> = [
        ['send_code', {}],
        ['login', { login_type: 'password', password: 'x' }],
        ['login', { login_type: 'verify', verify: '123456' }],
        ['register', { password: 'longenough1', verify: '123456' }],
        ['setPassword', { password: 'longenough1', verify: '123456' }],
      ];
      const answers = [];
      for (const [call, rest] of calls) answers.push(await testApp().post(`app/${call}`, { ...body, ...rest }));
      expect(answers.map(({ code }) => code)).toEqual(Array(5).fill(ErrorCode.InvalidInput));
      return answers.map(({ data }) => data.errors);
    };

    it.each([
      ['a body without phone and email', {}, 'phone'],
      ['a body with phone and email', { phone: '13900000001', email: 'ann@mail.example' }, 'email'],
      ['a list', { [field]: ['13900000001', 'ann@mail.example'] }, field],
    ])('all calls refuse %s at the field', async (_what, body, name) => {
      expect(await errorsOf(body)).toEqual(Array(5).fill({ [name]: expect.any(String) }));
    });

    it.each(identifier.refused)('all calls refuse %j at its field, and send nothing', async (value) => {
      const sends = async () => (await db().rows('select 1 from code_sends')).length;
      const before = await sends();
      expect(await errorsOf({ [field]: value })).toEqual(Array(5).fill({ [field]: expect.any(String) }));
      expect(await sends()).toBe(before);
    });

    it('a code is valid only for its phone or address, and for its purpose', async () => {
      const value = next();
      const code = await codeFor(value);
      const others = [{ email: `eve${serial}@mail.example` }, { phone: (await testApp().user()).phone }];
      for (const otherTarget of [...others, ...(field === 'email' ? [{ email: value.replace('@', '+tag@') }] : [])]) {
        const body = { ...otherTarget, login_type: 'verify', verify: code };
        expect((await testApp().post('app/login', body)).code).toBe(ErrorCode.WrongVerificationCode);
      }
      const password = { [field]: value, verify: code, password: 'a-new-password' };
      expect((await testApp().post('app/setPassword', password)).code).toBe(ErrorCode.WrongVerificationCode);
      expect((await byCode(value, code)).code).toBe(200);
    });

    it('a code is invalid after five wrong attempts, and after one use', async () => {
      const [sent, used, none] = [next(), next(), next()];
      const code = await codeFor(sent);
      const usedCode = await codeFor(used);
      expect((await byCode(used, usedCode)).code).toBe(200);
      expect((await byCode(used, usedCode)).code).toBe(ErrorCode.VerificationCodeUsedUp);
      await db().run('delete from verification_codes where phone = $1', [used]);
      for (const value of [sent, used, none]) {
        const wrong = value === sent && code === '000000' ? '111111' : '000000';
        const tries: number[] = [];
        for (let index = 0; index < 6; index++) tries.push((await byCode(value, wrong, network(index + 1))).code);
        expect(tries).toEqual([41002, 41002, 41002, 41002, 41004, 41004]);
      }
      expect((await byCode(sent, code)).code).toBe(ErrorCode.VerificationCodeUsedUp);
    });

    it('one identifier gets one code a minute and ten a day for all its spellings, purposes and networks', async () => {
      const value = next();
      const spellings = identifier.sameLimit(value);
      const burst = await Promise.all(spellings.map((spelling, index) => send(spelling, network(index + 1))));
      expect(burst.map(({ code }) => code).sort()).toEqual([200, 42901, 42901, 42901]);
      const late = burst.find(({ code }) => code === 42901);
      expect(late).toMatchObject({ status: 429, data: { retry_after: expect.any(Number) } });
      expect(late?.headers['retry-after']).toBe(String(late?.data.retry_after));
      expect(late?.message).toBe(`Too many attempts. Try again in ${late?.data.retry_after} seconds.`);
      const day: number[] = [];
      for (let index = 0; index < 11; index++) {
        await minuteLater(value);
        const scene = ['login', 'cards', 'wallet', 'password'][index % 4];
        day.push((await send(spellings[index % 4] as string, network(index + 5), scene)).code);
      }
      expect(day).toEqual([...Array(9).fill(200), 42901, 42901]);
    });

    it('one identifier gets another code after ten a day once the first of them is a day old', async () => {
      const value = next();
      for (let hour = 14; hour <= 23; hour++)
        await db().run(
          "insert into code_sends (phone, address, at) values ($1, '', clock_timestamp() - make_interval(hours => $2))",
          [identifier.limitOf(value), hour],
        );
      const refused = await send(value);
      expect(refused.message).toBe('Too many attempts. Try again in 60 minutes.');
      await db().run("update code_sends set at = at - interval '1 hour' where phone = $1", [identifier.limitOf(value)]);
      expect((await send(value)).code).toBe(200);
    });

    it('known and unknown identifiers cause the same work, so that neither response nor time distinguishes them', async () => {
      const members = [await member(await hashPassword('right-password')), await member()];
      const owners = network(9);
      const body = (value: string, rest: object) => ({ [field]: value, ...rest });
      const calls: Array<[string, object]> = [
        ['send_code', {}],
        ['login', { login_type: 'verify', verify: '000000' }],
        ['login', { login_type: 'password', password: 'wrong-password' }],
        ['register', { password: 'new-password-1', verify: '000000' }],
        ['setPassword', { password: 'new-password-1', verify: '000000' }],
      ];
      // The first sign-in of a process computes the decoy hash.
      await byPassword(next());
      for (const [call, rest] of calls) {
        const answers = [];
        for (const value of [next(), ...members]) {
          let answer = await testApp().post('app/config', {});
          const work = await workOf(async () => {
            answer = await testApp().post(`app/${call}`, body(value, rest), { address: owners });
          });
          if (call === 'send_code') expect(answer.text).not.toContain(await codeOf(value));
          answers.push({ call, code: answer.code, data: answer.data, message: answer.message, ...work });
        }
        expect(answers[0]?.statements.length).toBeGreaterThan(0);
        expect(answers[0]?.hashes).toBe('login_type' in rest && rest.login_type === 'password' ? 1 : 0);
        expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
      }
    });

    it('password guessing is limited without locking the owner out', async () => {
      const value = await member(await hashPassword('right-password'));
      const owners = network(9);
      const stranger = network(1);
      const unknown = next();
      for (const login of [value, unknown]) {
        const guesses: number[] = [];
        for (let index = 0; index < 6; index++)
          guesses.push((await byPassword(identifier.spellings(login)[index % 4] as string, 'wrong', stranger)).code);
        expect(guesses).toEqual([...Array(5).fill(ErrorCode.WrongCredentials), ErrorCode.TooManyRequests]);
        const late = await byPassword(login, 'wrong', stranger);
        expect(late.message).toBe('Too many attempts. Try again in 15 minutes.');
        expect(Object.keys(late.data)).toEqual(['retry_after']);
      }
      for (let address = 2; address < 12; address++)
        for (let index = 0; index < 4; index++) await byPassword(value, 'wrong', `10.4.${serial & 255}.${address}`);
      expect((await byPassword(value, 'right-password', '10.4.255.1')).code).toBe(ErrorCode.TooManyRequests);
      expect((await byPassword(value, 'right-password', owners)).code).toBe(200);
    });

    it('an identifier is erased with its account and every record about it, and is free for a new account', async () => {
      const [value = '', similar = ''] = identifier.pair();
      const textsOf = (owner: string) => {
        const { phone, email } = identifier.enquiry(owner) as { phone: string; email?: string };
        return email ? [owner, mailboxOf(owner), email] : [owner, phone];
      };
      const signIn = async (owner: string) => {
        const { data } = await byCode(owner, await codeFor(owner));
        return (await testApp().get('user/info', { token: data.access_token })).data.id as number;
      };
      const enquiry = { company: 'c', contact: 'c', type: 't', content: 'asked by its owner' };
      const [id = 0] = [await signIn(value), await signIn(similar)];
      for (const owner of [value, similar]) {
        await byPassword(owner);
        const asked = await testApp().post('business/add', { ...enquiry, ...identifier.enquiry(owner) });
        expect(asked.code).toBe(200);
      }
      await db().run(
        "insert into audit_log (actor, action, subject, detail, user_id) values ('ann (staff)', 'wallet.adjust', $1, $2, $3)",
        [value, JSON.stringify({ note: `called ${value}` }), id],
      );
      const exported = await json(exportFile(testApp().context, id));
      expect(exported).toMatchObject({ enquiries: [{ content: 'asked by its owner' }] });

      const masked = [maskIdentifier(value)];
      const tables = ['users', 'verification_codes', 'code_sends', 'rate_limits', 'business_enquiries', 'audit_log'];
      const outbox = field === 'phone' ? 'dev_outbox' : 'dev_mails';
      const found = (await tracesOf(db(), textsOf(value))).map((trace) => trace.split(':')[0]);
      expect(found).toEqual(expect.arrayContaining([...tables, outbox]));
      expect(await tracesOf(db(), masked, id)).toContain(`audit_log: ${masked}`);
      const ofSimilar = await tracesOf(db(), textsOf(similar));
      await db().run("select account_erase($1::bigint, 'gone-' || $1::text, 'test', '')", [id]);
      expect(await tracesOf(db(), textsOf(value))).toEqual([]);
      expect(await tracesOf(db(), masked, id)).toEqual([]);
      expect(await tracesOf(db(), textsOf(similar))).toEqual(ofSimilar);
      expect(await signIn(value)).not.toBe(id);
    });
  });
});

describe.each([
  [{ MAIL: 'none' }, { email: 'ann@mail.example' }, /^We don’t send codes by email yet$/, { email_sign_in: undefined }],
  [{ PHONE_COUNTRIES: 'CN,US' }, { phone: '+447400123456' }, /country/, { phone_countries: ['CN', 'US'] }],
])('shop with %j', (env, identifier, why, offered) => {
  onEveryDatabase(
    'its codes',
    (testApp) => {
      it('a shop that sends no codes to an identifier refuses it at the field, and creates no account', async () => {
        const { email_sign_in, phone_countries } = (await testApp().get('app/config')).data;
        expect({ email_sign_in, phone_countries }).toMatchObject(offered);
        const calls = { send_code: {}, register: { password: 'longenough1', verify: '123456' } };
        const errors = { [Object.keys(identifier)[0] as string]: expect.stringMatching(why) };
        for (const [call, rest] of Object.entries(calls)) {
          const answer = await testApp().post(`app/${call}`, { ...identifier, ...rest }, { locale: 'en' });
          expect([call, answer]).toMatchObject([call, { code: ErrorCode.InvalidInput, data: { errors } }]);
        }
        const login = { ...identifier, login_type: 'password', password: 'wrong' };
        expect((await testApp().post('app/login', login)).code).toBe(ErrorCode.WrongCredentials);
      });
    },
    () => env,
  );
});
