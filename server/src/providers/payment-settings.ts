import { currencies } from '@shop/shared/domain/lists';
import type { Currency } from '../platform/http/schemas';
import type { Settings } from '../platform/settings/settings';
import { listOf } from '../platform/settings/variable-kinds';

export type WechatPaySettings = ReturnType<typeof readWechatPay>;
export type AlipaySettings = ReturnType<typeof readAlipay>;
export type StripeSettings = ReturnType<typeof readStripe>;

export const isStripeTestKey = (key: string) => /^(sk|rk)_test_/.test(key);

export type PaymentCode = 'wechat' | 'alipay' | 'stripe' | 'sandbox';
const takes: Record<PaymentCode, readonly Currency[]> = {
  wechat: ['CNY'],
  alipay: ['CNY'],
  stripe: currencies,
  sandbox: currencies,
};
export function readPaymentCodes(settings: Settings, currency: Currency): PaymentCode[] {
  const name = `PAYMENTS_${currency}` as const;
  const setting = settings.get(name) || (settings.production ? '' : 'sandbox');
  const codes = new Set(listOf(setting).filter((code) => code !== 'none'));
  return [...codes].filter((code): code is PaymentCode => {
    if (!Object.hasOwn(takes, code)) {
      settings.problem(`${name}: ${code} is none of ${Object.keys(takes).join(', ')}.`);
      return false;
    }
    if (!takes[code as PaymentCode].includes(currency)) {
      settings.problem(`${name}: ${code} takes ${takes[code as PaymentCode].join(', ')} only.`);
      return false;
    }
    if (code === 'sandbox') settings.noSandbox(name);
    return true;
  });
}

export function readWechatPay(settings: Settings) {
  const because = 'WeChat Pay is among the payments';
  /** Platform certificates or public keys by their serial number or id. */
  const platformKeys: Record<string, string> = {};
  const id = settings.need('WECHAT_PAY_PLATFORM_KEY_ID', because);
  const key = settings.key('WECHAT_PAY_PLATFORM_KEY', 'public', because);
  if (id && key) platformKeys[id] = key;
  // While WeChat changes its key, notifications are signed with the old or the new one.
  const nextId = settings.get('WECHAT_PAY_PLATFORM_KEY_2_ID');
  if (nextId) {
    const nextKey = settings.key('WECHAT_PAY_PLATFORM_KEY_2', 'public', 'WECHAT_PAY_PLATFORM_KEY_2_ID is set');
    if (nextKey) platformKeys[nextId] = nextKey;
  }
  const serial = settings.need('WECHAT_PAY_SERIAL', because);
  if (serial && platformKeys[serial]) {
    settings.problem('WECHAT_PAY_PLATFORM_KEY_ID is the merchant’s own serial number; it must be the platform’s.');
  }
  return {
    appId: settings.need('WECHAT_PAY_APP_ID', because),
    mchId: settings.need('WECHAT_PAY_MCH_ID', because),
    serial,
    privateKey: settings.key('WECHAT_PAY_PRIVATE_KEY', 'private', because),
    apiV3Key: settings.need('WECHAT_PAY_API_V3_KEY', because),
    platformKeys,
    endpoint: settings.address('WECHAT_PAY_ENDPOINT'),
  };
}

export function readAlipay(settings: Settings) {
  const because = 'Alipay is among the payments';
  return {
    appId: settings.need('ALIPAY_APP_ID', because),
    privateKey: settings.key('ALIPAY_PRIVATE_KEY', 'private', because),
    /** Alipay's public key, not the merchant's. */
    publicKey: settings.key('ALIPAY_PUBLIC_KEY', 'public', because),
    /** The merchant's Alipay id; checked in notifications if it is set. */
    sellerId: settings.get('ALIPAY_SELLER_ID'),
    endpoint: settings.address('ALIPAY_ENDPOINT'),
  };
}

export function readStripe(settings: Settings) {
  const because = 'Stripe is among the payments';
  const secretKey = settings.need('STRIPE_SECRET_KEY', because);
  if (settings.production && isStripeTestKey(secretKey)) settings.noSandbox('STRIPE_SECRET_KEY');
  return {
    secretKey,
    webhookSecret: settings.need('STRIPE_WEBHOOK_SECRET', because),
    endpoint: settings.address('STRIPE_ENDPOINT'),
  };
}
