import { Type } from 'typebox';
import { isWeakSecret, tooEasy } from '../crypto/secret-strength';

const text = (initial = '') => Type.String({ default: initial });
const shaped = (pattern: RegExp, must: string) => Type.String({ default: '', pattern: pattern.source, must });
const choice = <Known extends string>(known: Known[], initial: NoInfer<Known> | '') =>
  Type.Unsafe<Known>({ enum: known, default: initial });
const number = (minimum: number, maximum: number, initial: number, must: string) =>
  Type.Number({ minimum, maximum, default: initial, must });
const whole = (minimum: number, maximum: number, initial: number, must: string) =>
  Type.Integer({ minimum, maximum, default: initial, must });
const checked = (isGood: (value: string) => boolean, must: string, initial = '') =>
  Type.Refine(Type.String({ default: initial, must }), (value) => isGood(String(value)));

const isUrl = (value: string, protocols: readonly string[]) =>
  URL.canParse(value) && protocols.includes(new URL(value).protocol);
export const isThisMachine = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
/** Without TLS on this machine only, where nobody reads along. */
export const isSafeAddress = (value: string) =>
  isUrl(value, ['https:']) || (isUrl(value, ['http:']) && isThisMachine(new URL(value).hostname));
/** Its sign-in stands in variables of its own. */
export const isMailServer = (value: string) =>
  /^smtps?:\/\/([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?\/?$/i.test(value) && URL.canParse(value);

const mailAddress = /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/;
/** A name with a dot and no number at its end; for trying, a port of this machine. */
const pushHost = /^([a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}|127\.0\.0\.1:\d{1,5})$/;

/** The payment providers' own addresses. */
export const ownEndpoint = {
  wechat: 'https://api.mch.weixin.qq.com',
  alipay: 'https://openapi.alipay.com',
  stripe: 'https://api.stripe.com',
};
const DIGITS = 'must be digits';
const LONG = /^\S{32,}$/;
const LONG_ENOUGH = 'must be at least 32 characters long';

/**
 * Every environment variable that the server reads, except those of the release store and its bucket; docs/operating.md
 * says what each is for. `must` is what is said of a malformed value, after the variable's name.
 */
export const variablesOf = (production: boolean) => {
  const protocols = production ? ['https:'] : ['https:', 'http:'];
  const address = (initial = '') => checked((value) => isUrl(value, protocols), 'must be an https address', initial);
  const secret = production ? checked((value) => !isWeakSecret(value), tooEasy) : text();
  const onOff = (initial: 'on' | '') => choice(['on', 'off'], initial);
  const webhooks = checked(
    (value) => value.split(/[\s,]+/).every((one) => one === '' || isUrl(one, protocols)),
    'must be https addresses, separated by commas',
  );
  // A collector beside the shop has no certificate as a rule.
  const collector = checked((value) => isUrl(value, ['http:', 'https:']), 'must be an http or https address');
  return Type.Object({
    // The process
    PORT: whole(0, 65_535, 8080, 'is not a port number'),
    STAFF_PORT: whole(0, 65_535, 8081, 'is not a port number'),
    LOG: text(),
    DATA_DIR: text('.data'),
    DATABASE_URL: text(),
    TRUST_PROXY: text(),
    DRAIN_SECONDS: number(0, 300, production ? 5 : 0, 'must be a number of seconds up to 300'),
    ANSWERS_FRESH_MS: number(0, 60_000, 100, 'must be a number of ms up to 60000'),
    METRICS_TOKEN: secret,
    // The shop
    APP_SECRET: production ? secret : shaped(/^.{16,}$/s, 'must be at least 16 characters long'),
    CARD_KEYS: text(),
    SANDBOX_PAY_KEY: text(),
    DEMO: onOff(''),
    PUBLIC_URL: address(),
    STAFF_URL: address(),
    SEARCH_ENGINES: onOff(''),
    SHOP_RENDER: onOff('on'),
    MEDIA_ORIGINS: text(),
    // A shop in production waits a minute at least (docs/product.md#verification-codes).
    CODE_RESEND_SECONDS: number(
      production ? 60 : 1,
      3_600,
      60,
      'must be a number of seconds up to 3600, in production from 60',
    ),
    SMS_DAILY_BUDGET: whole(1, Number.MAX_SAFE_INTEGER, 5_000, 'must be a number of messages'),
    SMS_COUNTRY_DAILY_BUDGET: whole(0, Number.MAX_SAFE_INTEGER, 200, 'must be a number of messages'),
    CODE_MAIL_DAILY_BUDGET: whole(1, Number.MAX_SAFE_INTEGER, 2_000, 'must be a number of mails'),
    PHONE_COUNTRIES: text('all'),
    SESSION_IDLE_DAYS: whole(1, 30, 14, 'must be a number of days up to 30'),
    WALLET_PROOF_ABOVE: text('CNY=1000.00,USD=150.00'),
    STAFF_REFUND_ABOVE: text('CNY=500.00,USD=70.00'),
    STAFF_DAY_ABOVE: text('CNY=5000.00,USD=700.00'),
    // Payments
    PAYMENTS_CNY: text(),
    PAYMENTS_USD: text(),
    WECHAT_PAY_APP_ID: text(),
    WECHAT_PAY_MCH_ID: shaped(/^\d{6,32}$/, DIGITS),
    WECHAT_PAY_SERIAL: shaped(/^[0-9A-Fa-f]{8,64}$/, 'must be the certificate’s serial number'),
    WECHAT_PAY_PRIVATE_KEY: text(),
    WECHAT_PAY_API_V3_KEY: shaped(/^[\x21-\x7e]{32}$/, 'must be 32 characters long'),
    WECHAT_PAY_PLATFORM_KEY_ID: text(),
    WECHAT_PAY_PLATFORM_KEY: text(),
    WECHAT_PAY_PLATFORM_KEY_2_ID: text(),
    WECHAT_PAY_PLATFORM_KEY_2: text(),
    WECHAT_PAY_ENDPOINT: address(ownEndpoint.wechat),
    ALIPAY_APP_ID: shaped(/^\d{8,32}$/, DIGITS),
    ALIPAY_PRIVATE_KEY: text(),
    ALIPAY_PUBLIC_KEY: text(),
    ALIPAY_SELLER_ID: text(),
    ALIPAY_ENDPOINT: address(ownEndpoint.alipay),
    STRIPE_SECRET_KEY: shaped(/^(sk|rk)_(live|test)_\w{10,}$/, 'must begin with sk_ or rk_'),
    STRIPE_WEBHOOK_SECRET: shaped(/^whsec_\S{16,}$/, 'must begin with whsec_'),
    STRIPE_ENDPOINT: address(ownEndpoint.stripe),
    // Messages, pictures, WeChat, suppliers
    SMS: choice(['tencent', 'outbox', 'none'], production ? 'none' : 'outbox'),
    TENCENT_SECRET_ID: text(),
    TENCENT_SECRET_KEY: text(),
    TENCENT_SMS_APP_ID: shaped(/^\d{6,20}$/, DIGITS),
    TENCENT_SMS_SIGN: text(),
    TENCENT_SMS_TEMPLATE: shaped(/^\d{1,20}$/, DIGITS),
    TENCENT_SMS_TEMPLATE_ABROAD: shaped(/^\d{1,20}$/, DIGITS),
    TENCENT_SMS_TEMPLATE_MINUTES: choice(['yes', 'no'], 'no'),
    TENCENT_SMS_REGION: text('ap-guangzhou'),
    TENCENT_SMS_ENDPOINT: address('https://sms.tencentcloudapi.com'),
    MAIL: choice(['smtp', 'outbox', 'none'], production ? 'none' : 'outbox'),
    MAIL_SMTP_URL: checked(isMailServer, 'must be like smtps://mail.example:465 or smtp://mail.example:587'),
    MAIL_SMTP_USER: text(),
    MAIL_SMTP_PASSWORD: text(),
    MAIL_FROM: shaped(
      /^([^<>"\r\n]{0,60}<[\w.+-]+@[\w-]+(\.[\w-]+)+>|[\w.+-]+@[\w-]+(\.[\w-]+)+)$/,
      'must be an address like "Shop <notices@shop.example>"',
    ),
    WEB_PUSH_PUBLIC_KEY: shaped(/^[\w-]{87}$/, 'must be a P-256 key of 87 letters in base64url'),
    WEB_PUSH_PRIVATE_KEY: shaped(/^[\w-]{43}$/, 'must be a P-256 key of 43 letters in base64url'),
    WEB_PUSH_CONTACT: shaped(/^(mailto:\S+@\S+|https:\/\/\S+)$/, 'must be a mailto: or https: address'),
    WEB_PUSH_HOSTS: checked(
      (value) => value.split(/[\s,]+/).every((one) => one === '' || pushHost.test(one)),
      'must be names of hosts, separated by commas',
      'fcm.googleapis.com,push.services.mozilla.com,notify.windows.com,push.apple.com',
    ),
    STAFF_MAIL_TO: checked(
      (value) => value.split(/[\s,]+/).every((one) => one === '' || mailAddress.test(one)),
      'must be mail addresses, separated by commas',
    ),
    STAFF_WEBHOOK_URL: webhooks,
    STAFF_WEBHOOK_SECRET: shaped(LONG, LONG_ENOUGH),
    STORAGE: choice(['local', 's3'], 'local'),
    UPLOADS_S3_BUCKET: shaped(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'is not a bucket’s name'),
    UPLOADS_S3_REGION: text(),
    UPLOADS_S3_PREFIX: text(),
    UPLOADS_S3_ROLE_ARN: text(),
    UPLOADS_S3_ACCESS_KEY_ID: text(),
    UPLOADS_S3_SECRET_ACCESS_KEY: text(),
    UPLOADS_S3_ENDPOINT: address(),
    UPLOADS_S3_STS_ENDPOINT: address(),
    UPLOADS_S3_PATH_STYLE: choice(['yes', 'no'], ''),
    WECHAT_SIGN_IN: choice(['on', 'sandbox', 'off'], production ? 'off' : 'sandbox'),
    WECHAT_APP_ID: text(),
    WECHAT_APP_SECRET: shaped(/^\S{16,}$/, 'is too short'),
    WECHAT_ENDPOINT: address('https://api.weixin.qq.com'),
    SUPPLIERS: text(),
    // Releases
    RELEASE_OIDC: text(),
    RELEASE_WEBHOOK_URL: webhooks,
    RELEASE_WEBHOOK_SECRET: shaped(LONG, LONG_ENOUGH),
    // Traces; the names are those of OpenTelemetry's specification.
    OTEL_SDK_DISABLED: text(),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector,
    OTEL_EXPORTER_OTLP_HEADERS: checked(
      (value) => value.split(',').every((one) => /^\s*([\w-]+\s*=([^%]|%[\da-f]{2})*)?$/i.test(one)),
      'must be "name=value", separated by commas',
    ),
    OTEL_SERVICE_NAME: text('shop'),
    OTEL_TRACES_SAMPLER_ARG: number(0, 1, 0.1, 'must be a share from 0 to 1'),
    OTEL_BSP_SCHEDULE_DELAY: number(1, 60_000, 5_000, 'must be a number of ms up to 60000'),
  });
};

/** SUPPLIER_<NAME>_URL and SUPPLIER_<NAME>_KEY of each supplier that SUPPLIERS names. */
export const supplierVariables = (production: boolean) => ({
  url: variablesOf(production).properties.PUBLIC_URL,
  key: checked(
    (value) => LONG.test(value) && !(production && isWeakSecret(value)),
    production ? 'must be at least 32 random characters long' : LONG_ENOUGH,
  ),
});
