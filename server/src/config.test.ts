import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readConfig } from './config';

const production = {
  NODE_ENV: 'production',
  APP_SECRET: randomBytes(32).toString('base64'),
  CARD_KEYS: `k1:${randomBytes(32).toString('base64')}`,
};

describe('the wait between two codes to one phone', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-config-'));
  afterAll(() => fs.rmSync(dataDir, { recursive: true }));
  const wait = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env }).resendSeconds;

  it('is a minute, and only outside production may it be shorter', () => {
    expect([wait({}), wait(production)]).toEqual([60, 60]);
    expect(wait({ CODE_RESEND_SECONDS: '5' })).toBe(5);
    expect(wait({ ...production, CODE_RESEND_SECONDS: '90' })).toBe(90);
    expect(() => wait({ ...production, CODE_RESEND_SECONDS: '59' })).toThrow('CODE_RESEND_SECONDS must be');
  });
});

describe('how long a server that is told to stop goes on', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-config-'));
  afterAll(() => fs.rmSync(dataDir, { recursive: true }));
  const drain = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env }).drainMs;

  it('is five seconds in production, none elsewhere, and as it is set', () => {
    expect([drain(production), drain({}), drain({ DRAIN_SECONDS: '1.5' })]).toEqual([5000, 0, 1500]);
    for (const value of ['soon', '-1', '301'])
      expect(() => drain({ DRAIN_SECONDS: value })).toThrow('DRAIN_SECONDS must be');
  });

  it('is longer than nginx keeps a connection that it does not use', () => {
    for (const file of ['shop.conf', 'cdn.conf']) {
      const text = fs.readFileSync(path.join(__dirname, '../../deploy/nginx', file), 'utf8');
      const [, seconds] = /keepalive_timeout (\d+)s;/.exec(text) ?? [];
      expect(Number(seconds) * 1000).toBeLessThan(drain(production));
    }
  });
});

describe('search engines', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-config-'));
  afterAll(() => fs.rmSync(dataDir, { recursive: true }));
  const indexed = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env }).indexed;
  const PUBLIC_URL = 'https://shop.example';

  it('may list a shop in production that knows its address, unless set otherwise', () => {
    expect([indexed({}), indexed({ PUBLIC_URL }), indexed(production)]).toEqual([false, false, false]);
    expect(indexed({ ...production, PUBLIC_URL })).toBe(true);
    expect(indexed({ ...production, PUBLIC_URL, SEARCH_ENGINES: 'off' })).toBe(false);
    expect(indexed({ PUBLIC_URL, SEARCH_ENGINES: 'on' })).toBe(true);
  });

  it('are refused a shop without an address', () => {
    expect(() => indexed({ SEARCH_ENGINES: 'on' })).toThrow('needs PUBLIC_URL');
    expect(() => indexed({ SEARCH_ENGINES: 'yes' })).toThrow('SEARCH_ENGINES=yes is none of on, off.');
  });
});

it('has public pages rendered, unless that is switched off', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-config-'));
  const render = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env }).render;
  expect([render({}), render({ SHOP_RENDER: 'on' }), render({ SHOP_RENDER: 'off' })]).toEqual([true, true, false]);
  expect(() => render({ SHOP_RENDER: 'no' })).toThrow('SHOP_RENDER=no is none of on, off.');
  fs.rmSync(dataDir, { recursive: true });
});

describe('sessions and the second proof', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-config-'));
  afterAll(() => fs.rmSync(dataDir, { recursive: true }));
  const read = (env: NodeJS.ProcessEnv = {}) => readConfig({ dataDir, env });

  it('end after 14 days without use, and ask above 1,000 yuan or 150 dollars, unless set otherwise', () => {
    expect(read()).toMatchObject({
      sessionIdleSeconds: 14 * 86_400,
      walletProofAbove: { CNY: 100_000, USD: 15_000 },
      staffRefundAbove: { CNY: 50_000, USD: 7_000 },
    });
    expect(read({ SESSION_IDLE_DAYS: '7', WALLET_PROOF_ABOVE: 'CNY=500.00' })).toMatchObject({
      sessionIdleSeconds: 7 * 86_400,
      walletProofAbove: { CNY: 50_000 },
    });
    expect(read({ WALLET_PROOF_ABOVE: 'off' }).walletProofAbove).toEqual({});
    expect(read({ STAFF_REFUND_ABOVE: 'CNY=1.00' }).staffRefundAbove).toEqual({ CNY: 100 });
  });

  it('refuse what is no number of days or no amount', () => {
    for (const value of ['0', '31', '1.5', 'soon'])
      expect(() => read({ SESSION_IDLE_DAYS: value })).toThrow('SESSION_IDLE_DAYS must be');
    for (const value of ['1000', 'CNY', 'CNY=much', 'EUR=5.00'])
      for (const name of ['WALLET_PROOF_ABOVE', 'STAFF_REFUND_ABOVE'])
        expect(() => read({ [name]: value })).toThrow(`${name} must be`);
  });
});

describe('origins of pictures', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-config-'));
  afterAll(() => fs.rmSync(dataDir, { recursive: true }));
  const origins = (env: NodeJS.ProcessEnv) => readConfig({ dataDir, env }).pictureOrigins;

  it('are none beside the shop’s own, or those that are listed', () => {
    expect(origins({})).toEqual([]);
    expect(origins({ MEDIA_ORIGINS: 'https://a.example, https://b.example' })).toEqual([
      'https://a.example',
      'https://b.example',
    ]);
    for (const value of ['https:', 'http://a.example', 'https://a.example/x', '*'])
      expect(() => origins({ MEDIA_ORIGINS: value })).toThrow(`MEDIA_ORIGINS: ${value} is no origin`);
  });
});
