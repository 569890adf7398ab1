import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { backOffice } from '@shop/backoffice';
import { generateVAPIDKeys } from 'web-push';
import { type Config, readConfig } from './config';

const production = {
  NODE_ENV: 'production',
  APP_SECRET: randomBytes(32).toString('base64'),
  CARD_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};
const PUBLIC_URL = 'https://shop.example';
const stripe = {
  PUBLIC_URL,
  PAYMENTS_USD: 'stripe',
  STRIPE_SECRET_KEY: `sk_live_${'1'.repeat(32)}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${'1'.repeat(32)}`,
};
const smtp = { PUBLIC_URL, MAIL: 'smtp', MAIL_FROM: 'shop@shop.example' };
const supplier = (url: string) => ({
  SUPPLIERS: '91=north',
  SUPPLIER_NORTH_URL: url,
  SUPPLIER_NORTH_KEY: 'k'.repeat(32),
});
const weChat = { PUBLIC_URL, WECHAT_SIGN_IN: 'on', WECHAT_APP_ID: 'wx1', WECHAT_APP_SECRET: 's'.repeat(32) };
const { publicKey, privateKey } = generateVAPIDKeys();
const push = {
  WEB_PUSH_PUBLIC_KEY: publicKey,
  WEB_PUSH_PRIVATE_KEY: privateKey,
  WEB_PUSH_CONTACT: 'mailto:shop@shop.example',
};
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-config-'));
const read = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env });
const problemsOf = (env: NodeJS.ProcessEnv): string => {
  try {
    readConfig({ dataDir, env, backOffice: backOffice() });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

it.each<[what: string, env: NodeJS.ProcessEnv, config: Partial<Config>]>([
  ['phones of all countries', {}, { phoneCountries: null, smsPerCountry: 200 }],
  ['phones of some countries', { PHONE_COUNTRIES: 'CN, US,US' }, { phoneCountries: ['CN', 'US'] }],
  ['the demo outside production', {}, { demo: true, live: false }],
  ['no demo in production', production, { demo: false, live: true }],
  ['the demo in production when it is on', { ...production, DEMO: 'on' }, { demo: true, live: false }],
  ['no demo when it is off', { DEMO: 'off' }, { demo: false, live: false }],
  ['no search engines outside production', { PUBLIC_URL }, { indexed: false }],
  ['no search engines without an address', production, { indexed: false }],
  ['search engines in production', { ...production, PUBLIC_URL }, { indexed: true }],
  ['no search engines when they are off', { ...production, PUBLIC_URL, SEARCH_ENGINES: 'off' }, { indexed: false }],
  ['search engines outside production when they are on', { PUBLIC_URL, SEARCH_ENGINES: 'on' }, { indexed: true }],
  ['a wallet proof above 1,000 yuan or 150 dollars', {}, { walletProofAbove: { CNY: 100_000, USD: 15_000 } }],
  ['a wallet proof above another amount', { WALLET_PROOF_ABOVE: 'CNY=500.00' }, { walletProofAbove: { CNY: 50_000 } }],
  ['no wallet proof', { WALLET_PROOF_ABOVE: 'off' }, { walletProofAbove: {} }],
  ['a second staff member above 500 yuan or 70 dollars', {}, { staffRefundAbove: { CNY: 50_000, USD: 7_000 } }],
  ['a second staff member above 5000 yuan or 700 dollars a day', {}, { staffDayAbove: { CNY: 500_000, USD: 70_000 } }],
  [
    'a second staff member above another amount',
    { STAFF_REFUND_ABOVE: 'CNY=1.00' },
    { staffRefundAbove: { CNY: 100 } },
  ],
  ['sandbox pages while every provider is a sandbox', {}, { sandbox: true }],
  [
    'sandbox pages and the demo beside a test key of Stripe',
    { ...stripe, STRIPE_SECRET_KEY: `sk_test_${'1'.repeat(32)}` },
    { sandbox: true, demo: true, live: false },
  ],
  ['the demo beside a Stripe of this machine', { ...stripe, STRIPE_ENDPOINT: 'http://127.0.0.1:1' }, { demo: true }],
  ['no sandbox pages and no demo beside real payments', stripe, { sandbox: false, demo: false, live: true }],
  ['no sandbox pages beside a real mail server', { ...smtp, MAIL_SMTP_URL: 'smtp://mail.example' }, { sandbox: false }],
  [
    'sandbox pages beside a mail server of this machine',
    { ...smtp, MAIL_SMTP_URL: 'smtp://localhost' },
    { sandbox: true },
  ],
  ['no sandbox pages beside a real supplier', supplier('https://supplier.example'), { sandbox: false }],
  ['sandbox pages beside a supplier of this machine', supplier('http://localhost:1'), { sandbox: true }],
  ['no sandbox pages beside a real sign-in', weChat, { sandbox: false }],
  ['no sandbox pages beside a real push service', push, { sandbox: false }],
  ['no sandbox pages in production', production, { sandbox: false }],
  [
    'the listed picture origins',
    { MEDIA_ORIGINS: 'https://a.example, https://b.example' },
    { pictureOrigins: ['https://a.example', 'https://b.example'] },
  ],
  ['no trusted proxy', {}, { trustProxy: false }],
  [
    'the listed proxies',
    { TRUST_PROXY: ' Loopback, 10.0.0.0/8 ,fd00::/8\t192.0.2.1' },
    { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.1'] },
  ],
])('config has %s with %j', (_what, env, config) => {
  const actual = read(env);
  for (const [key, value] of Object.entries(config)) expect(actual[key as keyof Config]).toEqual(value);
});

it.each<[name: string, values: string[], fault: string]>([
  ['CODE_RESEND_SECONDS', ['59'], 'CODE_RESEND_SECONDS must be'],
  ['DEMO', ['maybe'], 'DEMO=maybe is none of on, off.'],
  ['DRAIN_SECONDS', ['soon', '-1', '301'], 'DRAIN_SECONDS must be'],
  ['SEARCH_ENGINES', ['on'], 'needs PUBLIC_URL'],
  ['SHOP_RENDER', ['no'], 'SHOP_RENDER=no is none of on, off.'],
  ['SESSION_IDLE_DAYS', ['0', '31', '1.5', 'soon'], 'SESSION_IDLE_DAYS must be'],
  ['SHOP_TIME_ZONE', ['+08:00', 'Asia/Peking', 'Pacific Time'], 'is not a time zone like Asia/Shanghai'],
  ['WALLET_PROOF_ABOVE', ['1000', 'CNY', 'CNY=much', 'EUR=5.00'], 'WALLET_PROOF_ABOVE must be'],
  ['STAFF_REFUND_ABOVE', ['1000', 'CNY', 'CNY=much', 'EUR=5.00'], 'STAFF_REFUND_ABOVE must be'],
  ['TRUST_PROXY', ['1', 'true', 'cloudflare', 'private', '300.1.1.1', '10.1', '010.0.0.1'], 'TRUST_PROXY: "'],
  ['TRUST_PROXY', ['0.0.0.0/0', '0.0.0.0/1,128.0.0.0/1', '::/0', '2000::/3', '::ffff:0:0/96'], 'TRUST_PROXY: "'],
  ['TRUST_PROXY', ['10.0.0.0/33', '10.0.0.0/', '::1/129', '10.0.0.0/255.0.0.0', '10.0.0.1:80'], 'TRUST_PROXY: "'],
  ['TRUST_PROXY', ['10.0.0.0/8,', ',', 'loopback,,10.0.0.1', '[::1]', 'fe80::1%eth0'], 'TRUST_PROXY: "'],
  ['MEDIA_ORIGINS', ['https:', 'http://a.example', 'https://a.example/x', '*'], 'MEDIA_ORIGINS: '],
])('config refuses %s=%j in production: %s', (name, values, fault) => {
  for (const value of values) expect(() => read({ ...production, [name]: value })).toThrow(fault);
});

it.each([stripe, { ...production, ...stripe }])('config refuses the demo beside real payments', (env) => {
  expect(() => read({ ...env, DEMO: 'on' })).toThrow('DEMO=on does not start with real payments');
});

describe('address of the staff console', () => {
  const backOffice = { readSettings: () => {} };
  const start = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env, backOffice }).staffUrl;
  const shop = { ...production, PUBLIC_URL };
  const local = 'http://localhost:8080';
  const sameAddress = 'STAFF_URL must not be the address of the shop';

  it.each<[what: string, env: NodeJS.ProcessEnv, fault: string]>([
    ['nothing, in production', shop, 'STAFF_URL must be set'],
    ['the shop', { ...shop, STAFF_URL: PUBLIC_URL }, sameAddress],
    ['another port of the shop’s host', { ...shop, STAFF_URL: `${PUBLIC_URL}:8443` }, sameAddress],
    ['the shop, outside production', { PUBLIC_URL: local, STAFF_URL: `${local}/` }, sameAddress],
    ['a path', { ...shop, STAFF_URL: 'https://staff.shop.example/console' }, 'must be an origin'],
    ['a host without one of the shop', { ...production, STAFF_URL: 'https://staff.example' }, 'PUBLIC_URL must be set'],
  ])('the server does not start if the console address is %s', (_what, env, fault) => {
    expect(() => start(env)).toThrow(fault);
  });

  it('the console needs a separate host name in production; elsewhere a different port or no address is enough', () => {
    const STAFF_URL = 'https://staff.shop.example';
    expect(start({ ...shop, STAFF_URL })).toBe(STAFF_URL);
    expect(start({ PUBLIC_URL: local, STAFF_URL: 'http://localhost:8081' })).toBe('http://localhost:8081');
    expect(start({})).toBe('');
  });
});

it('the server drains for longer than nginx keeps an unused connection', () => {
  for (const file of ['shop.conf', 'cdn.conf']) {
    const text = fs.readFileSync(path.join(__dirname, '../../deploy/nginx', file), 'utf8');
    const [, seconds] = /keepalive_timeout (\d+)s;/.exec(text) ?? [];
    expect(Number(seconds) * 1000).toBeLessThan(read(production).drainMs);
  }
});

it('settings report every problem of every part once, all together, without the value of a secret', () => {
  const sound = {
    NODE_ENV: 'production',
    STORAGE: 's3',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
  };
  const faulty = {
    APP_SECRET: 'short-and-secret',
    CARD_KEYS: 'k1:none',
    DRAIN_SECONDS: '301',
    SESSION_IDLE_DAYS: '1.5',
    SHOP_RENDER: 'maybe',
    PUBLIC_URL: 'http://shop.example',
    PAYMENTS_USD: 'paypal',
    UPLOADS_S3_BUCKET: 'B',
    STAFF_URL: 'https://staff.example/console',
    RELEASE_OIDC: '{',
    RELEASE_WEBHOOK_URL: 'ops.example',
    OTEL_TRACES_SAMPLER_ARG: '2',
  };
  const message = problemsOf({ ...sound, ...faulty });
  const lines = message.split('\n');
  expect(new Set(lines).size).toBe(lines.length);
  for (const name of [...Object.keys(faulty), 'UPLOADS_S3_REGION', 'RELEASE_WEBHOOK_SECRET'])
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${name}\\b`)));
  expect(message).not.toContain(faulty.APP_SECRET);
});

describe('secrets in production', () => {
  const strong = {
    ...production,
    METRICS_TOKEN: randomBytes(24).toString('hex'),
    PUBLIC_URL,
    STAFF_URL: 'https://staff.shop.example',
  };

  it('random secrets are accepted in production', () => {
    expect(problemsOf(strong)).toBe('');
    expect(problemsOf({ ...strong, APP_SECRET: randomBytes(16).toString('hex') })).toBe('');
  });

  it.each([
    ['APP_SECRET', 'a'.repeat(16)],
    ['APP_SECRET', 'password'.repeat(8)],
    ['CARD_KEYS', `k1:${Buffer.alloc(32).toString('base64')}`],
    ['CARD_KEYS', `k1:${Buffer.from('secret-secret-secret-secret-abcd').toString('base64')}`],
    ['CARD_KEYS', `${strong.CARD_KEYS},k0:${Buffer.alloc(32, 3).toString('base64')}`],
    ['METRICS_TOKEN', 'guess-me'],
    ['METRICS_TOKEN', 'ops-ops-ops-ops-ops-ops-ops'],
    ['SUPPLIER_NORTH_KEY', 'northnorthnorthnorthnorthnorthnorth'],
  ])('production refuses to start when %s can be guessed, and does not print it', (name, value) => {
    const message = problemsOf({
      ...strong,
      SUPPLIERS: '91=north',
      SUPPLIER_NORTH_URL: 'https://north.example',
      SUPPLIER_NORTH_KEY: randomBytes(32).toString('hex'),
      [name]: value,
    });
    expect(message).toContain(name);
    expect(message).not.toContain(value);
    expect(message.split('\n')).toHaveLength(1);
  });
});
