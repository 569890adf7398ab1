import { currencies } from '../platform/http/money';
import type { Currency } from '../platform/http/schemas';
import { EnvReader } from './env-reader';
import {
  type AlipaySettings,
  isStripeTestKey,
  ownEndpoint,
  type PaymentCode,
  readAlipay,
  readPaymentCodes,
  readStripe,
  readWechatPay,
  type StripeSettings,
  type WechatPaySettings,
} from './payment-settings';
import { readSuppliers, type SupplierSettings } from './supplier-settings';

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
export interface ProviderSettings {
  /** Where shoppers and providers reach the shop, without a slash at the end; may be empty when no provider needs it. */
  publicUrl: string;
  payments: Record<Currency, PaymentCode[]>;
  /** A method is among the payments whose money is real: not the sandbox, a test key or, outside production, another address. */
  realMoney: boolean;
  wechatPay?: WechatPaySettings;
  alipay?: AlipaySettings;
  stripe?: StripeSettings;
  sms: 'outbox' | 'none' | TencentSmsSettings;
  storage: 'local' | S3Settings;
  wechatSignIn: 'sandbox' | 'off' | WechatSignInSettings;
  /** By stock type. */
  suppliers: SupplierSettings;
}

/**
 * The providers of the shop and their keys; docs/operating.md lists the variables. Outside production a provider that is not
 * named is a sandbox; in production it is absent. Every fault adds one line to `problems`.
 */
export function readProviderSettings(
  env: NodeJS.ProcessEnv,
  production: boolean,
  problems: string[],
): ProviderSettings {
  const read = new EnvReader(env, production, problems);
  if (production && env.SANDBOX) read.noSandbox('SANDBOX');
  const payments = Object.fromEntries(
    currencies.map((currency) => [currency, readPaymentCodes(read, currency)]),
  ) as ProviderSettings['payments'];
  const has = (code: PaymentCode) => currencies.some((currency) => payments[currency].includes(code));
  const real = has('wechat') || has('alipay') || has('stripe') || read.text('WECHAT_SIGN_IN') === 'on';
  const publicUrl = read.address('PUBLIC_URL', '');
  if (real && !read.text('PUBLIC_URL')) {
    problems.push('PUBLIC_URL must be set: providers send their notices and the shopper back to it.');
  }
  const wechatPay = has('wechat') ? readWechatPay(read) : undefined;
  const alipay = has('alipay') ? readAlipay(read) : undefined;
  const stripe = has('stripe') ? readStripe(read) : undefined;
  return {
    publicUrl,
    payments,
    realMoney: production
      ? has('wechat') || has('alipay') || has('stripe')
      : wechatPay?.endpoint === ownEndpoint.wechat ||
        alipay?.endpoint === ownEndpoint.alipay ||
        (stripe?.endpoint === ownEndpoint.stripe && !isStripeTestKey(stripe.secretKey)),
    wechatPay,
    alipay,
    stripe,
    sms: sms(read),
    storage: storage(read),
    wechatSignIn: wechatSignIn(read),
    suppliers: readSuppliers(read),
  };
}

function sms(read: EnvReader): ProviderSettings['sms'] {
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

function storage(read: EnvReader): ProviderSettings['storage'] {
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

function wechatSignIn(read: EnvReader): ProviderSettings['wechatSignIn'] {
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
