import { Type } from 'typebox';
import { isWeakSecret } from '../crypto/secret-strength';
import {
  messageVariables,
  paymentVariables,
  signInVariables,
  storageVariables,
  supplyVariables,
} from './provider-variables';
import {
  address,
  addresses,
  checked,
  isUrl,
  LONG,
  LONG_ENOUGH,
  number,
  onOff,
  secret,
  shaped,
  text,
  whole,
} from './variable-kinds';

const port = (description: string, initial: number) => whole(description, { minimum: 0, maximum: 65_535, initial });

const processVariables = (production: boolean) => ({
  PORT: port('Port of the shop.', 8080),
  STAFF_PORT: port('Port of the staff console.', 8081),
  LOG: text('`off` for no log.', { example: 'off' }),
  DATA_DIR: text('The data folder: embedded database, secrets, pictures.', { initial: '.data' }),
  DATABASE_URL: text(
    'PostgreSQL 15 or later, or a pooler that keeps a session for each connection; empty: the embedded database in `DATA_DIR`.',
    { example: 'postgres://shop:password@db.example/shop' },
  ),
  TRUST_PROXY: text('Addresses of the proxies before the server, from which it takes the client’s address.', {
    example: 'loopback,10.0.0.0/8',
  }),
  DRAIN_SECONDS: number('How long a stopping server still accepts requests.', {
    minimum: 0,
    maximum: 300,
    initial: production ? 5 : 0,
  }),
  ANSWERS_FRESH_MS: number('Maximum age of a cached response, in ms; 0 asks the database each time.', {
    minimum: 0,
    maximum: 60_000,
    initial: 100,
  }),
  METRICS_TOKEN: secret('Bearer token with which other machines read `/metrics`.', production),
});

const appSecret = 'Signs short-lived tokens. All servers share it.';

const shopVariables = (production: boolean) => ({
  APP_SECRET: production
    ? secret(appSecret, production)
    : shaped(appSecret, /^.{16,}$/s, 'must be at least 16 characters long'),
  CARD_KEYS: text('Encryption keys, `id:base64 of 32 bytes`, with commas. The first encrypts, all decrypt.', {
    example: 'k1:BASE64_OF_32_RANDOM_BYTES',
  }),
  DEMO: onOff(
    'Whether an empty database gets the demonstration’s catalogue; default: `on` outside production without real payments.',
    '',
  ),
  PUBLIC_URL: address('Public address of the shop.', production, { example: 'https://shop.example' }),
  STAFF_URL: address('Origin of the staff console, on another host than the shop.', production, {
    example: 'https://staff.shop.example',
  }),
  SEARCH_ENGINES: onOff(
    'Whether search engines may list the pages; default: `on` in production with a `PUBLIC_URL`.',
    '',
  ),
  SHOP_RENDER: onOff('Whether the server renders pages.', 'on'),
  SERVICE_WORKER: onOff('`off` removes the offline page and its service worker from browsers.', 'on'),
  MEDIA_ORIGINS: text('Other origins from which pages may show pictures and media, with commas.', {
    example: 'https://cdn.example',
  }),
  // A shop in production waits at least a minute.
  CODE_RESEND_SECONDS: number(
    'Seconds between two verification codes to one phone or mailbox; at least 60 in production.',
    { minimum: production ? 60 : 1, maximum: 3_600, initial: 60 },
  ),
  SMS_DAILY_BUDGET: whole(
    'Text messages a day. The log has an error from 70 %, each message needs a challenge from 80 %.',
    { minimum: 1, initial: 5_000 },
  ),
  SMS_COUNTRY_DAILY_BUDGET: whole('Of these, messages a day to one country other than mainland China.', {
    minimum: 0,
    initial: 200,
  }),
  CODE_MAIL_DAILY_BUDGET: whole('Verification codes by mail a day.', { minimum: 1, initial: 2_000 }),
  PHONE_COUNTRIES: text('ISO codes of the countries whose phones are accepted, or `all`.', {
    initial: 'all',
    example: 'CN,US,GB',
  }),
  SESSION_IDLE_DAYS: whole('Days after which an unused session ends. Every session ends after 30 days.', {
    minimum: 1,
    maximum: 30,
    initial: 14,
  }),
  SHOP_TIME_ZONE: text('IANA name of the time zone in which the shop’s days begin and end.', {
    initial: 'Asia/Shanghai',
    example: 'America/New_York',
  }),
  WALLET_PROOF_ABOVE: text(
    'What a session may spend from the wallet in a day without another proof; `off` for any amount.',
    { initial: 'CNY=1000.00,USD=150.00' },
  ),
  STAFF_REFUND_ABOVE: text(
    'Above this amount a second member of staff approves a refund, credit or pay-back; `off` for never.',
    { initial: 'CNY=500.00,USD=70.00' },
  ),
  STAFF_DAY_ABOVE: text(
    'What one member of staff may give in 24 hours without a second one: refunds, credits, pay-backs and coupons; or `off`.',
    { initial: 'CNY=5000.00,USD=700.00' },
  ),
  STAFF_EXPORT_ABOVE: whole('Unsold card codes that one member of staff may export in 24 hours without a second one.', {
    minimum: 0,
    maximum: 1_000_000,
    initial: 100,
  }),
});

const releaseVariables = (production: boolean) => ({
  RELEASE_OIDC: text('Forges whose tokens may release, as JSON; see [deploy](deploy.md#keys-and-tokens).'),
  RELEASE_WEBHOOK_URL: addresses('Addresses that get every change of the release map.', production),
  RELEASE_WEBHOOK_SECRET: shaped('Signs these webhooks; 32 characters or more.', LONG, LONG_ENOUGH),
});

/** A collector beside the shop rarely has a certificate. */
const collector = (description: string, options?: { example: string }) =>
  checked(description, (value) => isUrl(value, ['http:', 'https:']), 'must be an http or https address', options);

const traceVariables = () => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: collector('Collector of traces (OTLP over HTTP, JSON). Empty: no traces.', {
    example: 'http://collector:4318',
  }),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector('The same, as the complete address for traces.'),
  OTEL_EXPORTER_OTLP_HEADERS: checked(
    'Headers for the collector, percent-encoded.',
    (value) => value.split(',').every((header) => /^\s*([\w-]+\s*=([^%]|%[\da-f]{2})*)?$/i.test(header)),
    'must be "name=value", separated by commas',
    { example: 'authorization=Bearer%20token' },
  ),
  OTEL_SERVICE_NAME: text('Name of the service in traces.', { initial: 'shop' }),
  OTEL_TRACES_SAMPLER_ARG: number('Share of the traces that is recorded.', { minimum: 0, maximum: 1, initial: 0.1 }),
  OTEL_BSP_SCHEDULE_DELAY: number('Milliseconds between two batches.', { minimum: 1, maximum: 60_000, initial: 5_000 }),
  OTEL_SDK_DISABLED: text('`true` for no traces.'),
});
/**
 * Every environment variable that the server reads, except those of the release store and its bucket, by title of a section of
 * docs/operations/configuration.md, which `npm run configuration` generates.
 */
export const variableSections = (production: boolean) => ({
  Process: processVariables(production),
  Shop: shopVariables(production),
  Payments: paymentVariables(production),
  'Text messages, mail, push and notices to staff': messageVariables(production),
  'Uploaded pictures': storageVariables(production),
  'Sign-in by WeChat': signInVariables(production),
  Suppliers: { ...supplyVariables(), ...supplierVariables(production) },
  'Release API and webhooks': releaseVariables(production),
  Traces: traceVariables(),
});

export const variablesOf = (production: boolean) =>
  Type.Object({
    ...processVariables(production),
    ...shopVariables(production),
    ...paymentVariables(production),
    ...messageVariables(production),
    ...storageVariables(production),
    ...signInVariables(production),
    ...supplyVariables(),
    ...releaseVariables(production),
    ...traceVariables(),
  });

/** A supplier's own variables have its name in capitals. */
export const supplierVariables = (production: boolean) => ({
  'SUPPLIER_<NAME>_URL': address('Gateway of the supplier.', production, { example: 'https://north.example' }),
  'SUPPLIER_<NAME>_KEY': checked(
    'Signs calls to the gateway; 32 characters or more.',
    (value) => LONG.test(value) && !(production && isWeakSecret(value)),
    production ? 'must be at least 32 random characters long' : LONG_ENOUGH,
  ),
});
