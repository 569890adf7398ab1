import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ErrorCode } from '@shop/shared/domain';
import sharp from 'sharp';
import { AlipayDouble } from '../../test/support/doubles/alipay';
import { GatewayDouble } from '../../test/support/doubles/gateway';
import { S3Double } from '../../test/support/doubles/s3';
import { StripeDouble } from '../../test/support/doubles/stripe';
import { TencentSmsDouble } from '../../test/support/doubles/tencent-sms';
import { WechatOauthDouble } from '../../test/support/doubles/wechat-oauth';
import { WechatPayDouble } from '../../test/support/doubles/wechat-pay';
import type { User } from '../../test/support/test-app';
import { withDouble } from '../../test/support/with-double';
import { removePictures } from '../accounts/uploads/remove-pictures.service';
import { pollSuppliers } from '../suppliers/supplier-offers.service';
import { serveSuppliers } from '../suppliers/suppliers.service';
import { GatewaySupplier } from './gateway-supplier';
import { ProviderRefusal } from './providers';

withDouble('Tencent SMS', new TencentSmsDouble(), (testApp, tencent) => {
  afterEach(() => {
    Object.assign(tencent, { status: 'Ok', fault: '', unreachable: false, losesAnswers: false });
    tencent.refusals.length = 0;
  });
  let phones = 0;
  const phone = () => `1370000${testApp().kind === 'pglite' ? 1 : 2}${String(++phones).padStart(3, '0')}`;
  const send = (number: string, address = '10.2.0.1') =>
    testApp().post('app/send_code', { phone: number, scene: 'login' }, { address, locale: 'en' });
  const signIn = (number: string, verify: string) =>
    testApp().post('app/login', { phone: number, login_type: 'verify', verify });

  it.each([
    ['in the mainland', phone],
    ['abroad in E.164, with its own template', () => (testApp().kind === 'pglite' ? '+14155552671' : '+447400123456')],
  ])('Tencent SMS sends a code %s that signs in, and the development outbox gets none', async (_where, numberOf) => {
    const number = numberOf();
    expect((await send(number)).data).toEqual({ expires_in: 300, resend_after: 60 });
    expect(tencent.refusals).toEqual([]);
    const { code = '' } = tencent.sent.find((message) => message.phone === number) ?? {};
    expect((await signIn(number, code)).data.token_type).toBe('Bearer');
    expect((await testApp().get('/dev/outbox.json')).text).toBe('[]');
  });

  it.each([
    ['a blocked number', () => (tencent.status = 'FailedOperation.PhoneNumberInBlacklist')],
    ['a refused call', () => (tencent.fault = 'AuthFailure.SignatureFailure')],
  ])('Tencent SMS reports %s, and the user may request a code again at once', async (_what, break_) => {
    const number = phone();
    break_();
    expect(await send(number)).toMatchObject({ code: 41011, message: expect.stringContaining('could not be sent') });
    tencent.status = 'Ok';
    tencent.fault = '';
    expect((await send(number)).code).toBe(200);
  });

  it.each(['unreachable', 'losesAnswers'] as const)(
    'Tencent SMS reports an error and counts the code while its fault is "%s", because it may have been sent',
    async (fault) => {
      const number = phone();
      tencent[fault] = true;
      expect((await send(number)).code).toBe(41011);
      tencent[fault] = false;
      expect((await send(number)).code).toBe(42901);
      const sent = tencent.sent.find((message) => message.phone === number);
      if (fault === 'losesAnswers') expect((await signIn(number, sent?.code ?? '')).code).toBe(200);
      else expect(sent).toBeUndefined();
    },
  );

  it('the code requests of one address are limited even while the SMS provider fails', async () => {
    tencent.status = 'LimitExceeded.DeliveryFrequencyLimit';
    const before = tencent.requests;
    const codes: number[] = [];
    for (let count = 0; count < 25; count++) codes.push((await send(phone(), '10.2.0.9')).code);
    expect(codes.filter((code) => code === 41011)).toHaveLength(20);
    expect(codes.slice(20)).toEqual(Array(5).fill(ErrorCode.ChallengeRequired));
    expect(tencent.requests - before).toBe(20);
  });
});

withDouble('WeChat sign-in', new WechatOauthDouble(), (testApp, wechat) => {
  const browser = async () => {
    const { data, headers } = await testApp().get('/api/wechat/wxcode?callback=https://shop.example/user?a=1');
    const address = new URL(data.url);
    return {
      address,
      state: address.searchParams.get('state') ?? '',
      cookie: String(headers['set-cookie']).split(';')[0] ?? '',
      set: String(headers['set-cookie']),
    };
  };
  const authorize = (code: string, { state, cookie }: { state: string; cookie: string }, token?: string) =>
    testApp().get(`app/wechatAuthorize?code=${code}&state=${state}`, { headers: { cookie }, token });
  const idOf = async (token: string) => (await testApp().get('user/info', { token })).data.id as number;
  /** Differs from the other database's users, because the double knows both. */
  const user = (name: string) => `o-${name}-${testApp().kind}`;

  it('WeChat sign-in requests consent at WeChat with an address of the shop', async () => {
    const { address, set } = await browser();
    expect(`${address.origin}${address.pathname}${address.hash}`).toBe(
      'https://open.weixin.qq.com/connect/oauth2/authorize#wechat_redirect',
    );
    expect(Object.fromEntries(address.searchParams)).toMatchObject({
      appid: wechat.appId,
      redirect_uri: 'https://shop.example/user?a=1',
      response_type: 'code',
    });
    expect(set).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
    const plain = await testApp().get('/api/wechat/wxcode?callback=http://shop.example/user');
    expect(plain.code).toBe(40001);
    const relative = await testApp().get('/api/wechat/wxcode?callback=/user', { headers: { host: 'evil.example' } });
    expect(new URL(relative.data.url).searchParams.get('redirect_uri')).toBe('https://shop.example/user');
  });

  it('WeChat sign-in creates one account per user, identified by openid or unionid', async () => {
    const tokens: string[] = [];
    for (const [openid, unionid] of [
      [user('a'), user('u')],
      [user('a'), user('u')],
      [user('other-app'), user('u')],
    ] as const) {
      const { data } = await authorize(wechat.consent(openid, unionid), await browser());
      tokens.push(data.access_token);
    }
    const ids = await Promise.all(tokens.map(idOf));
    expect(new Set(ids).size).toBe(1);
    const codes = [wechat.consent(user('b')), wechat.consent(user('b'))];
    const at_once = await Promise.all(codes.map(async (code) => authorize(code, await browser())));
    expect(new Set(await Promise.all(at_once.map((answer) => idOf(answer.data.access_token)))).size).toBe(1);
  });

  it('WeChat sign-in refuses codes that are used, expired or invented', async () => {
    const used = wechat.consent(user('c'));
    expect((await authorize(used, await browser())).code).toBe(200);
    expect((await authorize(used, await browser())).code).toBe(41002);
    expect((await authorize(wechat.consent(user('c'), undefined, -1), await browser())).code).toBe(41002);
    expect((await authorize('invented', await browser())).code).toBe(41002);
  });

  it('WeChat sign-in fails without detail when WeChat does not respond', async () => {
    wechat.unreachable = true;
    const answer = await authorize(wechat.consent(user('d')), await browser());
    wechat.unreachable = false;
    expect([answer.status, answer.code, answer.text.includes(wechat.appSecret)]).toEqual([500, 50000, false]);
  });
});

withDouble('image uploads to a bucket', new S3Double(), (testApp, s3) => {
  const jpeg = () =>
    sharp({ create: { width: 600, height: 300, channels: 3, background: '#3d4eff' } })
      .withExif({ IFD0: { Artist: 'somebody' } })
      .jpeg()
      .toBuffer();
  const upload = async (user: User, payload: Buffer) => {
    const { data: grant } = await user.get('oss/getStsToken');
    const { relay, ...rest } = grant;
    expect(rest).toMatchObject({ provider: 'local', dir: `avatar/${user.id}/`, max_size: 2_097_152, ...relay });
    return testApp().app.inject({
      method: 'PUT',
      url: `${grant.host}${grant.dir}me.jpg`,
      headers: { 'x-security-token': grant.security_token, 'content-type': 'image/jpeg' },
      payload,
    });
  };

  it('only images are stored in a bucket, re-encoded, and removed when they are not used any more', async () => {
    const user = await testApp().user();
    expect((await upload(user, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).json().code).toBe(40001);
    const { url } = (await upload(user, await jpeg())).json().data;
    expect(url).toMatch(/^\/uploads\/avatar\/\d+\/[0-9a-f]{32}\.webp$/);
    const key = `pictures${url.replace('/uploads', '')}`;
    expect([...s3.objects.keys()]).toEqual([key]);
    expect(s3.objects.get(key)?.type).toBe('image/webp');
    const served = await testApp().app.inject(url);
    expect(served.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': expect.stringContaining('immutable'),
    });
    expect((await sharp(served.rawPayload).metadata()).exif).toBeUndefined();
    expect(createHash('sha256').update(served.rawPayload).digest('hex')).toContain(url.slice(-37, -5));
    expect((await user.post('user/info', { avatar: url })).data.avatar).toBe(url);

    const later = new Date(Date.now() + 30 * 86_400_000);
    await removePictures(testApp().context, later);
    expect((await testApp().app.inject(url)).statusCode).toBe(200);
    await user.post('user/info', { avatar: '' });
    await removePictures(testApp().context, later);
    expect((await testApp().app.inject(url)).statusCode).toBe(404);
    expect(s3.objects.size).toBe(0);
    expect(s3.refusals).toEqual([]);
  });
});

withDouble('suppliers behind a gateway', new GatewayDouble(), (testApp, gateway) => {
  afterEach(async () => {
    Object.assign(gateway, { next: 'done', forge: undefined, unreachable: false, losesAnswers: false });
    await testApp().check();
  });
  const bought = (user: User) => user.bought({ ...testApp().orderBody('direct'), fields: { uid: '10001' } });
  const serve = async () => {
    await testApp().db.run('update supplier_requests set next_at = clock_timestamp() where state in (0, 1)');
    await serveSuppliers(testApp().context);
  };
  const statusOf = async (user: User, orderNo: string) => (await user.info(orderNo)).data.status;
  beforeEach(() => testApp().setCounter(1000));

  it('a supplier delivers, refuses with a refund, and is queried again while it works', async () => {
    const user = await testApp().user(5000);
    const order = await bought(user);
    await serve();
    expect(await statusOf(user, order)).toBe(30);
    gateway.next = 'failed';
    const two = await bought(user);
    await serve();
    await serve();
    expect([await statusOf(user, two), await user.balance()]).toEqual([60, '44.00']);
    gateway.next = 'pending';
    const three = await bought(user);
    await serve();
    expect(await statusOf(user, three)).toBe(12);
    Object.assign(gateway.orders.get(three) ?? {}, { state: 'done' });
    await serve();
    expect(await statusOf(user, three)).toBe(30);
    expect(gateway.refusals).toEqual([]);
  });

  it('a supplier certainly got no order without a connection, may have got one whose connection was lost, and refuses old ones', async () => {
    const supplier = testApp().context.providers.supplierFor('91');
    const order = { reference: 'OLD', goodsKey: 'direct', specKey: 'a', quantity: 1, fields: {} };
    await expect(supplier?.order({ ...order, sentAt: new Date(Date.now() - 301_000) })).rejects.toThrow('answered 401');
    expect(gateway.refusals.splice(0)).toEqual(['/orders']);
    const closed = await new GatewayDouble().start();
    const nowhere = new GatewaySupplier({ name: 'nowhere', url: closed.endpoint, key: closed.key });
    await closed.close();
    await expect(nowhere.order({ ...order, sentAt: new Date() })).rejects.toBeInstanceOf(ProviderRefusal);
    await expect(nowhere.query('OLD')).rejects.not.toBeInstanceOf(ProviderRefusal);
    gateway.unreachable = true;
    await expect(supplier?.order({ ...order, sentAt: new Date() })).rejects.not.toBeInstanceOf(ProviderRefusal);
  });

  it.each(['key', 'time', 'reference'] as const)(
    'the response of a supplier with a wrong %s is refused',
    async (forge) => {
      const user = await testApp().user(5000);
      const order = await bought(user);
      gateway.next = 'pending';
      await serve();
      gateway.forge = forge;
      Object.assign(gateway.orders.get(order) ?? {}, { state: 'failed' });
      await serve();
      expect([await statusOf(user, order), await user.balance()]).toEqual([12, '44.00']);
      gateway.forge = undefined;
      Object.assign(gateway.orders.get(order) ?? {}, { state: 'done' });
      await serve();
      expect(await statusOf(user, order)).toBe(30);
    },
  );

  describe('costs and stock', () => {
    const ask = async () => {
      await testApp().db.run('update suppliers set next_at = clock_timestamp()');
      await pollSuppliers(testApp().context);
      return testApp().db.row<{ available: boolean; costs: object }>(
        'select available, costs from supplier_offers where spec_id = $1',
        [testApp().spec('direct')],
      );
    };
    const state = () =>
      testApp().db.row<{ fault: string; isFailing: boolean; hasAnswered: boolean }>(
        `select fault, failing_since is not null as "isFailing", answered_at is not null as "hasAnswered" from suppliers where name = 'north'`,
      );
    const good = { available: true, costs: { CNY: '4.20', USD: '0.60' } };
    const stored = { available: true, costs: { CNY: 420, USD: 60 } };
    const product = (changes: object = {}) => gateway.products.set('direct/a', { ...good, ...changes });

    it('a supplier answers costs and stock of the values that it delivers, and keeps a cost that it does not name', async () => {
      product();
      expect(await ask()).toEqual(stored);
      expect(await state()).toEqual({ fault: '', isFailing: false, hasAnswered: true });
      product({ available: false, costs: { CNY: '4.30' } });
      expect(await ask()).toEqual({ available: false, costs: { CNY: 430, USD: 60 } });
      expect(gateway.refusals).toEqual([]);
    });

    it.each([
      ['another value', { specKey: 'b', available: false }],
      ['no availability', { available: undefined }],
      ['an availability in words', { available: 'no' }],
      ['no costs', { costs: undefined }],
      ['empty costs', { available: false, costs: {} }],
      ['a negative cost', { costs: { CNY: '-4.20' } }],
      ['a cost of zero', { costs: { CNY: '0.00' } }],
      ['a huge cost', { costs: { CNY: '10000000.00' } }],
      ['a cost in thirds', { costs: { CNY: '4.333' } }],
      ['a cost as a number', { costs: { CNY: 9 } }],
      ['another currency', { available: false, costs: { CNY: '4.20', EUR: '0.55' } }],
    ])('a supplier that answers %s changes nothing of that value', async (_what, changes) => {
      product();
      await ask();
      product(changes);
      expect(await ask()).toEqual(stored);
    });

    it('a supplier without a connection changes nothing, and the shop knows since when', async () => {
      product();
      await ask();
      product({ available: false });
      gateway.unreachable = true;
      expect(await ask()).toEqual(stored);
      const since = await testApp().db.one('select failing_since from suppliers');
      expect(await ask()).toEqual(stored);
      const fault = expect.stringMatching(/^fetch failed: [A-Z_]+$/);
      expect(await state()).toEqual({ fault, isFailing: true, hasAnswered: true });
      expect(await testApp().db.one('select failing_since from suppliers')).toEqual(since);
      gateway.unreachable = false;
      expect(await ask()).toMatchObject({ available: false });
      expect(await state()).toEqual({ fault: '', isFailing: false, hasAnswered: true });
    });
  });

  it('a supplier validates accounts, and serves only the stock types that name it', async () => {
    const supplier = testApp().context.providers.supplierFor('91');
    expect(await supplier?.validateAccount('direct', { uid: '77' })).toBe('P77');
    expect(await supplier?.validateAccount('direct', { uid: '404' })).toBeUndefined();
    expect(testApp().context.providers.supplierFor('fulu')).toBeUndefined();
    expect(testApp().context.providers.supplierFor('stock')).toBeUndefined();
  });
});

const sdks = [
  'wechatpay-axios-plugin',
  'alipay-sdk',
  'stripe',
  'tencentcloud-sdk-nodejs-common',
  '@aws-sdk',
  'sharp',
  'nodemailer',
  // @opentelemetry/api is not in the list, because prom-client loads it.
  '@opentelemetry/sdk-trace',
];

it('providers load no SDK before their first use, even if all are configured', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-lazy-'));
  const doubles = [
    new WechatPayDouble(),
    new AlipayDouble(),
    new StripeDouble(),
    new TencentSmsDouble(),
    new S3Double(),
  ];
  await Promise.all(doubles.map((double) => double.start()));
  const env: NodeJS.ProcessEnv = Object.assign({}, ...doubles.map((double) => double.env()), {
    PAYMENTS_CNY: 'wechat,alipay',
    MAIL: 'smtp',
    MAIL_SMTP_URL: 'smtps://smtp.example',
    MAIL_FROM: 'notices@shop.example',
  });
  await Promise.all(doubles.map((double) => double.close()));
  const script = `
    const { createProviders } = require('./src/providers/create-providers');
    const { readConfig } = require('./src/config');
    require('./src/app');
    require('./src/platform/monitoring/tracing/tracing.plugin').startTracing(readConfig({ dataDir: process.argv[1] }).tracing);
    const providers = createProviders(readConfig({ dataDir: process.argv[1] }));
    const loaded = () => ${JSON.stringify(sdks)}.filter((name) => Object.keys(require.cache).some((file) => file.includes('/node_modules/' + name + '/')));
    const before = loaded();
    providers.payments.find((one) => one.code === 'stripe').readNotice('', {});
    console.log(JSON.stringify({ before, after: loaded(), codes: providers.payments.map((one) => one.code) }));`;
  const output = execFileSync(process.execPath, ['--import', 'tsx', '-e', script, folder], {
    cwd: path.join(__dirname, '../..'),
    env: { PATH: process.env.PATH, HOME: os.homedir(), ...env },
  });
  expect(JSON.parse(output.toString())).toEqual({
    before: [],
    after: ['stripe'],
    codes: ['wechat', 'alipay', 'stripe'],
  });
});
