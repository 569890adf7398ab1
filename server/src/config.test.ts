import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { generateVAPIDKeys } from 'web-push';
import { type Config, readConfig } from './config';

const production = {
  NODE_ENV: 'production',
  APP_SECRET: randomBytes(32).toString('base64'),
  CARD_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};
const PUBLIC_URL = 'https://shop.example';
const stripe = { PUBLIC_URL, PAYMENTS_USD: 'stripe', STRIPE_WEBHOOK_SECRET: `whsec_${'1'.repeat(32)}` };
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
afterAll(() => fs.rmSync(dataDir, { recursive: true }));
const read = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env });

it.each<[what: string, env: NodeJS.ProcessEnv, config: Partial<Config>]>([
  ['a minute between two codes to one phone', {}, { resendSeconds: 60 }],
  ['less between them, outside production', { CODE_RESEND_SECONDS: '5' }, { resendSeconds: 5 }],
  ['phones of all countries', {}, { phoneCountries: null, smsPerCountry: 200 }],
  ['phones of some', { PHONE_COUNTRIES: 'CN, US,US' }, { phoneCountries: ['CN', 'US'] }],
  ['five seconds to drain in production', production, { drainMs: 5000 }],
  ['as many as are set', { DRAIN_SECONDS: '1.5' }, { drainMs: 1500 }],
  ['none outside production', { PUBLIC_URL }, { indexed: false }],
  ['none without an address', production, { indexed: false }],
  ['search engines in production', { ...production, PUBLIC_URL }, { indexed: true }],
  ['none where they are off', { ...production, PUBLIC_URL, SEARCH_ENGINES: 'off' }, { indexed: false }],
  ['those that are asked for', { PUBLIC_URL, SEARCH_ENGINES: 'on' }, { indexed: true }],
  ['none where it is off', { SHOP_RENDER: 'off' }, { render: false }],
  ['shorter ones', { SESSION_IDLE_DAYS: '7' }, { sessionIdleSeconds: 7 * 86_400 }],
  ['a proof above 1,000 yuan or 150 dollars', {}, { walletProofAbove: { CNY: 100_000, USD: 15_000 } }],
  ['a proof above another amount', { WALLET_PROOF_ABOVE: 'CNY=500.00' }, { walletProofAbove: { CNY: 50_000 } }],
  ['no proof', { WALLET_PROOF_ABOVE: 'off' }, { walletProofAbove: {} }],
  ['a second person above 500 yuan or 70 dollars', {}, { staffRefundAbove: { CNY: 50_000, USD: 7_000 } }],
  ['a second person above 5000 yuan or 700 dollars a day', {}, { staffDayAbove: { CNY: 500_000, USD: 70_000 } }],
  ['one above another amount', { STAFF_REFUND_ABOVE: 'CNY=1.00' }, { staffRefundAbove: { CNY: 100 } }],
  ['pages of sent codes and mails while every provider is a sandbox', {}, { sandbox: true }],
  [
    'them beside a test key of Stripe',
    { ...stripe, STRIPE_SECRET_KEY: `sk_test_${'1'.repeat(32)}` },
    { sandbox: true },
  ],
  ['none beside real payments', { ...stripe, STRIPE_SECRET_KEY: `sk_live_${'1'.repeat(32)}` }, { sandbox: false }],
  ['none beside a real mail server', { ...smtp, MAIL_SMTP_URL: 'smtp://mail.example' }, { sandbox: false }],
  ['them beside a mail server of this machine', { ...smtp, MAIL_SMTP_URL: 'smtp://localhost' }, { sandbox: true }],
  ['none beside a real supplier', supplier('https://supplier.example'), { sandbox: false }],
  ['them beside a supplier of this machine', supplier('http://localhost:1'), { sandbox: true }],
  ['none beside a real sign-in', weChat, { sandbox: false }],
  ['none beside a real push service', push, { sandbox: false }],
  ['none in production', production, { sandbox: false }],
  [
    'pictures of those that are listed',
    { MEDIA_ORIGINS: 'https://a.example, https://b.example' },
    { pictureOrigins: ['https://a.example', 'https://b.example'] },
  ],
])('has %s with %j', (_what, env, config) => {
  const found = read(env);
  for (const [key, value] of Object.entries(config)) expect(found[key as keyof Config]).toEqual(value);
});

it.each<[name: string, values: string[], fault: string]>([
  ['CODE_RESEND_SECONDS', ['59'], 'CODE_RESEND_SECONDS must be'],
  ['DRAIN_SECONDS', ['soon', '-1', '301'], 'DRAIN_SECONDS must be'],
  ['SEARCH_ENGINES', ['on'], 'needs PUBLIC_URL'],
  ['SHOP_RENDER', ['no'], 'SHOP_RENDER=no is none of on, off.'],
  ['SESSION_IDLE_DAYS', ['0', '31', '1.5', 'soon'], 'SESSION_IDLE_DAYS must be'],
  ['WALLET_PROOF_ABOVE', ['1000', 'CNY', 'CNY=much', 'EUR=5.00'], 'WALLET_PROOF_ABOVE must be'],
  ['STAFF_REFUND_ABOVE', ['1000', 'CNY', 'CNY=much', 'EUR=5.00'], 'STAFF_REFUND_ABOVE must be'],
  ['MEDIA_ORIGINS', ['https:', 'http://a.example', 'https://a.example/x', '*'], 'MEDIA_ORIGINS: '],
])('refuses %s=%j in production: %s', (name, values, fault) => {
  for (const value of values) expect(() => read({ ...production, [name]: value })).toThrow(fault);
});

describe('the address of the staff console', () => {
  const backOffice = { readSettings: () => {} };
  const start = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env, backOffice }).staffUrl;

  it.each<[what: string, env: NodeJS.ProcessEnv, fault: string]>([
    ['nothing, in production', { ...production, PUBLIC_URL }, 'STAFF_URL must be set'],
    ['the shop', { ...production, PUBLIC_URL, STAFF_URL: PUBLIC_URL }, 'STAFF_URL must not be the address of the shop'],
    [
      'another port of the shop’s host',
      { ...production, PUBLIC_URL, STAFF_URL: `${PUBLIC_URL}:8443` },
      'STAFF_URL must not be the address of the shop',
    ],
    [
      'the shop, outside production',
      { PUBLIC_URL: 'http://localhost:8080', STAFF_URL: 'http://localhost:8080/' },
      'STAFF_URL must not be the address of the shop',
    ],
    ['a path', { ...production, PUBLIC_URL, STAFF_URL: 'https://staff.shop.example/console' }, 'must be an origin'],
    [
      'a host, while the shop has none',
      { ...production, STAFF_URL: 'https://staff.example' },
      'PUBLIC_URL must be set',
    ],
  ])('stops the start when it is %s', (_what, env, fault) => {
    expect(() => start(env)).toThrow(fault);
  });

  it('is a host name of its own in production; elsewhere another port will do, or none', () => {
    const STAFF_URL = 'https://staff.shop.example';
    expect(start({ ...production, PUBLIC_URL, STAFF_URL })).toBe(STAFF_URL);
    const local = { PUBLIC_URL: 'http://localhost:8080', STAFF_URL: 'http://localhost:8081' };
    expect(start(local)).toBe(local.STAFF_URL);
    expect(start({})).toBe('');
  });
});

it('drains for longer than nginx keeps a connection that it does not use', () => {
  for (const file of ['shop.conf', 'cdn.conf']) {
    const text = fs.readFileSync(path.join(__dirname, '../../deploy/nginx', file), 'utf8');
    const [, seconds] = /keepalive_timeout (\d+)s;/.exec(text) ?? [];
    expect(Number(seconds) * 1000).toBeLessThan(read(production).drainMs);
  }
});
