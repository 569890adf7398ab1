import { currencies } from '../platform/http/money';
import type { Currency } from '../platform/http/schemas';
import type { EnvReader } from './env-reader';

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

/** The providers' own addresses. */
export const ownEndpoint = {
  wechat: 'https://api.mch.weixin.qq.com',
  alipay: 'https://openapi.alipay.com',
  stripe: 'https://api.stripe.com',
} as const;
export const isStripeTestKey = (key: string) => /^(sk|rk)_test_/.test(key);

export type PaymentCode = 'wechat' | 'alipay' | 'stripe' | 'sandbox';
const takes: Record<PaymentCode, readonly Currency[]> = {
  wechat: ['CNY'],
  alipay: ['CNY'],
  stripe: currencies,
  sandbox: currencies,
};
export function readPaymentCodes(read: EnvReader, currency: Currency): PaymentCode[] {
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

export function readWechatPay(read: EnvReader): WechatPaySettings {
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
    endpoint: read.address('WECHAT_PAY_ENDPOINT', ownEndpoint.wechat),
  };
}

export function readAlipay(read: EnvReader): AlipaySettings {
  const because = 'Alipay is among the payments';
  return {
    appId: read.need('ALIPAY_APP_ID', because, /^\d{8,32}$/, 'must be digits'),
    privateKey: read.key('ALIPAY_PRIVATE_KEY', 'private', because),
    publicKey: read.key('ALIPAY_PUBLIC_KEY', 'public', because),
    sellerId: read.text('ALIPAY_SELLER_ID'),
    endpoint: read.address('ALIPAY_ENDPOINT', ownEndpoint.alipay),
  };
}

export function readStripe(read: EnvReader): StripeSettings {
  const because = 'Stripe is among the payments';
  const secretKey = read.need(
    'STRIPE_SECRET_KEY',
    because,
    /^(sk|rk)_(live|test)_\w{10,}$/,
    'must begin with sk_ or rk_',
  );
  if (read.production && isStripeTestKey(secretKey)) read.noSandbox('STRIPE_SECRET_KEY');
  return {
    secretKey,
    webhookSecret: read.need('STRIPE_WEBHOOK_SECRET', because, /^whsec_\S{16,}$/, 'must begin with whsec_'),
    endpoint: read.address('STRIPE_ENDPOINT', ownEndpoint.stripe),
  };
}
