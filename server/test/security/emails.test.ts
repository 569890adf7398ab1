import { ErrorCode } from '@shop/shared/domain';
import { mailboxOf } from '../../src/platform/emails/email';
import { MailServer } from '../support/doubles/mail-server';
import { onEveryDatabase, User } from '../support/test-app';
import { withDouble } from '../support/with-double';

let serial = 0;
const newEmail = (name = 'ann') => `${name}${++serial}@mail.example`;
const network = () => `10.40.${serial >> 8}.${serial & 255}`;

onEveryDatabase('sign-in by email', (testApp) => {
  const db = () => testApp().db;
  const codeFor = async (email: string, scene = 'login') => {
    await testApp().nextCode(mailboxOf(email));
    const sent = await testApp().post('app/send_code', { email, scene }, { address: network(), locale: 'en' });
    expect(sent.code).toBe(200);
    return testApp().mailedCode(email);
  };
  const login = (body: object) => testApp().post('app/login', body, { address: network(), locale: 'en' });
  async function newUser(email: string): Promise<User> {
    const { access_token: token } = (await login({ email, login_type: 'verify', verify: await codeFor(email) })).data;
    return new User(testApp(), (await testApp().get('user/info', { token })).data.id, '', token);
  }

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

  it('a user with email sign-in can buy, read codes, pay on a new device, set a password, export and close with codes by mail', async () => {
    await testApp().addStock(5);
    const email = newEmail();
    const user = await newUser(email);
    await user.give(10_000);
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
    await user.give(-8000);
    const closing = await elsewhere.post('user/closure', { verify: await codeFor(email, 'account') });
    expect([closing.code, closing.message]).toEqual([200, expect.any(String)]);
    await testApp().check();
  });
});

withDouble('code by SMTP', new MailServer(), (testApp, server) => {
  afterEach(() => server.reset());

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
});
