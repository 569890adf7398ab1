import { createECDH, generateKeyPairSync } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { AlipayDouble } from '../../test/support/doubles/alipay';
import { type Double, keyPair } from '../../test/support/doubles/double';
import { GatewayDouble } from '../../test/support/doubles/gateway';
import { MailServer } from '../../test/support/doubles/mail-server';
import { S3Double } from '../../test/support/doubles/s3';
import { StripeDouble } from '../../test/support/doubles/stripe';
import { TencentSmsDouble } from '../../test/support/doubles/tencent-sms';
import { WechatOauthDouble } from '../../test/support/doubles/wechat-oauth';
import { WechatPayDouble } from '../../test/support/doubles/wechat-pay';
import { Settings } from '../platform/settings/settings';
import { readProviderSettings, readWebhooks } from './settings';

const read = (env: NodeJS.ProcessEnv, production = true) => {
  const settings = new Settings({ ...env, NODE_ENV: production ? 'production' : 'test' });
  return { providers: readProviderSettings(settings), problems: settings.problems };
};
const problemsOf = (env: NodeJS.ProcessEnv, production = true) => read(env, production).problems;
const endpoints = {
  WECHAT_PAY_ENDPOINT: '',
  ALIPAY_ENDPOINT: '',
  STRIPE_ENDPOINT: '',
  TENCENT_SMS_ENDPOINT: '',
  WECHAT_ENDPOINT: '',
  UPLOADS_S3_ENDPOINT: 'https://s3.example',
  SUPPLIER_NORTH_URL: 'https://north.example',
};
const kinds: Array<[name: string, optional: string[], make: () => Double | MailServer]> = [
  ['WeChat Pay', [], () => new WechatPayDouble()],
  ['Alipay', ['ALIPAY_SELLER_ID'], () => new AlipayDouble()],
  ['Stripe', [], () => new StripeDouble()],
  ['Tencent SMS', ['TENCENT_SMS_TEMPLATE_ABROAD', 'TENCENT_SMS_TEMPLATE_MINUTES'], () => new TencentSmsDouble()],
  ['WeChat sign-in', [], () => new WechatOauthDouble()],
  ['a mail server', ['MAIL_SMTP_USER'], () => new MailServer()],
  ['a bucket', ['UPLOADS_S3_PREFIX'], () => new S3Double()],
  ['a supplier', [], () => new GatewayDouble()],
];

describe('provider settings', () => {
  const doubles: Array<Double | MailServer> = [];
  afterAll(() => Promise.all(doubles.map((double) => double.close())));

  it.each(kinds)(
    'provider settings of %s are accepted when complete, and a missing, empty or blank key is one line with its name',
    async (_name, optional, make) => {
      const double = await make().start();
      doubles.push(double);
      const whole: NodeJS.ProcessEnv = { ...double.env(), ...endpoints };
      if (whole.STRIPE_SECRET_KEY) whole.STRIPE_SECRET_KEY = 'sk_live_0123456789abcdef';
      expect(problemsOf(whole)).toEqual([]);
      const choices = /^(PAYMENTS_|SMS$|MAIL$|STORAGE$|SUPPLIERS$|WECHAT_SIGN_IN$)/;
      for (const key of Object.keys(double.env())) {
        if (choices.test(key) || optional.includes(key) || key.endsWith('_ENDPOINT')) continue;
        for (const value of [undefined, '', '  ']) {
          const problems = problemsOf({ ...whole, [key]: value });
          expect([key, problems]).toEqual([key, [expect.stringMatching(new RegExp(`^${key} must be set: `))]]);
        }
      }
    },
  );

  it('provider settings refuse every sandbox in production, and enable none there by default', () => {
    const sandboxes = {
      PAYMENTS_CNY: 'sandbox',
      PAYMENTS_USD: 'sandbox',
      SMS: 'outbox',
      MAIL: 'outbox',
      WECHAT_SIGN_IN: 'sandbox',
      SUPPLIERS: '91=sandbox,fulu=sandbox',
    };
    expect(problemsOf(sandboxes, false)).toEqual([]);
    expect(problemsOf(sandboxes)).toHaveLength(7);
    for (const [name, value] of Object.entries(sandboxes)) {
      expect(
        problemsOf({ [name]: value }).every((line) => line.startsWith(name) && line.includes('names a sandbox')),
      ).toBe(true);
    }
    expect(read({})).toMatchObject({
      providers: {
        payments: { CNY: [], USD: [] },
        sms: 'none',
        mail: 'none',
        wechatSignIn: 'off',
        storage: 'local',
        suppliers: {},
      },
      problems: [],
    });
    const test = {
      PAYMENTS_USD: 'stripe',
      PUBLIC_URL: 'https://shop.example',
      STRIPE_SECRET_KEY: 'sk_test_0123456789abcdef',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
    };
    const lines = problemsOf(test);
    expect(lines).toEqual([expect.stringMatching(/^STRIPE_SECRET_KEY names a sandbox/)]);
    expect(lines.join()).not.toContain('0123456789abcdef');
  });

  it.each([
    [{ PAYMENTS_USD: 'wechat' }, 'PAYMENTS_USD: wechat takes CNY only.'],
    [{ PAYMENTS_CNY: 'paypal' }, 'PAYMENTS_CNY: paypal is none of wechat, alipay, stripe, sandbox.'],
    [{ PAYMENTS_CNY: 'constructor' }, 'PAYMENTS_CNY: constructor is none of wechat, alipay, stripe, sandbox.'],
    [{ SMS: 'pigeon' }, 'SMS=pigeon is none of tencent, outbox, none.'],
    [{ STORAGE: 'tape' }, 'STORAGE=tape is none of local, s3.'],
    [
      { SUPPLIERS: 'stock=north' },
      'SUPPLIERS: stock is none of 91, bamboo, ezpaypin, fulu, transport, carrypin, kkxi.',
    ],
    [{ SUPPLIERS: '91' }, 'SUPPLIERS: 91 needs a supplier’s name in lower case.'],
  ])('provider settings refuse %p', (env, line) => {
    expect(problemsOf(env as NodeJS.ProcessEnv)).toContain(line);
  });

  it('provider settings accept a private key for push that begins with a zero', () => {
    const pair = createECDH('prime256v1');
    const key = Buffer.alloc(32, 1).fill(0, 0, 1);
    pair.setPrivateKey(key);
    const env = {
      WEB_PUSH_PUBLIC_KEY: pair.getPublicKey('base64url'),
      WEB_PUSH_PRIVATE_KEY: key.toString('base64url'),
      WEB_PUSH_CONTACT: 'mailto:ops@shop.example',
    };
    expect(read(env)).toMatchObject({ problems: [], providers: { webPush: { publicKey: env.WEB_PUSH_PUBLIC_KEY } } });
  });

  it('provider settings refuse invalid keys, plain http, and the merchant’s own certificate as the platform’s', async () => {
    const wechat = await new WechatPayDouble().start();
    doubles.push(wechat);
    const env: NodeJS.ProcessEnv = { ...wechat.env(), ...endpoints };
    const ec = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const faults: Array<[NodeJS.ProcessEnv, RegExp]> = [
      [{ WECHAT_PAY_PRIVATE_KEY: 'secret' }, /^WECHAT_PAY_PRIVATE_KEY is not a private key in PEM form\.$/],
      [{ WECHAT_PAY_PRIVATE_KEY: keyPair().publicKey }, /^WECHAT_PAY_PRIVATE_KEY is not/],
      [{ WECHAT_PAY_PRIVATE_KEY: ec.privateKey }, /^WECHAT_PAY_PRIVATE_KEY is not/],
      [{ WECHAT_PAY_API_V3_KEY: 'short' }, /^WECHAT_PAY_API_V3_KEY must be 32 characters long\.$/],
      [{ WECHAT_PAY_PLATFORM_KEY_ID: wechat.serial }, /merchant’s own/],
      [{ PUBLIC_URL: 'http://shop.example' }, /^PUBLIC_URL must be an https address\.$/],
      [{ WECHAT_PAY_ENDPOINT: 'http://127.0.0.1:1' }, /^WECHAT_PAY_ENDPOINT must be an https address\.$/],
    ];
    for (const [change, line] of faults) {
      const problems = problemsOf({ ...env, ...change });
      expect([Object.keys(change), problems]).toEqual([Object.keys(change), [expect.stringMatching(line)]]);
    }
  });

  it('provider settings read a key from the file that NAME_FILE names', () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-settings-'));
    const double = new AlipayDouble();
    const file = path.join(folder, 'alipay.pem');
    fs.writeFileSync(file, double.merchant.privateKey);
    const env = {
      PAYMENTS_CNY: 'alipay',
      PUBLIC_URL: 'https://shop.example',
      ALIPAY_APP_ID: double.appId,
      ALIPAY_PUBLIC_KEY: double.platform.publicKey,
    };
    const { providers, problems } = read({ ...env, ALIPAY_PRIVATE_KEY_FILE: file });
    expect(problems).toEqual([]);
    expect(providers.alipay?.privateKey).toBe(double.merchant.privateKey);
    expect(problemsOf({ ...env, ALIPAY_PRIVATE_KEY_FILE: `${file}.gone` })[0]).toBe(
      'ALIPAY_PRIVATE_KEY_FILE cannot be read: ENOENT.',
    );
  });
});

it.each([
  [{ RELEASE_WEBHOOK_URL: 'https://ops.example/a, https://ops.example/b', RELEASE_WEBHOOK_SECRET: 's'.repeat(32) }, []],
  [{}, []],
  [
    { RELEASE_WEBHOOK_URL: 'https://ops.example/a' },
    ['RELEASE_WEBHOOK_SECRET must be set: RELEASE_WEBHOOK_URL is set.'],
  ],
  [
    { RELEASE_WEBHOOK_URL: 'http://ops.example/private-part', RELEASE_WEBHOOK_SECRET: 'short' },
    [
      'RELEASE_WEBHOOK_URL must be https addresses, separated by commas.',
      'RELEASE_WEBHOOK_SECRET must be at least 32 characters long.',
    ],
  ],
])('webhook settings %j have these problems in production', (env, expected) => {
  const settings = new Settings({ ...env, NODE_ENV: 'production' });
  readWebhooks(settings, 'RELEASE');
  expect(settings.problems).toEqual(expected);
});
