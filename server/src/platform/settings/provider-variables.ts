import { emailPattern } from '@shop/shared/domain/email';
import {
  address,
  addresses,
  checked,
  choice,
  isMailServer,
  LONG,
  LONG_ENOUGH,
  listOf,
  shaped,
  text,
  whole,
} from './variable-kinds';

export const ownEndpoint = {
  wechat: 'https://api.mch.weixin.qq.com',
  alipay: 'https://openapi.alipay.com',
  stripe: 'https://api.stripe.com',
};

const DIGITS = 'must be digits';
/** An address, or a name and an address: "Shop <notices@shop.example>". */
const isSender = (value: string) => emailPattern.test(/^[^<>"\r\n]{0,60}<(.+)>$/.exec(value)?.[1] ?? value);
/** A host name with a dot and without a number at its end, or, for development, a port of this machine. */
const pushHost = /^([a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}|127\.0\.0\.1:\d{1,5})$/;

export const paymentVariables = (production: boolean) => ({
  PAYMENTS_CNY: text(
    'Payment methods for CNY, in the order shown: `wechat`, `alipay`, `stripe`, `sandbox`, `none`; outside production by default `sandbox`.',
    { example: 'wechat,alipay' },
  ),
  PAYMENTS_USD: text('Payment methods for USD: `stripe`, `sandbox`, `none`; outside production by default `sandbox`.', {
    example: 'stripe',
  }),
  SANDBOX_PAY_KEY: text('Signs the notices of sandbox payments that another program sends. Ignored in production.'),
  WECHAT_PAY_APP_ID: text('WeChat Pay: the app.', { example: 'wx1234567890abcdef' }),
  WECHAT_PAY_MCH_ID: shaped('WeChat Pay: the merchant.', /^\d{6,32}$/, DIGITS, { example: '1900000001' }),
  WECHAT_PAY_SERIAL: shaped(
    'Serial number of the merchant’s certificate.',
    /^[0-9A-Fa-f]{8,64}$/,
    'must be the certificate’s serial number',
    { example: '1DDE55AD98ED71D6EDD4A4A16996DE7B47773A8C' },
  ),
  WECHAT_PAY_PRIVATE_KEY: text('PEM key of the merchant’s certificate.'),
  WECHAT_PAY_API_V3_KEY: shaped('Decrypts WeChat Pay’s notices.', /^[\x21-\x7e]{32}$/, 'must be 32 characters long'),
  WECHAT_PAY_PLATFORM_KEY_ID: text('Id of WeChat Pay’s public key, or serial number of its certificate.', {
    example: 'PUB_KEY_ID_0119000000012024101500000000000000',
  }),
  WECHAT_PAY_PLATFORM_KEY: text('WeChat Pay’s public key or certificate, as PEM.'),
  WECHAT_PAY_PLATFORM_KEY_2_ID: text('Id of WeChat Pay’s next key, during a rotation.'),
  WECHAT_PAY_PLATFORM_KEY_2: text('WeChat Pay’s next key, during a rotation.'),
  WECHAT_PAY_ENDPOINT: address('Address of WeChat Pay’s API.', production, { initial: ownEndpoint.wechat }),
  ALIPAY_APP_ID: shaped('Alipay: the app.', /^\d{8,32}$/, DIGITS, { example: '2021000000000001' }),
  ALIPAY_PRIVATE_KEY: text('The app’s RSA2 key: PEM, or base64 as Alipay’s tool writes it.'),
  ALIPAY_PUBLIC_KEY: text('Alipay’s public key, not the app’s.'),
  ALIPAY_SELLER_ID: text('Optional. Notices for another seller are refused.', { example: '2088000000000001' }),
  ALIPAY_ENDPOINT: address('Address of Alipay’s API.', production, { initial: ownEndpoint.alipay }),
  STRIPE_SECRET_KEY: shaped(
    'A restricted key is enough: Checkout sessions, refunds, reading charges. Production refuses test keys.',
    /^(sk|rk)_(live|test)_\w{10,}$/,
    'must begin with sk_ or rk_',
  ),
  STRIPE_WEBHOOK_SECRET: shaped(
    'Signing secret of Stripe’s webhook endpoint.',
    /^whsec_\S{16,}$/,
    'must begin with whsec_',
  ),
  STRIPE_ENDPOINT: address('Address of Stripe’s API.', production, { initial: ownEndpoint.stripe }),
});

export const messageVariables = (production: boolean) => ({
  SMS: choice(
    'Provider of text messages. `outbox` is a page of the server, for development only.',
    ['tencent', 'outbox', 'none'],
    production ? 'none' : 'outbox',
  ),
  TENCENT_SECRET_ID: text('A sub-account of Tencent Cloud that may only send messages.'),
  TENCENT_SECRET_KEY: text('The sub-account’s key.'),
  TENCENT_SMS_APP_ID: shaped('The SMS application.', /^\d{6,20}$/, DIGITS, { example: '1400006666' }),
  TENCENT_SMS_SIGN: text('The signature of messages.', { example: '星点' }),
  TENCENT_SMS_TEMPLATE: shaped(
    'The template for mainland numbers. Its first parameter is the code.',
    /^\d{1,20}$/,
    DIGITS,
    { example: '449739' },
  ),
  TENCENT_SMS_TEMPLATE_ABROAD: shaped(
    'The template for international messages, with the same parameters. Without it only mainland numbers are accepted.',
    /^\d{1,20}$/,
    DIGITS,
    { example: '449740' },
  ),
  TENCENT_SMS_TEMPLATE_MINUTES: choice(
    'Whether the template’s second parameter is the validity in minutes.',
    ['yes', 'no'],
    'no',
  ),
  TENCENT_SMS_REGION: text('Region of the API.', { initial: 'ap-guangzhou' }),
  TENCENT_SMS_ENDPOINT: address('Address of the API.', production, { initial: 'https://sms.tencentcloudapi.com' }),
  MAIL: choice(
    'Provider of mail. With it, shoppers who read English can sign in by email. `outbox` is for development only.',
    ['smtp', 'outbox', 'none'],
    production ? 'none' : 'outbox',
  ),
  MAIL_SMTP_URL: checked(
    'The mail server: `smtps:` with TLS from the start, `smtp:` with STARTTLS, which only this machine may lack.',
    isMailServer,
    'must be like smtps://mail.example:465 or smtp://mail.example:587',
    { example: 'smtps://mail.example:465' },
  ),
  MAIL_SMTP_USER: text('User at the mail server; empty when it asks for none.', { example: 'notices@shop.example' }),
  MAIL_SMTP_PASSWORD: text('Password at the mail server.'),
  MAIL_FROM: checked(
    'The sender. Its domain needs SPF, DKIM and DMARC at your mail service.',
    isSender,
    'must be an address like "Shop <notices@shop.example>"',
    { example: 'Shop <notices@shop.example>' },
  ),
  WEB_PUSH_PUBLIC_KEY: shaped(
    'VAPID public key (`npx web-push generate-vapid-keys`). Without it there is no push; a new key ends every subscription.',
    /^[\w-]{87}$/,
    'must be a P-256 key of 87 letters in base64url',
  ),
  WEB_PUSH_PRIVATE_KEY: shaped('VAPID private key.', /^[\w-]{43}$/, 'must be a P-256 key of 43 letters in base64url'),
  WEB_PUSH_CONTACT: shaped(
    'Where a push service reaches you.',
    /^(mailto:\S+@\S+|https:\/\/\S+)$/,
    'must be a mailto: or https: address',
    { example: 'mailto:ops@shop.example' },
  ),
  WEB_PUSH_HOSTS: checked(
    'Hosts of the push services that the server may call, with their subdomains.',
    (value) => listOf(value).every((host) => pushHost.test(host)),
    'must be names of hosts, separated by commas',
    { initial: 'fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com' },
  ),
  STAFF_MAIL_TO: checked(
    'Staff who get mail about orders that wait for manual delivery and about low stock. Needs `MAIL`.',
    (value) => listOf(value).every((recipient) => emailPattern.test(recipient)),
    'must be mail addresses, separated by commas',
    { example: 'ann@shop.example' },
  ),
  STAFF_WEBHOOK_URL: addresses('Addresses that get every paid order and low stock.', production),
  STAFF_WEBHOOK_SECRET: shaped('Signs these webhooks; 32 characters or more.', LONG, LONG_ENOUGH),
  STAFF_CHATS: text('Group chats that get notices, as JSON; see [chats](monitoring.md#chats).'),
});

export const storageVariables = (production: boolean) => ({
  STORAGE: choice('Where uploaded pictures are stored: in the data folder or in a bucket.', ['local', 's3'], 'local'),
  UPLOADS_S3_BUCKET: shaped(
    'The private bucket; only the shop reads it.',
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'is not a bucket’s name',
    { example: 'shop-pictures' },
  ),
  UPLOADS_S3_REGION: text('Region of the bucket.', { example: 'eu-central-1' }),
  UPLOADS_S3_PREFIX: text('Prefix of every key.', { example: 'prod' }),
  UPLOADS_S3_ACCESS_KEY_ID: text('Key of the server: get, put and delete under the prefix.'),
  UPLOADS_S3_SECRET_ACCESS_KEY: text('The key’s secret.'),
  UPLOADS_S3_ENDPOINT: address('Address of an S3 service other than Amazon’s.', production, {
    example: 'https://s3.example',
  }),
  UPLOADS_S3_PATH_STYLE: choice(
    'Whether the bucket’s name is in the path; default: `yes` with an endpoint.',
    ['yes', 'no'],
    '',
  ),
});

export const signInVariables = (production: boolean) => ({
  WECHAT_SIGN_IN: choice(
    'Sign-in by WeChat. `sandbox` is for development only.',
    ['on', 'sandbox', 'off'],
    production ? 'off' : 'sandbox',
  ),
  WECHAT_APP_ID: text('The official account. Register the shop’s domain there.'),
  WECHAT_APP_SECRET: shaped('The account’s secret.', /^\S{16,}$/, 'is too short'),
  WECHAT_ENDPOINT: address('Address of WeChat’s API.', production, { initial: 'https://api.weixin.qq.com' }),
});

export const supplyVariables = () => ({
  SUPPLIERS: text('Supplier of each stock type, of `91, bamboo, ezpaypin, fulu, transport, carrypin, kkxi`.', {
    example: '91=north,fulu=south',
  }),
  SUPPLIER_MARGIN_PERCENT: whole(
    'Part of a price, in percent, that must remain after the supplier’s cost; a value with less is off sale.',
    { minimum: 0, maximum: 90, initial: 0 },
  ),
  SUPPLIER_POLL_SECONDS: whole('Seconds between two polls of a supplier for costs and stock.', {
    minimum: 60,
    maximum: 86_400,
    initial: 300,
  }),
});
