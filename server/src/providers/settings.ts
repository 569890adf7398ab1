import { createECDH } from 'node:crypto';
import type { Webhooks } from '@platform/watch';
import { currencies, stockTypes } from '@shop/shared/domain/lists';
import type { Currency } from '../platform/http/schemas';
import { ownEndpoint } from '../platform/settings/provider-variables';
import type { Settings } from '../platform/settings/settings';
import { isMailServer, isThisMachine, listOf } from '../platform/settings/variable-kinds';
import { readChats } from './chats';
import {
  isStripeTestKey,
  type PaymentCode,
  readAlipay,
  readPaymentCodes,
  readStripe,
  readWechatPay,
} from './payment-settings';

export type TencentSmsSettings = ReturnType<typeof readTencentSms>;
export type SmtpSettings = ReturnType<typeof readSmtp>;
export type WebPushSettings = ReturnType<typeof readWebPush>;
export type S3Settings = ReturnType<typeof readS3>;
export type WechatSignInSettings = ReturnType<typeof readWechatSignIn>;
export type ProviderSettings = ReturnType<typeof readProviderSettings>;

/**
 * The providers of the shop and their keys; docs/operations/configuration.md lists the variables. Outside production a provider that is not
 * named is a sandbox; in production it is absent.
 */
export function readProviderSettings(settings: Settings) {
  const payments = Object.fromEntries(
    currencies.map((currency) => [currency, readPaymentCodes(settings, currency)]),
  ) as Record<Currency, PaymentCode[]>;
  const has = (code: PaymentCode) => currencies.some((currency) => payments[currency].includes(code));
  const real = has('wechat') || has('alipay') || has('stripe') || settings.get('WECHAT_SIGN_IN') === 'on';
  const publicUrl = settings.address('PUBLIC_URL');
  if (real && !settings.get('PUBLIC_URL')) {
    settings.problem('PUBLIC_URL must be set: providers send their notices and the shopper back to it.');
  }
  const wechatPay = has('wechat') ? readWechatPay(settings) : undefined;
  const alipay = has('alipay') ? readAlipay(settings) : undefined;
  const stripe = has('stripe') ? readStripe(settings) : undefined;
  /** Whether a payment method moves real money: not the sandbox, a test key or, outside production, another URL. */
  const realMoney = settings.production
    ? has('wechat') || has('alipay') || has('stripe')
    : wechatPay?.endpoint === ownEndpoint.wechat ||
      alipay?.endpoint === ownEndpoint.alipay ||
      (stripe?.endpoint === ownEndpoint.stripe && !isStripeTestKey(stripe.secretKey));
  const others = readOthers(settings);
  return {
    publicUrl,
    payments,
    realMoney,
    wechatPay,
    alipay,
    stripe,
    ...others,
    /** Whether no provider outside this machine is real: no payment, message, mail, push, image store, sign-in or supplier. */
    allSandbox: !realMoney && !isAnyReal(others),
  };
}

function isAnyReal(providers: ReturnType<typeof readOthers>): boolean {
  const { sms, mail, webPush, storage, wechatSignIn, suppliers } = providers;
  const addresses = [
    ...[sms, storage, wechatSignIn].flatMap((service) => (typeof service === 'object' ? [service.endpoint] : [])),
    ...Object.values(suppliers).flatMap((supplier) => (typeof supplier === 'object' ? [supplier.url] : [])),
  ];
  return (
    addresses.some((address) => !URL.canParse(address) || !isThisMachine(new URL(address).hostname)) ||
    (typeof mail === 'object' && !isThisMachine(mail.host)) ||
    (webPush !== undefined && webPush.loopback === '')
  );
}

function readOthers(settings: Settings) {
  const [sms, mail, signIn] = [settings.get('SMS'), settings.get('MAIL'), settings.get('WECHAT_SIGN_IN')];
  if (sms === 'outbox') settings.noSandbox('SMS');
  if (mail === 'outbox') settings.noSandbox('MAIL');
  if (signIn === 'sandbox') settings.noSandbox('WECHAT_SIGN_IN');
  return {
    sms: sms === 'tencent' ? readTencentSms(settings) : sms,
    mail: mail === 'smtp' ? readSmtp(settings) : mail,
    storage: settings.get('STORAGE') === 'local' ? ('local' as const) : readS3(settings),
    wechatSignIn: signIn === 'on' ? readWechatSignIn(settings) : signIn,
    webPush: settings.has('WEB_PUSH_PUBLIC_KEY') ? readWebPush(settings) : undefined,
    suppliers: readSuppliers(settings),
  };
}

function readTencentSms(settings: Settings) {
  const because = 'SMS=tencent';
  return {
    secretId: settings.need('TENCENT_SECRET_ID', because),
    secretKey: settings.need('TENCENT_SECRET_KEY', because),
    appId: settings.need('TENCENT_SMS_APP_ID', because),
    sign: settings.need('TENCENT_SMS_SIGN', because),
    template: settings.need('TENCENT_SMS_TEMPLATE', because),
    /** For numbers outside the mainland, which need a separate template; '' sends no codes to them. */
    templateAbroad: settings.get('TENCENT_SMS_TEMPLATE_ABROAD'),
    withMinutes: settings.get('TENCENT_SMS_TEMPLATE_MINUTES') === 'yes',
    region: settings.get('TENCENT_SMS_REGION'),
    endpoint: settings.address('TENCENT_SMS_ENDPOINT'),
  };
}

function readSmtp(settings: Settings) {
  const because = 'MAIL=smtp';
  settings.need('PUBLIC_URL', 'mails lead back to the shop');
  const url = settings.need('MAIL_SMTP_URL', because);
  /** 'started': STARTTLS is required. 'none': on this machine only. */
  let tls: 'at-once' | 'started' | 'none' = 'at-once';
  const { protocol, hostname, port } = new URL(isMailServer(url) ? url : 'smtp://none');
  if (protocol !== 'smtps:') tls = isThisMachine(hostname) ? 'none' : 'started';
  /** '' for a server without authentication. */
  const user = settings.get('MAIL_SMTP_USER');
  const sender = settings.need('MAIL_FROM', because);
  const [, name = '', address = sender] = /^([^<]*)<([^<>]+)>$/.exec(sender) ?? [];
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'smtps:' ? 465 : 587),
    tls,
    user,
    password: user ? settings.need('MAIL_SMTP_PASSWORD', 'MAIL_SMTP_USER is set') : '',
    from: { name: name.trim(), address: address.trim() },
  };
}

function readWebPush(settings: Settings) {
  const because = 'WEB_PUSH_PUBLIC_KEY is set';
  const publicKey = settings.get('WEB_PUSH_PUBLIC_KEY');
  const privateKey = settings.need('WEB_PUSH_PRIVATE_KEY', because);
  if (privateKey && !isKeyPair(publicKey, privateKey))
    settings.problem('WEB_PUSH_PUBLIC_KEY and WEB_PUSH_PRIVATE_KEY are not a pair.');
  const hosts = listOf(settings.get('WEB_PUSH_HOSTS'));
  const loopback = hosts.find((host) => /^127\.0\.0\.1:\d+$/.test(host)) ?? '';
  if (loopback && settings.production)
    settings.problem('WEB_PUSH_HOSTS names this machine, which does not start with NODE_ENV=production.');
  return {
    publicKey,
    privateKey,
    contact: settings.need('WEB_PUSH_CONTACT', because),
    /** Host names of push services; their subdomains are included. */
    hosts: hosts.filter((host) => host !== loopback),
    /** Host and port on this machine that act as a push service without TLS, outside production; '' for none. */
    loopback,
  };
}

function isKeyPair(publicKey: string, privateKey: string): boolean {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(privateKey, 'base64url');
    return curve.getPublicKey('base64url') === publicKey;
  } catch {
    return false;
  }
}

function readS3(settings: Settings) {
  const because = 'STORAGE=s3';
  const endpoint = settings.address('UPLOADS_S3_ENDPOINT');
  return {
    bucket: settings.need('UPLOADS_S3_BUCKET', because),
    region: settings.need('UPLOADS_S3_REGION', because),
    prefix: settings.get('UPLOADS_S3_PREFIX').replace(/^\/+|\/+$/g, ''),
    accessKeyId: settings.need('UPLOADS_S3_ACCESS_KEY_ID', because),
    secretAccessKey: settings.need('UPLOADS_S3_SECRET_ACCESS_KEY', because),
    endpoint,
    pathStyle: (settings.get('UPLOADS_S3_PATH_STYLE') || (endpoint ? 'yes' : 'no')) === 'yes',
  };
}

function readWechatSignIn(settings: Settings) {
  const because = 'WECHAT_SIGN_IN=on';
  return {
    appId: settings.need('WECHAT_APP_ID', because),
    appSecret: settings.need('WECHAT_APP_SECRET', because),
    endpoint: settings.address('WECHAT_ENDPOINT'),
  };
}

export type GatewaySettings = { name: string } & ReturnType<Settings['supplier']>;

/** By stock type. */
type SupplierSettings = Record<string, 'sandbox' | GatewaySettings>;

export const suppliedStockTypes = stockTypes.filter((stockType) => stockType !== 'stock');

/** SUPPLIERS="91=sandbox,fulu=north" maps stock types to suppliers; SUPPLIER_NORTH_URL and _KEY configure "north". */
function readSuppliers(settings: Settings): SupplierSettings {
  const setting = settings.get('SUPPLIERS');
  if (!setting)
    return settings.production ? {} : Object.fromEntries(suppliedStockTypes.map((stockType) => [stockType, 'sandbox']));
  const chosen: SupplierSettings = {};
  for (const pair of setting.split(',')) {
    const [stockType = '', name = ''] = pair.split('=').map((part) => part.trim());
    if (!(suppliedStockTypes as readonly string[]).includes(stockType)) {
      settings.problem(`SUPPLIERS: ${stockType || 'an empty stock type'} is none of ${suppliedStockTypes.join(', ')}.`);
    } else if (!/^[a-z][a-z0-9]{0,30}$/.test(name)) {
      settings.problem(`SUPPLIERS: ${stockType} needs a supplier’s name in lower case.`);
    } else if (name === 'sandbox') {
      settings.noSandbox(`SUPPLIERS (${stockType})`);
      chosen[stockType] = 'sandbox';
    } else {
      chosen[stockType] = { name, ...settings.supplier(name) };
    }
  }
  return chosen;
}

export function readWebhooks(settings: Settings, of: 'RELEASE' | 'STAFF'): Webhooks {
  const urls = listOf(settings.get(`${of}_WEBHOOK_URL`));
  return {
    headerPrefix: 'x-shop',
    urls,
    secret: urls.length
      ? settings.need(`${of}_WEBHOOK_SECRET`, `${of}_WEBHOOK_URL is set`)
      : settings.get(`${of}_WEBHOOK_SECRET`),
  };
}

export function readStaffNotices(settings: Settings) {
  const mail = listOf(settings.get('STAFF_MAIL_TO'));
  if (mail.length && settings.get('MAIL') === 'none') settings.problem('STAFF_MAIL_TO needs MAIL.');
  return { mail, webhooks: readWebhooks(settings, 'STAFF'), chats: readChats(settings) };
}
