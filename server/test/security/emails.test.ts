import { ErrorCode } from '@shop/shared/domain';
import { type Challenge, leadingZeroBits } from '@shop/shared/domain/challenge';
import { createUser } from '../../src/accounts/auth/auth.service';
import { exportFile } from '../../src/accounts/privacy/export.service';
import { sha256 } from '../../src/platform/crypto/tokens';
import { mailboxOf } from '../../src/platform/emails/email';
import { MailServer } from '../support/doubles/mail-server';
import { onEveryDatabase, Person } from '../support/test-app';
import { workOf } from '../support/work-of';

let serial = 0;
/** Each test has its own. */
const newEmail = (name = 'ann') => `${name}${++serial}@mail.example`;
const network = () => `10.40.${serial >> 8}.${serial & 255}`;

onEveryDatabase('sign-in by e-mail', (testApp) => {
  const db = () => testApp().db;
  const send = (email: string, over: object = {}, address = network()) =>
    testApp().post('app/send_code', { email, ...over }, { address, locale: 'en' });
  const minuteLater = (email: string) =>
    db().run("update code_sends set at = at - interval '61 seconds' where phone = $1", [mailboxOf(email)]);
  const codeFor = async (email: string, scene = 'login') => {
    await minuteLater(email);
    expect((await send(email, { scene })).code).toBe(200);
    return testApp().mailedCode(email);
  };
  const login = (body: object, address = network()) => testApp().post('app/login', body, { address, locale: 'en' });
  const byCode = (email: string, verify: string, address?: string) =>
    login({ email, login_type: 'verify', verify }, address);
  const infoOf = async (token: string) => (await testApp().get('user/info', { token })).data;
  /** Somebody who has just signed in for the first time. */
  async function newPerson(email: string): Promise<Person> {
    const { data } = await byCode(email, await codeFor(email));
    const { id } = await infoOf(data.access_token);
    return new Person(testApp(), id, '', data.access_token);
  }
  const give = (person: Person, amount: number) =>
    db().one("select wallet_post($1, 'CNY', 1, $2, 0, 'adjustment', null, null, null, '', 'test')", [
      person.id,
      amount,
    ]);

  it('registers, signs in by code and by password, resets the password, and is one account however it is spelled', async () => {
    const email = newEmail();
    const spelled = ` ${email.toUpperCase()} `;
    expect((await send(spelled)).code).toBe(200);
    const body = { email: spelled, password: 'longenough1', verify: await testApp().mailedCode(email) };
    const registered = await testApp().post('app/register', body, { locale: 'en' });
    expect(registered.code).toBe(200);
    const profile = await infoOf(registered.data.access_token);
    // The profile's address is another thing, and stays empty; the name, which others may see, tells nothing of the address.
    expect(profile).toMatchObject({ phone: '', sign_in_email: email, email: '', has_password: true });
    expect(profile.nickname).not.toContain('ann');

    const byPassword = await login({ email, login_type: 'password', password: 'longenough1' });
    expect((await infoOf(byPassword.data.access_token)).id).toBe(profile.id);
    const again = await byCode(spelled, await codeFor(email));
    expect((await infoOf(again.data.access_token)).id).toBe(profile.id);
    const reset = { email: spelled, verify: await codeFor(email, 'password'), password: 'another-one' };
    expect((await testApp().post('app/setPassword', reset)).code).toBe(200);
    expect((await login({ email, login_type: 'password', password: 'another-one' })).code).toBe(200);
    expect(await db().rows('select id from users where sign_in_email ilike $1', [email])).toEqual([{ id: profile.id }]);
    const twice = { ...body, verify: await codeFor(email) };
    expect((await testApp().post('app/register', twice)).code).toBe(ErrorCode.PhoneAlreadyRegistered);
  });

  it('makes one account of many first sign-ins at once', async () => {
    const email = newEmail();
    const code = await codeFor(email);
    const answers = await Promise.all(
      [email, email.toUpperCase(), ` ${email}`, email].map((one, index) => byCode(one, code, `10.41.0.${index}`)),
    );
    expect(answers.filter((answer) => answer.code === 200)).toHaveLength(1);
    expect(await db().rows('select 1 from users where sign_in_email = $1', [email])).toHaveLength(1);
    // Nor would two codes that are right at the same time make two.
    const other = newEmail();
    const made = await Promise.all([1, 2, 3, 4].map(() => createUser(db(), { signInEmail: other })));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await db().rows('select 1 from users where sign_in_email = $1', [other])).toHaveLength(1);
  });

  it.each([
    ['neither', {}, 'phone'],
    ['both', { phone: '13900000001', email: 'ann@mail.example' }, 'email'],
    ['a name beside it', { email: 'Ann <ann@mail.example>' }, 'email'],
    ['two addresses', { email: 'ann@mail.example,eve@mail.example' }, 'email'],
    ['another line', { email: 'ann@mail.example\r\nBcc: eve@mail.example' }, 'email'],
    ['a zero byte', { email: 'ann\0@mail.example' }, 'email'],
    ['letters of another script', { email: 'аnn@mail.example' }, 'email'],
    ['no domain', { email: 'ann@localhost' }, 'email'],
    ['a phone in its place', { email: '13900000001' }, 'email'],
    ['an address in place of a phone', { phone: 'ann@mail.example' }, 'phone'],
    ['too many letters', { email: `${'a'.repeat(60)}@${'mail.'.repeat(40)}example` }, 'email'],
    ['a list', { email: ['ann@mail.example'] }, 'email'],
  ])('refuses %s at the field, in all calls that take it, and sends nothing', async (_what, given, field) => {
    const sent = (await db().rows('select 1 from dev_mails')).length;
    const calls: Array<[string, object]> = [
      ['send_code', {}],
      ['login', { login_type: 'password', password: 'x' }],
      ['login', { login_type: 'verify', verify: '123456' }],
      ['register', { password: 'longenough1', verify: '123456' }],
      ['setPassword', { password: 'longenough1', verify: '123456' }],
    ];
    for (const [call, rest] of calls) {
      const answer = await testApp().post(`app/${call}`, { ...given, ...rest }, { locale: 'en' });
      expect([call, answer]).toMatchObject([
        call,
        { code: ErrorCode.InvalidInput, data: { errors: { [field]: expect.any(String) } } },
      ]);
    }
    expect((await db().rows('select 1 from dev_mails')).length).toBe(sent);
  });

  it('takes a code at its address only, and for its purpose only', async () => {
    const [email, other] = [newEmail(), newEmail('eve')];
    const person = await testApp().person();
    const code = await codeFor(email);
    const tagged = email.replace('@', '+shop@');
    for (const one of [{ email: other }, { email: tagged }, { phone: person.phone }])
      expect((await login({ ...one, login_type: 'verify', verify: code })).code).toBe(ErrorCode.WrongVerificationCode);
    const password = { email, verify: code, password: 'a-new-password' };
    expect((await testApp().post('app/setPassword', password)).code).toBe(ErrorCode.WrongVerificationCode);
    // Nor does the code of a phone anything for an address.
    await testApp().post('app/send_code', { phone: person.phone }, { address: network() });
    const ofPhone = await testApp().sentCode(person.phone);
    if (ofPhone !== code) expect((await byCode(email, ofPhone)).code).toBe(ErrorCode.WrongVerificationCode);
    expect((await byCode(email, code)).code).toBe(200);
    expect((await byCode(email, code)).code).toBe(ErrorCode.VerificationCodeUsedUp);
    expect(await db().rows('select 1 from users where sign_in_email = any ($1)', [[other, tagged]])).toEqual([]);
  });

  it('is not the address of a profile: that one signs nobody in, and the other cannot be changed with it', async () => {
    const email = newEmail();
    const person = await testApp().person(0, 'right-password');
    expect((await person.post('user/info', { email })).code).toBe(200);
    expect((await login({ email, login_type: 'password', password: 'right-password' })).code).toBe(
      ErrorCode.WrongCredentials,
    );
    const stranger = await newPerson(email);
    expect(stranger.id).not.toBe(person.id);
    // Its code proves nothing for whose profile names the address.
    const verify = await codeFor(email, 'account');
    expect((await person.post('user/export', { verify })).code).toBe(ErrorCode.WrongVerificationCode);
    expect((await stranger.post('user/info', { sign_in_email: newEmail() })).code).toBe(ErrorCode.InvalidInput);
    await expect(db().run('update users set phone = $2 where id = $1', [stranger.id, '13911112222'])).rejects.toThrow(
      /users_one_identifier/,
    );
  });

  describe('its limits', () => {
    it('are one code a minute and ten a day for a mailbox, whatever the tags, dots, purposes and networks', async () => {
      const email = newEmail('an.n');
      const spellings = [0, 1, 2, 3].map(
        (index) =>
          [email, email.replace('@', `+${index}@`), email.replace('an.n', 'ann'), email.toUpperCase()][index] as string,
      );
      const burst = await Promise.all(spellings.map((one, index) => send(one, {}, `10.42.0.${index}`)));
      expect(burst.map(({ code }) => code).sort()).toEqual([200, 42901, 42901, 42901]);
      const late = burst.find(({ code }) => code === 42901);
      expect(late).toMatchObject({ status: 429, data: { retry_after: expect.any(Number) } });
      expect(late?.message).toMatch(/^Too many attempts\. Try again in \d+ seconds\.$/);
      const day: number[] = [];
      for (let index = 0; index < 11; index++) {
        await minuteLater(email);
        const scene = ['login', 'cards', 'wallet', 'password'][index % 4];
        day.push((await send(spellings[index % 4] as string, { scene }, `10.42.1.${index}`)).code);
      }
      expect(day).toEqual([...Array(9).fill(200), 42901, 42901]);
    });

    it('are twenty an hour for a network without a challenge, together with those of phones', async () => {
      const codes: number[] = [];
      for (let index = 0; index < 22; index++) codes.push((await send(newEmail(), {}, '10.43.0.1')).code);
      expect(codes).toEqual([...Array(20).fill(200), ErrorCode.ChallengeRequired, ErrorCode.ChallengeRequired]);
      const phone = await testApp().post('app/send_code', { phone: '13955550001' }, { address: '10.43.0.1' });
      expect(phone.code).toBe(ErrorCode.ChallengeRequired);
    });

    it('burn a code after five wrong tries and lock a network out after five wrong passwords, alike without an account', async () => {
      const email = newEmail();
      await newPerson(email);
      const answers = [];
      for (const one of [email, newEmail('nobody')]) {
        const code = await codeFor(one);
        const wrong = code === '000000' ? '111111' : '000000';
        const tries: number[] = [];
        for (let index = 0; index < 6; index++) tries.push((await byCode(one, wrong, `10.44.${index}.1`)).code);
        expect((await byCode(one, code, '10.44.9.1')).code).toBe(ErrorCode.VerificationCodeUsedUp);
        for (let index = 0; index < 6; index++) {
          const spelled = index % 2 ? one.toUpperCase() : one;
          const body = { email: spelled, login_type: 'password', password: 'wrong' };
          tries.push((await login(body, `10.45.0.${answers.length + 1}`)).code);
        }
        answers.push(tries);
      }
      expect(answers[0]).toEqual([
        ...[41002, 41002, 41002, 41002, 41004, 41004],
        ...[...Array(5).fill(ErrorCode.WrongCredentials), ErrorCode.TooManyRequests],
      ]);
      expect(answers[1]).toEqual(answers[0]);
    });

    it('answers a known and an unknown address alike, with the same work, and never with the code', async () => {
      const email = newEmail();
      await newPerson(email);
      await minuteLater(email);
      const answers = [];
      for (const one of [email, newEmail('nobody')]) {
        let sent = await send(newEmail());
        const sending = await workOf(async () => (sent = await send(one)));
        expect(sent.text).not.toContain(await testApp().mailedCode(one));
        const { code, data, message } = sent;
        const guessing = await workOf(() => login({ email: one, login_type: 'password', password: 'wrong' }));
        answers.push({ code, data, message, sending, guessing });
      }
      expect(answers[1]).toEqual(answers[0]);
    });
  });

  it('buys, reads codes, pays on a new device, sets a password, exports and closes, with codes by mail as the only proof', async () => {
    await testApp().addStock(5);
    const email = newEmail();
    const person = await newPerson(email);
    await give(person, 10_000);
    const order = await person.bought();
    // Just signed in: the session shows what it has bought.
    expect((await person.post('order/cards', { order_no: order })).data.cards).toHaveLength(1);
    await db().run("update sessions set fresh_until = now() - interval '1 second' where user_id = $1", [person.id]);
    const cards = (proof: object, who = person) => who.post('order/cards', { order_no: order, ...proof });
    expect((await cards({})).code).toBe(ErrorCode.VerificationRequired);
    const someCode = await codeFor(newEmail('eve'), 'cards');
    expect((await cards({ verify: someCode })).code).toBe(ErrorCode.WrongVerificationCode);
    expect((await cards({ verify: await codeFor(email, 'cards') })).data.cards).toHaveLength(1);

    const verify = await codeFor(email, 'password');
    expect((await person.post('app/setPassword', { verify, password: 'right-password' })).code).toBe(200);
    const { data } = await login({ email, login_type: 'password', password: 'right-password' });
    const elsewhere = new Person(testApp(), person.id, '', data.access_token);
    const { data: unpaid } = await elsewhere.order({ coupon: 'none' });
    expect(await elsewhere.pay(unpaid.order_no)).toMatchObject({
      code: ErrorCode.WalletProofRequired,
      data: { reason: 'device', proofs: ['verify'] },
    });
    const proof = { verify: await codeFor(email, 'wallet') };
    expect((await elsewhere.post('payment/proof', proof)).code).toBe(200);
    expect((await elsewhere.pay(unpaid.order_no)).code).toBe(200);

    const asked = await elsewhere.post('user/export', { verify: await codeFor(email, 'account') });
    const file = JSON.parse((await testApp().get(asked.data.url as string)).text);
    expect(file.profile).toEqual([expect.objectContaining({ phone: null, sign_in_email: email, email: '' })]);
    await db().one("select wallet_post($1, 'CNY', 3, -8000, 0, 'adjustment', null, null, null, '', 'test')", [
      person.id,
    ]);
    const closing = await elsewhere.post('user/closure', { verify: await codeFor(email, 'account') });
    expect([closing.code, closing.message]).toEqual([200, expect.any(String)]);
    await testApp().check();
  });

  it('is masked in the log of what was refused', async () => {
    const email = newEmail('jennifer');
    await newPerson(email);
    await login({ email, login_type: 'password', password: 'wrong' });
    await byCode(email, '000000');
    const rows = await db().rows<{ subject: string; user_id: number | null }>(
      "select subject, user_id from audit_log where action = 'session.refuse' order by id desc limit 2",
    );
    const { id } = await db().one<{ id: number }>('select id from users where sign_in_email = $1', [email]);
    expect(rows).toEqual(Array(2).fill({ subject: 'je***@mail.example', user_id: id }));
  });

  it('is erased with its account, with what was sent, refused and asked under it, and is free for a new one', async () => {
    // Letters that are wildcards of LIKE: what others have stays.
    const email = newEmail('j%_a.b+tag');
    const other = email.replace('%', 'x');
    const person = await newPerson(email);
    await newPerson(other);
    for (const one of [email, other]) await login({ email: one, login_type: 'password', password: 'wrong' });
    const enquiry = { company: 'c', contact: 'c', type: 't', phone: '010-5555555', email: email.toUpperCase() };
    expect((await testApp().post('business/add', { ...enquiry, content: 'asked by its owner' })).code).toBe(200);
    await db().run(
      "insert into audit_log (actor, action, subject, detail, user_id) values ('ann (staff)', 'wallet.adjust', $1, $2, $3)",
      [email, JSON.stringify({ told: `wrote to ${email}` }), person.id],
    );
    let text = '';
    for await (const part of exportFile(testApp().context, person.id)) text += part;
    const [asked] = JSON.parse(text).enquiries;
    expect(asked).toMatchObject({ content: 'asked by its owner', phone: null });

    const rowsOf = async (one: string) => {
      const masked = one.replace(/^(..).*(@.*)$/, '$1***$2');
      const { id } = (await db().row<{ id: number }>('select id from users where sign_in_email = $1', [one])) ?? {
        id: person.id,
      };
      const counts: Record<string, number> = {};
      for (const [table, where] of [
        ['users', 'sign_in_email = $1'],
        ['verification_codes', 'phone = $1'],
        ['code_sends', 'phone = $2'],
        ['dev_mails', 'recipient = $1'],
        ['rate_limits', "position('guess:' || $1 in key) > 0"],
        ['business_enquiries', 'lower(email) = $1'],
        ['audit_log', 'user_id = $4 and (position($1 in subject || detail::text) > 0 or position($3 in subject) > 0)'],
      ] as const)
        counts[table] = (
          await db().rows(
            `select 1 from ${table} where ${where} and num_nonnulls($1::text, $2::text, $3::text, $4::bigint) > 0`,
            [one, mailboxOf(one), masked, id],
          )
        ).length;
      return counts;
    };
    const before = await rowsOf(other);
    expect(Object.entries(await rowsOf(email)).filter(([, count]) => count === 0)).toEqual([]);
    await db().run("select account_erase($1::bigint, 'gone-' || $1::text, 'test', '')", [person.id]);
    expect(Object.entries(await rowsOf(email)).filter(([, count]) => count > 0)).toEqual([]);
    expect(await rowsOf(other)).toEqual(before);
    const again = await newPerson(email);
    expect(again.id).not.toBe(person.id);
  });
});

onEveryDatabase(
  'a shop that sends few mails a day',
  (testApp) => {
    it('asks for a solved challenge from 80 % on, sends no more than them, and as ever to phones', async () => {
      const codes: number[] = [];
      for (let index = 0; index < 6; index++) {
        const email = newEmail();
        const address = `10.46.${index}.1`;
        let answer = await testApp().post('app/send_code', { email }, { address });
        if (answer.code === ErrorCode.ChallengeRequired) {
          const { challenge, bits } = answer.data as Challenge;
          let attempt = 0;
          while (leadingZeroBits(sha256(`${challenge}:${attempt}`)) < bits) attempt++;
          const headers = { 'x-challenge': challenge, 'x-challenge-solution': String(attempt) };
          codes.push(answer.code);
          answer = await testApp().post('app/send_code', { email }, { address, headers });
        }
        codes.push(answer.code);
      }
      expect(codes).toEqual([...[200, 200, 200, 200, ErrorCode.ChallengeRequired, 200], ErrorCode.TooManyRequests]);
      const { code } = await testApp().post('app/send_code', { phone: '13900008888' }, { address: '10.46.9.1' });
      expect(code).toBe(200);
    });
  },
  () => ({ CODE_MAIL_DAILY_BUDGET: '5' }),
);

onEveryDatabase(
  'a shop without mail',
  (testApp) => {
    it('says so at the field, makes no account by it, and does not offer it', async () => {
      expect((await testApp().get('app/config')).data).not.toHaveProperty('email_sign_in');
      const refused = { code: ErrorCode.InvalidInput, data: { errors: { email: 'We don’t send codes by email yet' } } };
      const email = newEmail();
      expect(await testApp().post('app/send_code', { email }, { locale: 'en' })).toMatchObject(refused);
      const body = { email, password: 'longenough1', verify: '123456' };
      expect(await testApp().post('app/register', body, { locale: 'en' })).toMatchObject(refused);
      const login = { email, login_type: 'password', password: 'wrong' };
      expect((await testApp().post('app/login', login)).code).toBe(ErrorCode.WrongCredentials);
    });
  },
  () => ({ MAIL: 'none' }),
);

describe('a code by SMTP', () => {
  const server = new MailServer();
  beforeAll(() => server.start());
  afterAll(() => server.close());
  afterEach(() => {
    Object.assign(server, { recipients: undefined });
    server.received.length = 0;
  });

  onEveryDatabase(
    'through a mail server',
    (testApp) => {
      it('is one mail in the reader’s language with the code, that nothing typed stands in', async () => {
        expect((await testApp().get('app/config')).data.email_sign_in).toBe(true);
        const email = newEmail();
        const sent = await testApp().post('app/send_code', { email: ` ${email.toUpperCase()}` }, { locale: 'en' });
        expect(sent.data).toEqual({ expires_in: 300, resend_after: 60 });
        expect(server.received).toHaveLength(1);
        const [mail] = server.received;
        expect(mail).toMatchObject({ to: [email], headers: { 'content-language': 'en', to: email } });
        const [, code = ''] = /^(\d{6}) is your verification code$/.exec(mail?.subject ?? '') ?? [];
        expect(mail?.text).toContain(`Your verification code is ${code}. It is valid for 5 minutes.`);
        const login = { email, login_type: 'verify', verify: code };
        expect((await testApp().post('app/login', login)).code).toBe(200);
      });

      it('that the server refuses is 41011, does not count for the mailbox, and leaves no code', async () => {
        server.recipients = { status: 550, message: 'no such user' };
        const email = newEmail();
        const refused = await testApp().post('app/send_code', { email }, { locale: 'en' });
        expect(refused).toMatchObject({ code: ErrorCode.SmsNotSent, message: expect.stringContaining('The code') });
        expect(await testApp().db.rows('select 1 from code_sends where phone = $1', [mailboxOf(email)])).toEqual([]);
        const codes = 'select used from verification_codes where phone = $1';
        expect(await testApp().db.rows(codes, [email])).toEqual([{ used: true }]);
        server.recipients = undefined;
        expect((await testApp().post('app/send_code', { email })).code).toBe(200);
        expect(server.received).toHaveLength(1);
      });
    },
    () => ({ ...server.env(), MAIL: 'smtp', PUBLIC_URL: 'https://shop.example' }),
  );
});
