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
  PAYMENTS_CNY: text({
    description:
      'Payment methods for CNY, in the order shown: `wechat`, `alipay`, `stripe`, `sandbox`, `none`; outside production by default `sandbox`.',
    example: 'wechat,alipay',
  }),
  PAYMENTS_USD: text({
    description: 'Payment methods for USD: `stripe`, `sandbox`, `none`; outside production by default `sandbox`.',
    example: 'stripe',
  }),
  SANDBOX_PAY_KEY: text({
    description: 'Signs the notices of sandbox payments that another program sends. Ignored in production.',
  }),
  WECHAT_PAY_APP_ID: text({ description: 'WeChat Pay: the app.', example: 'wx1234567890abcdef' }),
  WECHAT_PAY_MCH_ID: shaped(/^\d{6,32}$/, DIGITS, { description: 'WeChat Pay: the merchant.', example: '1900000001' }),
  WECHAT_PAY_SERIAL: shaped(/^[0-9A-Fa-f]{8,64}$/, 'must be the certificate’s serial number', {
    description: 'Serial number of the merchant’s certificate.',
    example: '1DDE55AD98ED71D6EDD4A4A16996DE7B47773A8C',
  }),
  WECHAT_PAY_PRIVATE_KEY: text({ description: 'PEM key of the merchant’s certificate.' }),
  WECHAT_PAY_API_V3_KEY: shaped(/^[\x21-\x7e]{32}$/, 'must be 32 characters long', {
    description: 'Decrypts WeChat Pay’s notices.',
  }),
  WECHAT_PAY_PLATFORM_KEY_ID: text({
    description: 'Id of WeChat Pay’s public key, or serial number of its certificate.',
    example: 'PUB_KEY_ID_0119000000012024101500000000000000',
  }),
  WECHAT_PAY_PLATFORM_KEY: text({ description: 'WeChat Pay’s public key or certificate, as PEM.' }),
  WECHAT_PAY_PLATFORM_KEY_2_ID: text({ description: 'Id of WeChat Pay’s next key, during a rotation.' }),
  WECHAT_PAY_PLATFORM_KEY_2: text({ description: 'WeChat Pay’s next key, during a rotation.' }),
  WECHAT_PAY_ENDPOINT: address(production, {
    description: 'Address of WeChat Pay’s API.',
    initial: ownEndpoint.wechat,
  }),
  ALIPAY_APP_ID: shaped(/^\d{8,32}$/, DIGITS, { description: 'Alipay: the app.', example: '2021000000000001' }),
  ALIPAY_PRIVATE_KEY: text({ description: 'The app’s RSA2 key: PEM, or base64 as Alipay’s tool writes it.' }),
  ALIPAY_PUBLIC_KEY: text({ description: 'Alipay’s public key, not the app’s.' }),
  ALIPAY_SELLER_ID: text({
    description: 'Optional. Notices for another seller are refused.',
    example: '2088000000000001',
  }),
  ALIPAY_ENDPOINT: address(production, { description: 'Address of Alipay’s API.', initial: ownEndpoint.alipay }),
  STRIPE_SECRET_KEY: shaped(/^(sk|rk)_(live|test)_\w{10,}$/, 'must begin with sk_ or rk_', {
    description:
      'A restricted key is enough: Checkout sessions, refunds, reading charges. Production refuses test keys.',
  }),
  STRIPE_WEBHOOK_SECRET: shaped(/^whsec_\S{16,}$/, 'must begin with whsec_', {
    description: 'Signing secret of Stripe’s webhook endpoint.',
  }),
  STRIPE_ENDPOINT: address(production, { description: 'Address of Stripe’s API.', initial: ownEndpoint.stripe }),
});

export const messageVariables = (production: boolean) => ({
  SMS: choice(['tencent', 'outbox', 'none'], production ? 'none' : 'outbox', {
    description: 'Provider of text messages. `outbox` is a page of the server, for development only.',
  }),
  TENCENT_SECRET_ID: text({ description: 'A sub-account of Tencent Cloud that may only send messages.' }),
  TENCENT_SECRET_KEY: text({ description: 'The sub-account’s key.' }),
  TENCENT_SMS_APP_ID: shaped(/^\d{6,20}$/, DIGITS, { description: 'The SMS application.', example: '1400006666' }),
  TENCENT_SMS_SIGN: text({ description: 'The signature of messages.', example: '星点' }),
  TENCENT_SMS_TEMPLATE: shaped(/^\d{1,20}$/, DIGITS, {
    description: 'The template for mainland numbers. Its first parameter is the code.',
    example: '449739',
  }),
  TENCENT_SMS_TEMPLATE_ABROAD: shaped(/^\d{1,20}$/, DIGITS, {
    description:
      'The template for international messages, with the same parameters. Without it only mainland numbers are accepted.',
    example: '449740',
  }),
  TENCENT_SMS_TEMPLATE_MINUTES: choice(['yes', 'no'], 'no', {
    description: 'Whether the template’s second parameter is the validity in minutes.',
  }),
  TENCENT_SMS_REGION: text({ description: 'Region of the API.', initial: 'ap-guangzhou' }),
  TENCENT_SMS_ENDPOINT: address(production, {
    description: 'Address of the API.',
    initial: 'https://sms.tencentcloudapi.com',
  }),
  MAIL: choice(['smtp', 'outbox', 'none'], production ? 'none' : 'outbox', {
    description:
      'Provider of mail. With it, shoppers who read English can sign in by email. `outbox` is for development only.',
  }),
  MAIL_SMTP_URL: checked(isMailServer, 'must be like smtps://mail.example:465 or smtp://mail.example:587', {
    description:
      'The mail server: `smtps:` with TLS from the start, `smtp:` with STARTTLS, which only this machine may lack.',
    example: 'smtps://mail.example:465',
  }),
  MAIL_SMTP_USER: text({
    description: 'User at the mail server; empty when it asks for none.',
    example: 'notices@shop.example',
  }),
  MAIL_SMTP_PASSWORD: text({ description: 'Password at the mail server.' }),
  MAIL_FROM: checked(isSender, 'must be an address like "Shop <notices@shop.example>"', {
    description: 'The sender. Its domain needs SPF, DKIM and DMARC at your mail service.',
    example: 'Shop <notices@shop.example>',
  }),
  WEB_PUSH_PUBLIC_KEY: shaped(/^[\w-]{87}$/, 'must be a P-256 key of 87 letters in base64url', {
    description:
      'VAPID public key (`npx web-push generate-vapid-keys`). Without it there is no push; a new key ends every subscription.',
  }),
  WEB_PUSH_PRIVATE_KEY: shaped(/^[\w-]{43}$/, 'must be a P-256 key of 43 letters in base64url', {
    description: 'VAPID private key.',
  }),
  WEB_PUSH_CONTACT: shaped(/^(mailto:\S+@\S+|https:\/\/\S+)$/, 'must be a mailto: or https: address', {
    description: 'Where a push service reaches you.',
    example: 'mailto:ops@shop.example',
  }),
  WEB_PUSH_HOSTS: checked(
    (value) => listOf(value).every((host) => pushHost.test(host)),
    'must be names of hosts, separated by commas',
    {
      description: 'Hosts of the push services that the server may call, with their subdomains.',
      initial: 'fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com',
    },
  ),
  STAFF_MAIL_TO: checked(
    (value) => listOf(value).every((recipient) => emailPattern.test(recipient)),
    'must be mail addresses, separated by commas',
    {
      description: 'Staff who get mail about orders that wait for manual delivery and about low stock. Needs `MAIL`.',
      example: 'ann@shop.example',
    },
  ),
  STAFF_WEBHOOK_URL: addresses(production, { description: 'Addresses that get every paid order and low stock.' }),
  STAFF_WEBHOOK_SECRET: shaped(LONG, LONG_ENOUGH, { description: 'Signs these webhooks; 32 characters or more.' }),
  STAFF_CHATS: text({ description: 'Group chats that get notices, as JSON; see [chats](monitoring.md#chats).' }),
});

export const storageVariables = (production: boolean) => ({
  STORAGE: choice(['local', 's3'], 'local', {
    description: 'Where uploaded pictures are stored: in the data folder or in a bucket.',
  }),
  UPLOADS_S3_BUCKET: shaped(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not a bucket’s name', {
    description: 'The private bucket; only the shop reads it.',
    example: 'shop-pictures',
  }),
  UPLOADS_S3_REGION: text({ description: 'Region of the bucket.', example: 'eu-central-1' }),
  UPLOADS_S3_PREFIX: text({ description: 'Prefix of every key.', example: 'prod' }),
  UPLOADS_S3_ROLE_ARN: text({
    description: 'Role for uploaders: put under `<prefix>/incoming/`, nothing else.',
    example: 'arn:aws:iam::123456789012:role/uploader',
  }),
  UPLOADS_S3_ACCESS_KEY_ID: text({
    description: 'Key of the server: get, put and delete under the prefix, and assume the role.',
  }),
  UPLOADS_S3_SECRET_ACCESS_KEY: text({ description: 'The key’s secret.' }),
  UPLOADS_S3_ENDPOINT: address(production, {
    description: 'Address of an S3 service other than Amazon’s.',
    example: 'https://s3.example',
  }),
  UPLOADS_S3_STS_ENDPOINT: address(production, {
    description: 'Address of its token service; default: `UPLOADS_S3_ENDPOINT`.',
  }),
  UPLOADS_S3_PATH_STYLE: choice(['yes', 'no'], '', {
    description: 'Whether the bucket’s name is in the path; default: `yes` with an endpoint.',
  }),
});

export const signInVariables = (production: boolean) => ({
  WECHAT_SIGN_IN: choice(['on', 'sandbox', 'off'], production ? 'off' : 'sandbox', {
    description: 'Sign-in by WeChat. `sandbox` is for development only.',
  }),
  WECHAT_APP_ID: text({ description: 'The official account. Register the shop’s domain there.' }),
  WECHAT_APP_SECRET: shaped(/^\S{16,}$/, 'is too short', { description: 'The account’s secret.' }),
  WECHAT_ENDPOINT: address(production, {
    description: 'Address of WeChat’s API.',
    initial: 'https://api.weixin.qq.com',
  }),
});

export const supplyVariables = () => ({
  SUPPLIERS: text({
    description: 'Supplier of each stock type, of `91, bamboo, ezpaypin, fulu, transport, carrypin, kkxi`.',
    example: '91=north,fulu=south',
  }),
  SUPPLIER_MARGIN_PERCENT: whole({
    description:
      'Part of a price, in percent, that must remain after the supplier’s cost; a value with less is off sale.',
    minimum: 0,
    maximum: 90,
    initial: 0,
  }),
  SUPPLIER_POLL_SECONDS: whole({
    description: 'Seconds between two polls of a supplier for costs and stock.',
    minimum: 60,
    maximum: 86_400,
    initial: 300,
  }),
});
