import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { currencies } from '../http/money';
import type { Currency } from '../http/schemas';

export interface WechatPaySettings {
  appId: string;
  mchId: string;
  /** Serial number of the merchant's certificate. */
  serial: string;
  privateKey: string;
  /** 32 characters; decrypts notices. */
  apiV3Key: string;
  /** Platform certificates or public keys by their serial number or id. */
  platformKeys: Record<string, string>;
  endpoint: string;
}
export interface AlipaySettings {
  appId: string;
  /** PKCS #8, PEM. */
  privateKey: string;
  /** Alipay's own, PEM. */
  publicKey: string;
  /** The merchant's Alipay id; checked in notices where it is set. */
  sellerId: string;
  endpoint: string;
}
export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  endpoint: string;
}
export interface TencentSmsSettings {
  secretId: string;
  secretKey: string;
  appId: string;
  sign: string;
  template: string;
  /** Whether the template takes the minutes as its second parameter. */
  withMinutes: boolean;
  region: string;
  endpoint: string;
}
export interface S3Settings {
  bucket: string;
  region: string;
  prefix: string;
  /** Role whose temporary credentials uploaders get. */
  roleArn: string;
  accessKeyId: string;
  secretAccessKey: string;
  endpoint: string;
  stsEndpoint: string;
  pathStyle: boolean;
}
export interface WechatSignInSettings {
  appId: string;
  appSecret: string;
  endpoint: string;
}
export interface GatewaySettings {
  name: string;
  url: string;
  key: string;
}

export type PaymentCode = 'wechat' | 'alipay' | 'stripe' | 'sandbox';
export interface ProviderSettings {
  /** Where shoppers and providers reach the shop, without a slash at the end; empty when no provider needs it. */
  publicUrl: string;
  payments: Record<Currency, PaymentCode[]>;
  wechatPay?: WechatPaySettings;
  alipay?: AlipaySettings;
  stripe?: StripeSettings;
  sms: 'outbox' | 'none' | TencentSmsSettings;
  storage: 'local' | S3Settings;
  wechatSignIn: 'sandbox' | 'off' | WechatSignInSettings;
  /** By stock type. */
  suppliers: Record<string, 'sandbox' | GatewaySettings>;
}

const takes: Record<PaymentCode, readonly Currency[]> = {
  wechat: ['CNY'],
  alipay: ['CNY'],
  stripe: currencies,
  sandbox: currencies,
};
/** The specification's stock types (section 3); `stock` is the shop's own. */
export const suppliedStockTypes = ['91', 'bamboo', 'ezpaypin', 'fulu', 'transport', 'carrypin', 'kkxi'] as const;

/** Reads one group of variables and remembers what is wrong with them, a line each. */
class Reader {
  constructor(
    private readonly env: NodeJS.ProcessEnv,
    readonly production: boolean,
    readonly problems: string[],
  ) {}

  /** The variable, or the content of the file that NAME_FILE names; '' for neither. */
  text(name: string): string {
    const file = this.env[`${name}_FILE`]?.trim();
    if (!file) return this.env[name]?.trim() ?? '';
    try {
      return fs.readFileSync(file, 'utf8').trim();
    } catch (error) {
      this.problems.push(`${name}_FILE cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown fault'}.`);
      return '';
    }
  }
  need(name: string, because: string, shape: RegExp = /^.+$/s, form = ''): string {
    const value = this.text(name);
    if (!value) this.problems.push(`${name} must be set: ${because}.`);
    else if (!shape.test(value)) this.problems.push(`${name} ${form}.`);
    return value;
  }
  address(name: string, fallback: string): string {
    const value = this.text(name) || fallback;
    if (!value) return '';
    try {
      const url = new URL(value);
      if (url.protocol !== 'https:' && (this.production || url.protocol !== 'http:')) throw new Error('scheme');
      return value.replace(/\/+$/, '');
    } catch {
      this.problems.push(`${name} must be an https address.`);
      return '';
    }
  }
  one<T extends string>(name: string, known: readonly T[], fallback: T): T {
    const value = (this.text(name) || fallback) as T;
    if (!known.includes(value)) {
      this.problems.push(`${name}=${value} is none of ${known.join(', ')}.`);
      return fallback;
    }
    return value;
  }
  noSandbox(name: string): void {
    if (this.production) this.problems.push(`${name} names a sandbox, which does not start with NODE_ENV=production.`);
  }
  /** A PEM key, with real line ends or "\n", or the bare base64 that Alipay's tool writes; as PEM. '' when it is none. */
  key(name: string, kind: 'private' | 'public', because: string): string {
    const value = this.need(name, because);
    if (!value) return '';
    const pem = pemOf(value, kind);
    if (!pem) this.problems.push(`${name} is not a ${kind} key in PEM form.`);
    return pem ?? '';
  }
}

function pemOf(value: string, kind: 'private' | 'public'): string | undefined {
  const text = value.replaceAll('\\n', '\n');
  const bare = text.replace(/\s/g, '');
  const wrap = (label: string) =>
    `-----BEGIN ${label}-----\n${bare.replace(/(.{64})/g, '$1\n').trim()}\n-----END ${label}-----`;
  const forms = text.startsWith('-----BEGIN')
    ? [text]
    : kind === 'private'
      ? [wrap('PRIVATE KEY'), wrap('RSA PRIVATE KEY')]
      : [wrap('PUBLIC KEY')];
  for (const form of forms) {
    try {
      const key: KeyObject =
        kind === 'private'
          ? createPrivateKey(form)
          : form.includes('BEGIN CERTIFICATE')
            ? new X509Certificate(form).publicKey
            : createPublicKey(form);
      if (key.asymmetricKeyType !== 'rsa') continue;
      return key.export({ type: kind === 'private' ? 'pkcs8' : 'spki', format: 'pem' }) as string;
    } catch {
      // the next form
    }
  }
  return undefined;
}

/**
 * Which providers serve the shop, and their keys; the names stand in docs/operating.md. Outside production, what isn't named is a
 * sandbox; in production it is absent. Every fault adds one line to `problems`; no line holds a value that may be secret.
 */
export function readProviderSettings(
  env: NodeJS.ProcessEnv,
  production: boolean,
  problems: string[],
): ProviderSettings {
  const read = new Reader(env, production, problems);
  if (production && env.SANDBOX) read.noSandbox('SANDBOX');
  const payments = Object.fromEntries(
    currencies.map((currency) => [currency, paymentCodes(read, currency)]),
  ) as ProviderSettings['payments'];
  const has = (code: PaymentCode) => currencies.some((currency) => payments[currency].includes(code));
  const real = has('wechat') || has('alipay') || has('stripe') || read.text('WECHAT_SIGN_IN') === 'on';
  const publicUrl = real ? read.address('PUBLIC_URL', '') : '';
  if (real && !read.text('PUBLIC_URL')) {
    problems.push('PUBLIC_URL must be set: providers send their notices and the shopper back to it.');
  }
  return {
    publicUrl,
    payments,
    wechatPay: has('wechat') ? wechatPay(read) : undefined,
    alipay: has('alipay') ? alipay(read) : undefined,
    stripe: has('stripe') ? stripe(read) : undefined,
    sms: sms(read),
    storage: storage(read),
    wechatSignIn: wechatSignIn(read),
    suppliers: suppliers(read),
  };
}

function paymentCodes(read: Reader, currency: Currency): PaymentCode[] {
  const name = `PAYMENTS_${currency}`;
  const wish = read.text(name) || (read.production ? '' : 'sandbox');
  const codes = new Set(
    wish
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one && one !== 'none'),
  );
  return [...codes].filter((code): code is PaymentCode => {
    if (!Object.hasOwn(takes, code)) {
      read.problems.push(`${name}: ${code} is none of ${Object.keys(takes).join(', ')}.`);
      return false;
    }
    if (!takes[code as PaymentCode].includes(currency)) {
      read.problems.push(`${name}: ${code} takes ${takes[code as PaymentCode].join(', ')} only.`);
      return false;
    }
    if (code === 'sandbox') read.noSandbox(name);
    return true;
  });
}

function wechatPay(read: Reader): WechatPaySettings {
  const because = 'WeChat Pay is among the payments';
  const platformKeys: Record<string, string> = {};
  const id = read.need('WECHAT_PAY_PLATFORM_KEY_ID', because);
  const key = read.key('WECHAT_PAY_PLATFORM_KEY', 'public', because);
  if (id && key) platformKeys[id] = key;
  // While WeChat changes its key, notices come under the old and the new one.
  const nextId = read.text('WECHAT_PAY_PLATFORM_KEY_2_ID');
  if (nextId) {
    const next = read.key('WECHAT_PAY_PLATFORM_KEY_2', 'public', 'WECHAT_PAY_PLATFORM_KEY_2_ID is set');
    if (next) platformKeys[nextId] = next;
  }
  const serial = read.need(
    'WECHAT_PAY_SERIAL',
    because,
    /^[0-9A-Fa-f]{8,64}$/,
    'must be the certificate’s serial number',
  );
  if (serial && platformKeys[serial]) {
    read.problems.push('WECHAT_PAY_PLATFORM_KEY_ID is the merchant’s own serial number; it must be the platform’s.');
  }
  return {
    appId: read.need('WECHAT_PAY_APP_ID', because),
    mchId: read.need('WECHAT_PAY_MCH_ID', because, /^\d{6,32}$/, 'must be digits'),
    serial,
    privateKey: read.key('WECHAT_PAY_PRIVATE_KEY', 'private', because),
    apiV3Key: read.need('WECHAT_PAY_API_V3_KEY', because, /^[\x21-\x7e]{32}$/, 'must be 32 characters long'),
    platformKeys,
    endpoint: read.address('WECHAT_PAY_ENDPOINT', 'https://api.mch.weixin.qq.com'),
  };
}

function alipay(read: Reader): AlipaySettings {
  const because = 'Alipay is among the payments';
  return {
    appId: read.need('ALIPAY_APP_ID', because, /^\d{8,32}$/, 'must be digits'),
    privateKey: read.key('ALIPAY_PRIVATE_KEY', 'private', because),
    publicKey: read.key('ALIPAY_PUBLIC_KEY', 'public', because),
    sellerId: read.text('ALIPAY_SELLER_ID'),
    endpoint: read.address('ALIPAY_ENDPOINT', 'https://openapi.alipay.com'),
  };
}

function stripe(read: Reader): StripeSettings {
  const because = 'Stripe is among the payments';
  const secretKey = read.need(
    'STRIPE_SECRET_KEY',
    because,
    /^(sk|rk)_(live|test)_\w{10,}$/,
    'must begin with sk_ or rk_',
  );
  if (read.production && /^(sk|rk)_test_/.test(secretKey)) read.noSandbox('STRIPE_SECRET_KEY');
  return {
    secretKey,
    webhookSecret: read.need('STRIPE_WEBHOOK_SECRET', because, /^whsec_\S{16,}$/, 'must begin with whsec_'),
    endpoint: read.address('STRIPE_ENDPOINT', 'https://api.stripe.com'),
  };
}

function sms(read: Reader): ProviderSettings['sms'] {
  const choice = read.one('SMS', ['tencent', 'outbox', 'none'], read.production ? 'none' : 'outbox');
  if (choice === 'outbox') read.noSandbox('SMS');
  if (choice !== 'tencent') return choice;
  const because = 'SMS=tencent';
  return {
    secretId: read.need('TENCENT_SECRET_ID', because),
    secretKey: read.need('TENCENT_SECRET_KEY', because),
    appId: read.need('TENCENT_SMS_APP_ID', because, /^\d{6,20}$/, 'must be digits'),
    sign: read.need('TENCENT_SMS_SIGN', because),
    template: read.need('TENCENT_SMS_TEMPLATE', because, /^\d{1,20}$/, 'must be digits'),
    withMinutes: read.one('TENCENT_SMS_TEMPLATE_MINUTES', ['yes', 'no'], 'no') === 'yes',
    region: read.text('TENCENT_SMS_REGION') || 'ap-guangzhou',
    endpoint: read.address('TENCENT_SMS_ENDPOINT', 'https://sms.tencentcloudapi.com'),
  };
}

function storage(read: Reader): ProviderSettings['storage'] {
  if (read.one('STORAGE', ['local', 's3'], 'local') === 'local') return 'local';
  const because = 'STORAGE=s3';
  const endpoint = read.address('UPLOADS_S3_ENDPOINT', '');
  return {
    bucket: read.need('UPLOADS_S3_BUCKET', because, /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not a bucket’s name'),
    region: read.need('UPLOADS_S3_REGION', because),
    prefix: read.text('UPLOADS_S3_PREFIX').replace(/^\/+|\/+$/g, ''),
    roleArn: read.need('UPLOADS_S3_ROLE_ARN', 'uploaders get temporary credentials of this role'),
    accessKeyId: read.need('UPLOADS_S3_ACCESS_KEY_ID', because),
    secretAccessKey: read.need('UPLOADS_S3_SECRET_ACCESS_KEY', because),
    endpoint,
    stsEndpoint: read.address('UPLOADS_S3_STS_ENDPOINT', endpoint),
    pathStyle: read.one('UPLOADS_S3_PATH_STYLE', ['yes', 'no'], endpoint ? 'yes' : 'no') === 'yes',
  };
}

function wechatSignIn(read: Reader): ProviderSettings['wechatSignIn'] {
  const choice = read.one('WECHAT_SIGN_IN', ['on', 'sandbox', 'off'], read.production ? 'off' : 'sandbox');
  if (choice === 'sandbox') read.noSandbox('WECHAT_SIGN_IN');
  if (choice !== 'on') return choice;
  const because = 'WECHAT_SIGN_IN=on';
  return {
    appId: read.need('WECHAT_APP_ID', because),
    appSecret: read.need('WECHAT_APP_SECRET', because, /^\S{16,}$/, 'is too short'),
    endpoint: read.address('WECHAT_ENDPOINT', 'https://api.weixin.qq.com'),
  };
}

/** SUPPLIERS="91=sandbox,fulu=north": stock type to supplier; SUPPLIER_NORTH_URL and _KEY say where "north" is. */
function suppliers(read: Reader): ProviderSettings['suppliers'] {
  const wish = read.text('SUPPLIERS');
  if (!wish)
    return read.production ? {} : Object.fromEntries(suppliedStockTypes.map((stockType) => [stockType, 'sandbox']));
  const gateways = new Map<string, GatewaySettings>();
  const chosen: ProviderSettings['suppliers'] = {};
  for (const pair of wish.split(',')) {
    const [stockType = '', name = ''] = pair.split('=').map((one) => one.trim());
    if (!(suppliedStockTypes as readonly string[]).includes(stockType)) {
      read.problems.push(
        `SUPPLIERS: ${stockType || 'an empty stock type'} is none of ${suppliedStockTypes.join(', ')}.`,
      );
    } else if (!/^[a-z][a-z0-9]{0,30}$/.test(name)) {
      read.problems.push(`SUPPLIERS: ${stockType} needs a supplier’s name in small letters.`);
    } else if (name === 'sandbox') {
      read.noSandbox(`SUPPLIERS (${stockType})`);
      chosen[stockType] = 'sandbox';
    } else {
      const known = gateways.get(name) ?? gateway(read, name);
      gateways.set(name, known);
      chosen[stockType] = known;
    }
  }
  return chosen;
}

function gateway(read: Reader, name: string): GatewaySettings {
  const variable = `SUPPLIER_${name.toUpperCase()}`;
  const because = `SUPPLIERS names ${name}`;
  read.need(`${variable}_URL`, because);
  return {
    name,
    url: read.address(`${variable}_URL`, ''),
    key: read.need(`${variable}_KEY`, because, /^\S{32,}$/, 'must be at least 32 characters long'),
  };
}
