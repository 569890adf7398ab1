import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import { isIP } from 'node:net';
import path from 'node:path';
import { readPictureOrigins } from '@platform/pages/picture-origins';
import { currencies } from '@shop/shared/domain/lists';
import { isTimeZone } from '@shop/shared/domain/time-zone';
import { isWeakKey } from './platform/crypto/secret-strength';
import { StartError } from './platform/db/database';
import { fromWire } from './platform/http/money';
import type { Currency } from './platform/http/schemas';
import { readTracing } from './platform/monitoring/tracing/tracing-settings';
import { type CountryCode, isCountry } from './platform/phones/phone';
import { Settings } from './platform/settings/settings';
import { type ProviderSettings, readProviderSettings, readStaffNotices, readWebhooks } from './providers/settings';

export type Config = ReturnType<typeof readConfig>;

interface ConfigInput {
  dataDir: string;
  env?: NodeJS.ProcessEnv;
  logger?: boolean;
  /** Whether to generate missing secrets. Must be false for a database that already holds data. True by default. */
  createSecrets?: boolean;
  backOffice?: { readSettings(settings: Settings): void };
}

/**
 * Reads the environment (server/src/platform/settings/variables.ts). Outside production, missing secrets are generated once and
 * kept in the data folder. Throws a StartError with one line for each problem.
 */
export function readConfig(input: ConfigInput) {
  const { dataDir, env = process.env, logger = false, createSecrets = true, backOffice } = input;
  const settings = new Settings(env);
  const { production } = settings;
  const readOrCreateSecret = (name: string, variable: string) => {
    if (production) settings.problem(`${variable} must be set with NODE_ENV=production.`);
    else if (createSecrets || fs.existsSync(path.join(dataDir, name))) return keepSecret(dataDir, name);
    else settings.problem(`${path.join(dataDir, name)} is missing: restore it from the backup, or set ${variable}.`);
    return '';
  };
  const secret = settings.get('APP_SECRET') || readOrCreateSecret('app-secret', 'APP_SECRET');
  const providers = readProviderSettings(settings);
  const demo = readDemo(settings, providers.realMoney);
  const config = {
    production,
    dataDir,
    /** Signs short-lived tokens (account checks, uploads). Several processes must share it. */
    secret,
    /** Keys for encryption at rest, 32 bytes each. The first one encrypts, all decrypt. */
    cardKeys: readCardKeys(settings, readOrCreateSecret),
    /** True outside production while every provider is a sandbox: enables the pages that show unsent codes and mails. */
    sandbox: !production && providers.allSandbox,
    demo,
    /** The shop takes real money now or later: it sells no demo codes and does not start on a database with sandbox money. */
    live: providers.realMoney || (production && !demo),
    sandboxPayKey: production ? '' : settings.get('SANDBOX_PAY_KEY') || `${secret}/sandbox-pay`,
    providers,
    /** Origin of the staff console; '' outside production means the address of its listener. */
    staffUrl: readStaffUrl(settings, providers.publicUrl, backOffice !== undefined),
    webhooks: readWebhooks(settings, 'RELEASE'),
    staffNotices: readStaffNotices(settings),
    /** Bearer token for reading /metrics from other machines; '' allows none. */
    metricsToken: settings.get('METRICS_TOKEN'),
    tracing: readTracing(settings),
    indexed: readIndexed(settings, providers.publicUrl !== ''),
    pictureOrigins: readMediaOrigins(settings),
    /** Addresses of the trusted proxies ("loopback", "10.0.0.0/8"); false uses the address of the connection. */
    trustProxy: readTrustedProxies(settings),
    logger,
    /** Maximum age of the last check for changes when a cached response is sent, in ms; see response-cache/response-cache.ts. */
    freshMs: settings.get('ANSWERS_FRESH_MS'),
    /** How long a stopping server still accepts requests, so that the load balancer can notice. */
    drainMs: settings.get('DRAIN_SECONDS') * 1000,
    render: settings.get('SHOP_RENDER') === 'on',
    hasServiceWorker: settings.get('SERVICE_WORKER') === 'on',
    resendSeconds: settings.get('CODE_RESEND_SECONDS'),
    smsPerDay: settings.get('SMS_DAILY_BUDGET'),
    /** Part of the daily budget that one country outside the mainland may use. */
    smsPerCountry: settings.get('SMS_COUNTRY_DAILY_BUDGET'),
    codeMailsPerDay: settings.get('CODE_MAIL_DAILY_BUDGET'),
    /** Countries whose phone numbers are accepted; null accepts all. */
    phoneCountries: readPhoneCountries(settings, providers.sms),
    timeZone: readTimeZone(settings),
    supplierMarginPercent: settings.get('SUPPLIER_MARGIN_PERCENT'),
    supplierPollSeconds: settings.get('SUPPLIER_POLL_SECONDS'),
    sessionIdleSeconds: settings.get('SESSION_IDLE_DAYS') * 86_400,
    /** Minor units that a session may spend from the wallet per day without a second proof; an absent currency has no limit. */
    walletProofAbove: readAmounts(settings, 'WALLET_PROOF_ABOVE'),
    /** Minor units of an order that one staff member may refund; an absent currency has no limit. */
    staffRefundAbove: readAmounts(settings, 'STAFF_REFUND_ABOVE'),
    /** Minor units that one staff member may give per day in refunds, credits and coupons together; an absent currency has no limit. */
    staffDayAbove: readAmounts(settings, 'STAFF_DAY_ABOVE'),
    /** Card codes that one staff member may export per day. */
    staffExportAbove: settings.get('STAFF_EXPORT_ABOVE'),
  };
  backOffice?.readSettings(settings);
  settings.stopAtProblems();
  return config;
}

function readDemo(settings: Settings, realMoney: boolean): boolean {
  const choice = settings.get('DEMO') || (settings.production || realMoney ? 'off' : 'on');
  if (choice === 'on' && realMoney)
    settings.problem('DEMO=on does not start with real payments: its codes are worth nothing.');
  return choice === 'on';
}

/** The shop runs code of every squad, so the console must not share its host: browsers send cookies to all ports of a host. */
function readStaffUrl(settings: Settings, publicUrl: string, hasConsole: boolean): string {
  const url = settings.address('STAFF_URL');
  if (!url) {
    if (settings.production && hasConsole)
      settings.problem('STAFF_URL must be set: the staff console needs a separate host name.');
    return '';
  }
  if (!URL.canParse(url)) return '';
  const { origin, hostname } = new URL(url);
  if (origin !== url) settings.problem('STAFF_URL must be an origin such as https://staff.shop.example.');
  if (!URL.canParse(publicUrl)) {
    settings.problem('PUBLIC_URL must be set: the staff console must not share the host of the shop.');
    return url;
  }
  const shop = new URL(publicUrl);
  if (settings.production ? hostname === shop.hostname : origin === shop.origin)
    settings.problem('STAFF_URL must not be the address of the shop: remotes would act as the signed-in staff.');
  return url;
}

function readIndexed(settings: Settings, hasAddress: boolean): boolean {
  const choice = settings.get('SEARCH_ENGINES') || (settings.production && hasAddress ? 'on' : 'off');
  if (choice === 'on' && !hasAddress) settings.problem('SEARCH_ENGINES=on needs PUBLIC_URL, the address of the shop.');
  return choice === 'on';
}

function readMediaOrigins(settings: Settings): readonly string[] {
  const { origins, faulty } = readPictureOrigins(settings.get('MEDIA_ORIGINS'));
  for (const origin of faulty)
    settings.problem(`MEDIA_ORIGINS: ${origin} is not an origin like https://pictures.example.`);
  return origins;
}

const NAMED_RANGES = ['loopback', 'linklocal', 'uniquelocal'];
/** The widest ranges that have one owner: 10.0.0.0/8 and fc00::/7. */
const WIDEST_RANGE = { 4: 8, 6: 7 };

function isProxy(entry: string): boolean {
  const [, address = '', , prefix] = /^([\da-f.:]+)(\/(\d{1,3}))?$/.exec(entry) ?? [];
  const family = isIP(address) as 0 | 4 | 6;
  if (!family) return NAMED_RANGES.includes(entry);
  if (prefix === undefined) return true;
  const isMapped = family === 6 && /^[0:]*:ffff:/.test(address);
  return !isMapped && Number(prefix) >= WIDEST_RANGE[family] && Number(prefix) <= (family === 4 ? 32 : 128);
}

/** Addresses and ranges of the trusted proxies, as Fastify reads them; false uses the address of the connection. */
function readTrustedProxies(settings: Settings): false | string[] {
  const text = settings.get('TRUST_PROXY').toLowerCase();
  if (!text) return false;
  const entries = text.split(/\s*,\s*|\s+/);
  const faulty = entries.find((entry) => !isProxy(entry));
  if (faulty !== undefined)
    settings.problem(
      `TRUST_PROXY: "${faulty}" is not a proxy’s address. Write addresses, ranges up to a /8, or ${NAMED_RANGES.join(', ')}, separated by commas; a number of proxies, "true" or all addresses would let a client choose its own address.`,
    );
  return entries;
}

function readTimeZone(settings: Settings): string {
  const zone = settings.get('SHOP_TIME_ZONE');
  if (!isTimeZone(zone)) settings.problem(`SHOP_TIME_ZONE=${zone} is not a time zone like Asia/Shanghai.`);
  return zone;
}

/** Returns minor units by currency; "off" gives none. */
function readAmounts(
  settings: Settings,
  name: 'WALLET_PROOF_ABOVE' | 'STAFF_REFUND_ABOVE' | 'STAFF_DAY_ABOVE',
): Partial<Record<Currency, number>> {
  const text = settings.get(name);
  if (text === 'off') return {};
  const amounts = text.split(',').map((part) => {
    const [currency = '', amount = ''] = part.trim().split('=');
    return [currency, fromWire(amount)] as const;
  });
  if (!amounts.every(([currency, amount]) => currencies.includes(currency as Currency) && amount !== undefined))
    settings.problem(`${name} must be off, or amounts like "CNY=1000.00,USD=150.00".`);
  return Object.fromEntries(amounts);
}

/** Countries that the SMS provider cannot reach are not offered. */
function readPhoneCountries(settings: Settings, sms: ProviderSettings['sms']): readonly CountryCode[] | null {
  const text = settings.get('PHONE_COUNTRIES');
  const isMainlandOnly = typeof sms === 'object' && !sms.templateAbroad;
  if (text === 'all') return isMainlandOnly ? ['CN'] : null;
  const codes = [...new Set(text.split(',').map((code) => code.trim()))];
  const validCodes = codes.filter(isCountry);
  if (validCodes.length < codes.length)
    settings.problem('PHONE_COUNTRIES must be all, or codes of countries like "CN,US,GB".');
  else if (isMainlandOnly && codes.some((code) => code !== 'CN'))
    settings.problem('TENCENT_SMS_TEMPLATE_ABROAD must be set: PHONE_COUNTRIES names countries other than CN.');
  return validCodes;
}

function readCardKeys(settings: Settings, readOrCreateSecret: (name: string, variable: string) => string) {
  const configured = settings.get('CARD_KEYS');
  const local = configured ? '' : readOrCreateSecret('card-key', 'CARD_KEYS');
  if (!configured && !local) return [];
  const keys = (configured || `local:${local}`).split(',').map((part) => {
    const [id = '', encoded = ''] = part.trim().split(':');
    return { id, key: Buffer.from(encoded, 'base64') };
  });
  if (!keys.every(({ id, key }) => id && key.length === 32))
    settings.problem('CARD_KEYS must be "id:base64 of 32 bytes", separated by commas.');
  else if (settings.production && keys.some(({ key }) => isWeakKey(key)))
    settings.problem('CARD_KEYS must hold random keys: openssl rand -base64 32.');
  return keys;
}

export function lacksSecrets(dataDir: string, env: NodeJS.ProcessEnv): boolean {
  const has = (name: string, variable: string) => Boolean(env[variable]) || fs.existsSync(path.join(dataDir, name));
  return !has('app-secret', 'APP_SECRET') || !has('card-key', 'CARD_KEYS');
}

function keepSecret(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  try {
    fs.mkdirSync(dataDir, { recursive: true });
    // "wx": if two processes start together, one writes and both read the same file.
    fs.writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    // A data folder that is a file exists, too.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !fs.existsSync(file))
      throw new StartError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
  }
  return fs.readFileSync(file, 'utf8').trim();
}
