import { ErrorCode } from '@shop/shared/domain';
import { type Challenge, leadingZeroBits } from '@shop/shared/domain/challenge';
import { exportFile } from '../../src/accounts/privacy/export.service';
import { sha256 } from '../../src/platform/crypto/tokens';
import { mailboxOf } from '../../src/platform/emails/email';
import { MailServer } from '../support/doubles/mail-server';
import { onEveryDatabase, User } from '../support/test-app';

let serial = 0;
const newEmail = (name = 'ann') => `${name}${++serial}@mail.example`;
const network = () => `10.40.${serial >> 8}.${serial & 255}`;

onEveryDatabase('sign-in by email', (testApp) => {
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
  async function newUser(email: string): Promise<User> {
    const { data } = await byCode(email, await codeFor(email));
    const { id } = await infoOf(data.access_token);
    return new User(testApp(), id, '', data.access_token);
  }
  const give = (user: User, amount: number) =>
    db().one("select wallet_post($1, 'CNY', 1, $2, 0, 'adjustment', null, null, null, '', 'test')", [user.id, amount]);

  it.each([
    ['a body without phone and email', {}, 'phone'],
    ['a body with phone and email', { phone: '13900000001', email: 'ann@mail.example' }, 'email'],
    ['a list of emails', { email: ['ann@mail.example'] }, 'email'],
  ])('sign-in by email refuses %s at the field in all calls, and sends nothing', async (_what, body, field) => {
    const sent = (await db().rows('select 1 from dev_mails')).length;
    const calls: Array<[string, object]> = [
      ['send_code', {}],
      ['login', { login_type: 'password', password: 'x' }],
      ['login', { login_type: 'verify', verify: '123456' }],
      ['register', { password: 'longenough1', verify: '123456' }],
      ['setPassword', { password: 'longenough1', verify: '123456' }],
    ];
    for (const [call, rest] of calls) {
      const answer = await testApp().post(`app/${call}`, { ...body, ...rest }, { locale: 'en' });
      expect([call, answer]).toMatchObject([
        call,
        { code: ErrorCode.InvalidInput, data: { errors: { [field]: expect.any(String) } } },
      ]);
    }
    expect((await db().rows('select 1 from dev_mails')).length).toBe(sent);
  });

  it('the email address of a profile does not sign in, and the sign-in address cannot be changed with it', async () => {
    const email = newEmail();
    const user = await testApp().user(0, 'right-password');
    expect((await user.post('user/info', { email })).code).toBe(200);
    expect((await login({ email, login_type: 'password', password: 'right-password' })).code).toBe(
      ErrorCode.WrongCredentials,
    );
    const stranger = await newUser(email);
    expect(stranger.id).not.toBe(user.id);
    const verify = await codeFor(email, 'account');
    expect((await user.post('user/export', { verify })).code).toBe(ErrorCode.WrongVerificationCode);
    expect((await stranger.post('user/info', { sign_in_email: newEmail() })).code).toBe(ErrorCode.InvalidInput);
    await expect(db().run('update users set phone = $2 where id = $1', [stranger.id, '13911112222'])).rejects.toThrow(
      /users_one_identifier/,
    );
  });

  it('emails and phones share a network’s limit of twenty codes an hour without a challenge', async () => {
    const codes: number[] = [];
    for (let index = 0; index < 22; index++) codes.push((await send(newEmail(), {}, '10.43.0.1')).code);
    expect(codes).toEqual([...Array(20).fill(200), ErrorCode.ChallengeRequired, ErrorCode.ChallengeRequired]);
    const phone = await testApp().post('app/send_code', { phone: '13955550001' }, { address: '10.43.0.1' });
    expect(phone.code).toBe(ErrorCode.ChallengeRequired);
  });

  it('a user with email sign-in can buy, read codes, pay on a new device, set a password, export and close with codes by mail', async () => {
    await testApp().addStock(5);
    const email = newEmail();
    const user = await newUser(email);
    await give(user, 10_000);
    const order = await user.bought();
    expect((await user.post('order/cards', { order_no: order })).data.cards).toHaveLength(1);
    await db().run("update sessions set fresh_until = now() - interval '1 second' where user_id = $1", [user.id]);
    const cards = (proof: object, who = user) => who.post('order/cards', { order_no: order, ...proof });
    expect((await cards({})).code).toBe(ErrorCode.VerificationRequired);
    const someCode = await codeFor(newEmail('eve'), 'cards');
    expect((await cards({ verify: someCode })).code).toBe(ErrorCode.WrongVerificationCode);
    expect((await cards({ verify: await codeFor(email, 'cards') })).data.cards).toHaveLength(1);

    const verify = await codeFor(email, 'password');
    expect((await user.post('app/setPassword', { verify, password: 'right-password' })).code).toBe(200);
    const { data } = await login({ email, login_type: 'password', password: 'right-password' });
    const elsewhere = new User(testApp(), user.id, '', data.access_token);
    const { data: unpaid } = await elsewhere.order({ coupon: 'none' });
    expect(await elsewhere.pay(unpaid.order_no)).toMatchObject({
      code: ErrorCode.WalletProofRequired,
      data: { reason: 'device', proofs: ['verify'] },
    });
    const proof = { verify: await codeFor(email, 'wallet') };
    expect((await elsewhere.post('payment/proof', proof)).code).toBe(200);
    expect((await elsewhere.pay(unpaid.order_no)).code).toBe(200);

    const exported = await elsewhere.post('user/export', { verify: await codeFor(email, 'account') });
    const file = JSON.parse((await testApp().get(exported.data.url as string)).text);
    expect(file.profile).toEqual([expect.objectContaining({ phone: null, sign_in_email: email, email: '' })]);
    await db().one("select wallet_post($1, 'CNY', 3, -8000, 0, 'adjustment', null, null, null, '', 'test')", [user.id]);
    const closing = await elsewhere.post('user/closure', { verify: await codeFor(email, 'account') });
    expect([closing.code, closing.message]).toEqual([200, expect.any(String)]);
    await testApp().check();
  });

  it('a sign-in email is erased with its account and all records about it, and is free for a new one', async () => {
    // The address contains wildcards of LIKE: similar addresses of others must stay.
    const email = newEmail('j%_a.b+tag');
    const otherEmail = email.replace('%', 'x');
    const user = await newUser(email);
    await newUser(otherEmail);
    for (const address of [email, otherEmail])
      await login({ email: address, login_type: 'password', password: 'wrong' });
    const enquiry = { company: 'c', contact: 'c', type: 't', phone: '010-5555555', email: email.toUpperCase() };
    expect((await testApp().post('business/add', { ...enquiry, content: 'asked by its owner' })).code).toBe(200);
    await db().run(
      "insert into audit_log (actor, action, subject, detail, user_id) values ('ann (staff)', 'wallet.adjust', $1, $2, $3)",
      [email, JSON.stringify({ note: `wrote to ${email}` }), user.id],
    );
    let text = '';
    for await (const part of exportFile(testApp().context, user.id)) text += part;
    const [exportedEnquiry] = JSON.parse(text).enquiries;
    expect(exportedEnquiry).toMatchObject({ content: 'asked by its owner', phone: null });

    const rowsOf = async (address: string) => {
      const masked = address.replace(/^(..).*(@.*)$/, '$1***$2');
      const { id } = (await db().row<{ id: number }>('select id from users where sign_in_email = $1', [address])) ?? {
        id: user.id,
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
            [address, mailboxOf(address), masked, id],
          )
        ).length;
      return counts;
    };
    const otherRows = await rowsOf(otherEmail);
    expect(Object.entries(await rowsOf(email)).filter(([, count]) => count === 0)).toEqual([]);
    await db().run("select account_erase($1::bigint, 'gone-' || $1::text, 'test', '')", [user.id]);
    expect(Object.entries(await rowsOf(email)).filter(([, count]) => count > 0)).toEqual([]);
    expect(await rowsOf(otherEmail)).toEqual(otherRows);
    const newAccount = await newUser(email);
    expect(newAccount.id).not.toBe(user.id);
  });
});

onEveryDatabase(
  'daily mail limit',
  (testApp) => {
    it('a daily mail limit requires solved challenges from 80 % on, is never exceeded, and does not affect phones', async () => {
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
  'shop without mail',
  (testApp) => {
    it('a shop without mail refuses an email address at the field, creates no account, and does not offer it', async () => {
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

describe('code by SMTP', () => {
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
      it('a code by SMTP is one mail in the reader’s language, without any text that the user typed', async () => {
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

      it('a code that the mail server refuses returns 41011, does not count for the mailbox, and is not stored', async () => {
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
