import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { readPictureOrigins } from '@shop/document/picture-origins';
import { isWeakKey, isWeakSecret, weakSecret } from './platform/crypto/secret-strength';
import { StartError } from './platform/db/database';
import { currencies, fromWire } from './platform/http/money';
import type { Currency } from './platform/http/schemas';
import { readTracing, type TracingSettings } from './platform/monitoring/tracing/tracing-settings';
import { type ProviderSettings, readProviderSettings } from './providers/settings';
import { readWebhooks, type Webhooks } from './providers/webhook-settings';

/** A shop in production waits at least as long (docs/product.md#verification-codes). */
const RESEND_SECONDS = 60;
/** More than the `keepalive_timeout` of deploy/nginx. */
const DRAIN_SECONDS = 5;

export interface Config {
  production: boolean;
  dataDir: string;
  /** Signs short-lived tokens (account checks, uploads). Several processes must share it. */
  secret: string;
  /** Keys for encryption at rest, 32 bytes each. The first one encrypts, all decrypt. */
  cardKeys: Array<{ id: string; key: Buffer }>;
  /** Outside production: the outbox, the OpenAPI document. */
  sandbox: boolean;
  /** Fills an empty database with a catalogue to try. */
  demo: boolean;
  /** Takes real money, now or later: sells no code of the demonstration, and starts on no database with sandbox money. */
  live: boolean;
  sandboxPayKey: string;
  providers: ProviderSettings;
  webhooks: Webhooks;
  /** Reads /metrics from other machines; '' for none. */
  metricsToken: string;
  /** Null: off. */
  tracing: TracingSettings | null;
  /** Whether search engines may list this shop's pages. */
  indexed: boolean;
  /** Of pictures beside the shop's own; see http/picture-origins.ts. */
  pictureOrigins: readonly string[];
  /** Addresses of the proxies before the server ("loopback", "10.0.0.0/8"); false takes the connection's own address. */
  trustProxy: false | string;
  logger: boolean;
  /** How old a check for changes may be when a cached response is sent, in ms; see response-cache/response-cache.ts. */
  freshMs: number;
  /** How long a server that is told to stop goes on taking requests, so that whoever balances the load learns of it. */
  drainMs: number;
  /** Whether public pages are rendered on the server. */
  render: boolean;
  /** Between two codes to one phone. */
  resendSeconds: number;
  /** Text messages that the shop sends within a day. */
  smsPerDay: number;
  /** After which a session that nobody uses has ended. */
  sessionIdleSeconds: number;
  /** Minor units that a session may spend from the wallet within a day without a second proof; none: any amount. */
  walletProofAbove: Partial<Record<Currency, number>>;
  /** Minor units of an order that one person at /staff may refund; none: any amount. */
  staffRefundAbove: Partial<Record<Currency, number>>;
}

export interface ConfigInput {
  dataDir: string;
  env?: NodeJS.ProcessEnv;
  logger?: boolean;
  /** Whether missing secrets may be made up; not for a database that holds data already. True by default. */
  createSecrets?: boolean;
}

/**
 * Reads the environment: CARD_KEYS ("id:base64,id:base64"), APP_SECRET, SANDBOX_PAY_KEY, DEMO, TRUST_PROXY, ANSWERS_FRESH_MS, SEARCH_ENGINES, SHOP_RENDER, SMS_DAILY_BUDGET,
 * MEDIA_ORIGINS, DRAIN_SECONDS, CODE_RESEND_SECONDS, METRICS_TOKEN, SESSION_IDLE_DAYS, WALLET_PROOF_ABOVE, STAFF_REFUND_ABOVE, NODE_ENV, and the providers' variables (docs/operating.md). Outside production, what is missing is made up once and kept in
 * the data folder. A StartError names every problem, one a line.
 */
export function readConfig({ dataDir, env = process.env, logger = false, createSecrets = true }: ConfigInput): Config {
  const production = env.NODE_ENV === 'production';
  const problems: string[] = [];
  const kept = (name: string, variable: string) => {
    if (production) {
      problems.push(`${variable} must be set with NODE_ENV=production.`);
      return '';
    }
    if (createSecrets || fs.existsSync(path.join(dataDir, name))) return keepSecret(dataDir, name);
    problems.push(`${path.join(dataDir, name)} is missing: put it back from the backup, or set ${variable}.`);
    return '';
  };
  const secret = env.APP_SECRET || kept('app-secret', 'APP_SECRET');
  if (secret && secret.length < 16) problems.push('APP_SECRET must be at least 16 characters long.');
  else if (production && secret && isWeakSecret(secret)) problems.push(weakSecret('APP_SECRET'));
  const keys = env.CARD_KEYS || kept('card-key', 'CARD_KEYS');
  const cardKeys = keys ? parseKeys(env.CARD_KEYS ? keys : `local:${keys}`) : [];
  if (keys && !cardKeys) problems.push('CARD_KEYS must be "id:base64 of 32 bytes", separated by commas.');
  else if (production && cardKeys?.some(({ key }) => isWeakKey(key)))
    problems.push('CARD_KEYS must hold random keys: openssl rand -base64 32.');
  if (production && env.OPS_TOKEN && isWeakSecret(env.OPS_TOKEN)) problems.push(weakSecret('OPS_TOKEN'));
  const metricsToken = env.METRICS_TOKEN ?? '';
  if (production && metricsToken && isWeakSecret(metricsToken)) problems.push(weakSecret('METRICS_TOKEN'));
  const freshMs = Number(env.ANSWERS_FRESH_MS ?? 100);
  if (!(freshMs >= 0 && freshMs <= 60_000)) problems.push('ANSWERS_FRESH_MS must be a number of ms up to 60000.');
  const drainSeconds = Number(env.DRAIN_SECONDS ?? (production ? DRAIN_SECONDS : 0));
  if (!(drainSeconds >= 0 && drainSeconds <= 300))
    problems.push('DRAIN_SECONDS must be a number of seconds up to 300.');
  const render = env.SHOP_RENDER || 'on';
  if (render !== 'on' && render !== 'off') problems.push(`SHOP_RENDER=${render} is none of on, off.`);
  const resendSeconds = Number(env.CODE_RESEND_SECONDS ?? RESEND_SECONDS);
  if (!(resendSeconds >= (production ? RESEND_SECONDS : 1) && resendSeconds <= 3_600))
    problems.push(`CODE_RESEND_SECONDS must be a number of seconds up to 3600, in production from ${RESEND_SECONDS}.`);
  const smsPerDay = Number(env.SMS_DAILY_BUDGET ?? 5000);
  if (!Number.isInteger(smsPerDay) || smsPerDay < 1) problems.push('SMS_DAILY_BUDGET must be a number of messages.');
  const idleDays = Number(env.SESSION_IDLE_DAYS ?? 14);
  if (!Number.isInteger(idleDays) || idleDays < 1 || idleDays > 30)
    problems.push('SESSION_IDLE_DAYS must be a number of days up to 30.');
  const walletProofAbove = readAmounts(env.WALLET_PROOF_ABOVE || 'CNY=1000.00,USD=150.00');
  if (!walletProofAbove) problems.push('WALLET_PROOF_ABOVE must be off, or amounts like "CNY=1000.00,USD=150.00".');
  const staffRefundAbove = readAmounts(env.STAFF_REFUND_ABOVE || 'CNY=500.00,USD=70.00');
  if (!staffRefundAbove) problems.push('STAFF_REFUND_ABOVE must be off, or amounts like "CNY=500.00,USD=70.00".');
  const providers = readProviderSettings(env, production, problems);
  const demo = readDemo(env, production, providers.realMoney, problems);
  const webhooks = readWebhooks(env, production, problems);
  const tracing = readTracing(env, production, problems);
  const indexed = readIndexed(env, production, providers.publicUrl !== '', problems);
  const { origins: pictureOrigins, faulty } = readPictureOrigins(env.MEDIA_ORIGINS);
  for (const one of faulty) problems.push(`MEDIA_ORIGINS: ${one} is no origin like https://pictures.example.`);
  if (problems.length) throw new StartError(problems.join('\n'));
  return {
    production,
    dataDir,
    secret,
    cardKeys: cardKeys ?? [],
    sandbox: !production,
    demo,
    live: providers.realMoney || (production && !demo),
    sandboxPayKey: production ? '' : env.SANDBOX_PAY_KEY || `${secret}/sandbox-pay`,
    providers,
    webhooks,
    metricsToken,
    tracing,
    indexed,
    pictureOrigins,
    trustProxy: env.TRUST_PROXY || false,
    logger,
    freshMs,
    drainMs: drainSeconds * 1000,
    render: render === 'on',
    resendSeconds,
    smsPerDay,
    sessionIdleSeconds: idleDays * 86_400,
    walletProofAbove: walletProofAbove ?? {},
    staffRefundAbove: staffRefundAbove ?? {},
  };
}

/** DEMO=on or off; on by default where nothing costs real money. */
function readDemo(env: NodeJS.ProcessEnv, production: boolean, realMoney: boolean, problems: string[]): boolean {
  const wish = env.DEMO || (production || realMoney ? 'off' : 'on');
  if (wish !== 'on' && wish !== 'off') problems.push(`DEMO=${wish} is none of on, off.`);
  if (wish === 'on' && realMoney)
    problems.push('DEMO=on does not start with real payments: its codes are worth nothing.');
  return wish === 'on';
}

/** SEARCH_ENGINES=on or off; on by default in production where the shop knows its address. */
function readIndexed(env: NodeJS.ProcessEnv, production: boolean, hasAddress: boolean, problems: string[]): boolean {
  const wish = env.SEARCH_ENGINES || (production && hasAddress ? 'on' : 'off');
  if (wish !== 'on' && wish !== 'off') problems.push(`SEARCH_ENGINES=${wish} is none of on, off.`);
  if (wish === 'on' && !hasAddress) problems.push('SEARCH_ENGINES=on needs PUBLIC_URL, the address of the shop.');
  return wish === 'on';
}

/** Minor units by currency; undefined when the text is malformed. */
function readAmounts(text: string): Config['walletProofAbove'] | undefined {
  if (text === 'off') return {};
  const amounts = text.split(',').map((part) => {
    const [currency = '', amount = ''] = part.trim().split('=');
    return [currency, fromWire(amount)] as const;
  });
  const isKnown = amounts.every(([name, amount]) => currencies.includes(name as Currency) && amount !== undefined);
  return isKnown ? Object.fromEntries(amounts) : undefined;
}

/** Files of the data folder with the secrets that a start made up. */
export const secretFiles = ['app-secret', 'card-key'] as const;

/** Whether readConfig would have to make secrets up. */
export function lacksSecrets(dataDir: string, env: NodeJS.ProcessEnv): boolean {
  const has = (name: string, variable: string) => Boolean(env[variable]) || fs.existsSync(path.join(dataDir, name));
  return !has('app-secret', 'APP_SECRET') || !has('card-key', 'CARD_KEYS');
}

/** undefined when a key is malformed. */
function parseKeys(text: string): Config['cardKeys'] | undefined {
  const keys = text.split(',').map((part) => {
    const [id = '', encoded = ''] = part.trim().split(':');
    return { id, key: Buffer.from(encoded, 'base64') };
  });
  return keys.every(({ id, key }) => id && key.length === 32) ? keys : undefined;
}

function keepSecret(dataDir: string, name: string): string {
  const file = path.join(dataDir, name);
  try {
    fs.mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw new StartError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
  }
  try {
    // "wx": of two processes that start together one writes, and both read the same.
    fs.writeFileSync(file, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
      throw new StartError(`The data folder ${dataDir} cannot be used: ${(error as Error).message}`);
    }
  }
  return fs.readFileSync(file, 'utf8').trim();
}
