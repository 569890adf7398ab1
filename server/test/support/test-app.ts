import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { backOffice } from '@shop/backoffice';
import type { RouteOptions } from 'fastify';
import { hashPassword } from '../../src/accounts/auth/passwords';
import { openSession, type SignInProof } from '../../src/accounts/sessions/sessions.service';
import { buildApp, buildConsole } from '../../src/app';
import { addCards } from '../../src/catalogue/goods.store';
import { readConfig } from '../../src/config';
import type { AppContext } from '../../src/context';
import { Keyring } from '../../src/platform/crypto/keyring';
import { randomNumber } from '../../src/platform/crypto/tokens';
import { defaultLimits, type LimitsByKind } from '../../src/platform/db/call-limits';
import { connectPostgres, type Database, openEmbedded } from '../../src/platform/db/database';
import type { TraceStatement } from '../../src/platform/db/sql';
import type { App } from '../../src/platform/http/request';
import type { Envelope } from '../../src/platform/http/schemas';
import { startTracing } from '../../src/platform/monitoring/tracing/tracing.plugin';
import { createProviders } from '../../src/providers/create-providers';
import { SandboxPayments, type SandboxSupplier } from '../../src/providers/sandbox';
import { compileOnUse } from './compile-on-use';
import { newShopper } from './fill-shop';
import { faultsOf } from './invariants';
import { createDatabase } from './postgres';
import { newCards, readTestGoods, type TestGoods, writeSecrets } from './test-goods';

export type Kind = 'pglite' | 'postgres';
/** The limits of a running shop, except that a call may wait for its turn for as long as a busy machine needs. */
const patientLimits = Object.fromEntries(
  Object.entries(defaultLimits).map(([kind, callLimits]) => [kind, { ...callLimits, waitMs: 30 * callLimits.waitMs }]),
) as LimitsByKind;
export const kinds = (process.env.SHOP_TEST_KINDS ?? 'pglite').split(',') as Kind[];

// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
export type ApiAnswer = Envelope<any> & { status: number; headers: Record<string, unknown>; text: string };

export interface CallOptions {
  token?: string;
  key?: string;
  locale?: string;
  currency?: string;
  headers?: Record<string, string>;
  address?: string;
}

interface NewCoupon extends Record<string, unknown> {
  reduce?: number;
  min?: number;
  currency?: string;
}

/** A request that a provider sends to the shop. */
export interface ProviderNotice {
  headers: Record<string, string>;
  body: string;
}

export class TestApp {
  private constructor(
    readonly kind: Kind,
    readonly context: AppContext,
    readonly app: App,
    readonly console: App,
    readonly goods: TestGoods,
    readonly routes: ReadonlyArray<Pick<RouteOptions, 'method' | 'url' | 'schema' | 'config'>>,
  ) {}

  /** `env` configures the providers; a provider without settings is a sandbox. */
  static async open(kind: Kind, env: NodeJS.ProcessEnv = {}, limits = patientLimits): Promise<TestApp> {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-test-'));
    writeSecrets(folder);
    // A long test outlasts the proof of a sign-in, and releases made for a test have no server builds.
    const settings = { ANSWERS_FRESH_MS: '0', WALLET_PROOF_ABOVE: 'off', SHOP_RENDER: 'off' };
    const config = readConfig({ dataDir: folder, env: { ...settings, ...env } });
    const tracing = startTracing(config.tracing);
    const context: AppContext = {
      db: await openDatabase(kind, limits, tracing?.traceStatement),
      config,
      keyring: new Keyring(config.cardKeys),
      providers: createProviders(config),
      tracing,
    };
    const routes: RouteOptions[] = [];
    const onRoute = (route: RouteOptions) => {
      routes.push(route);
      compileOnUse(route);
    };
    const { plugins, consolePlugins } = backOffice();
    const app = await buildApp({ ...context, plugins, onRoute });
    const console = await buildConsole({ ...context, shop: app, plugins: consolePlugins, onRoute });
    return new TestApp(kind, context, app, console, await readTestGoods(context.db), routes);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.console.close();
    await this.context.db.close();
  }

  get db(): Database {
    return this.context.db;
  }
  get supplier(): SandboxSupplier {
    return this.context.providers.supplierFor('91') as SandboxSupplier;
  }
  get cashier(): SandboxPayments {
    return this.context.providers.payments.find((provider) => provider instanceof SandboxPayments) as SandboxPayments;
  }

  async call(
    method: 'GET' | 'POST' | 'DELETE' | 'PUT',
    url: string,
    body?: unknown,
    options: CallOptions = {},
  ): Promise<ApiAnswer> {
    const response = await (url.startsWith('/staff/') ? this.console : this.app).inject({
      method,
      url: url.startsWith('/') ? url : `/api/front/${url}`,
      remoteAddress: options.address,
      headers: {
        locale: options.locale ?? 'zh-CN',
        currency: options.currency ?? 'CNY',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
        ...(options.key ? { 'idempotency-key': options.key } : {}),
        ...options.headers,
      },
      payload: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
    let envelope = {} as ApiAnswer;
    try {
      envelope = response.json();
    } catch {
      // The response is text or a page.
    }
    return { ...envelope, status: response.statusCode, headers: response.headers, text: response.body };
  }
  get = (url: string, options?: CallOptions) => this.call('GET', url, undefined, options);
  post = (url: string, body: unknown, options?: CallOptions) => this.call('POST', url, body, options);

  notify = (method: string, { headers, body }: ProviderNotice) =>
    this.call('POST', `payment/callback/${method}`, body, { headers, locale: 'en' });

  /** A sandbox payment in CNY as its provider reports it, with the amount in minor units. */
  paidNotice = (payment_no: string, amount: number) =>
    this.cashier.notice({ payment_no, amount, currency: 'CNY' }, true);

  /** A signed-in user with money in the wallet, in minor units of CNY. */
  async user(balance = 0, password?: string): Promise<User> {
    const passwordHash = password && (await hashPassword(password));
    const { id, phone, token } = await newShopper(this.db, balance, passwordHash);
    return new User(this, id, phone, token);
  }

  /** Another session of the user. */
  async signIn({ id, phone }: User, proof: SignInProof = 'code'): Promise<User> {
    const visitor = { address: '10.0.0.1', userAgent: '', device: null };
    const { access_token } = await openSession(this.db, { id, is_usable: 1 }, visitor, proof);
    return new User(this, id, phone, access_token);
  }

  async sentCode(phone: string): Promise<string> {
    return JSON.parse((await this.get(`/dev/outbox.json?phone=${encodeURIComponent(phone)}`)).text)[0].code;
  }
  /** Requests a code, also within a minute of another one, and returns it. */
  async codeFor(phone: string, scene?: string, options?: CallOptions): Promise<string> {
    await this.nextCode(phone);
    expect((await this.post('app/send_code', { phone, scene }, options)).code).toBe(200);
    return this.sentCode(phone);
  }
  async signInByCode(phone: string, options?: CallOptions): Promise<ApiAnswer> {
    const verify = await this.codeFor(phone, 'login', options);
    return this.post('app/login', { phone, login_type: 'verify', verify }, options);
  }

  async mailedCode(email: string): Promise<string> {
    const [mail] = JSON.parse((await this.get(`/dev/mails.json?to=${encodeURIComponent(email)}`)).text);
    return /\d{6}/.exec(mail.text)?.[0] ?? '';
  }

  async addStock(count: number, spec = this.spec('card')): Promise<void> {
    await addCards(this.db, this.context.keyring, spec, newCards(count));
  }
  async setStock(count: number): Promise<void> {
    await this.db.run('update card_codes set state = 3 where spec_id = $1 and state = 0', [this.spec('card')]);
    await this.addStock(count);
  }
  /** A coupon for all goods, by default for 7 days. Amounts are minor units; `columns` are those of the table. Returns its id. */
  async addCoupon({ reduce = 0, min = 0, currency = 'CNY', ...columns }: NewCoupon): Promise<number> {
    const names = { name_zh: '券', name_en: 'Coupon' };
    const kind = { key: randomNumber(), coupon_type: 10, expire_type: 10, expire_day: 7, apply_range: 10 };
    const row = { ...names, ...kind, ...columns };
    const list = Object.keys(row).join(', ');
    const { id } = await this.db.one<{ id: number }>(
      `insert into coupons (${list}) select ${list} from jsonb_populate_record(null::coupons, $1) returning id`,
      [JSON.stringify(row)],
    );
    await this.db.run('insert into coupon_amounts values ($1, $2, $3, $4)', [id, currency, reduce, min]);
    return id;
  }
  orderBody = (goods: 'card' | 'direct' | 'manual', key = 'a') => ({
    goods_id: this.goods[goods].id,
    spec_id: this.spec(goods, key),
    quantity: 1,
  });
  spec(goods: 'card' | 'direct' | 'manual', key = 'a'): number {
    return this.goods[goods].specs.get(key) as number;
  }

  /** The stock of goods without codes; null: unlimited. */
  setCounter = (stock: number | null, goods: 'direct' | 'manual' = 'direct') =>
    this.db.run('update goods_specs set stock = $2 where id = $1', [this.spec(goods), stock]);
  setPrice = (price: number, currency = 'CNY', goods: 'card' | 'manual' = 'card') =>
    this.db.run('update prices set price = $3 where spec_id = $1 and currency = $2', [
      this.spec(goods),
      currency,
      price,
    ]);
  /** The settings by which paid orders go on hold, as columns of their table; without any, no order does. */
  async setHolds(settings?: Record<string, unknown>): Promise<void> {
    await this.db.run('delete from hold_settings');
    const rest = { id: true, enabled: true, countries: [], networks: false, minutes: 30, at_end: 'release' };
    if (settings)
      await this.db.run('insert into hold_settings select * from jsonb_populate_record(null::hold_settings, $1)', [
        JSON.stringify({ ...rest, ...settings }),
      ]);
  }
  passHolds = () => this.db.run('update orders set held_until = clock_timestamp() where held_until is not null');
  expire = (orderNo: string) =>
    this.db.run('update orders set expire_at = clock_timestamp() where order_no = $1', [orderNo]);
  /** Lets a phone or mailbox get another code at once. */
  nextCode = (recipient: string) =>
    this.db.run("update code_sends set at = at - interval '61 seconds' where phone = $1", [recipient]);

  /** The only column of the only row. */
  async value<T>(query: string, values?: unknown[]): Promise<T> {
    return Object.values(await this.db.one<Record<string, T>>(query, values))[0] as T;
  }

  /** Whether the time in `column` of a row is as many seconds after a moment at which the work ran. */
  async isPutOff(column: string, row: string, id: string, seconds: number, work: () => Promise<unknown>) {
    const before = await this.value('select clock_timestamp()::text');
    await work();
    return this.value<boolean>(
      `select ${column} - make_interval(secs => $2) between $3::timestamptz and clock_timestamp() from ${row} = $1`,
      [id, seconds, before],
    );
  }

  async check(): Promise<void> {
    expect(await faultsOf(this.db)).toEqual({});
  }
}

export class User {
  constructor(
    private readonly testApp: TestApp,
    readonly id: number,
    readonly phone: string,
    readonly token: string,
  ) {}

  /** Each user has a separate network. */
  private readonly call = () => ({ token: this.token, address: `10.9.${(this.id >> 8) & 255}.${this.id & 255}` });
  get = (url: string, options: CallOptions = {}) => this.testApp.get(url, { ...this.call(), ...options });
  post = (url: string, body: unknown, options: CallOptions = {}) =>
    this.testApp.post(url, body, { ...this.call(), key: randomNumber(), ...options });

  delete = (url: string) => this.testApp.call('DELETE', url, undefined, this.call());

  async order(changes: Record<string, unknown> = {}, options: CallOptions = {}): Promise<ApiAnswer> {
    const { fields, ...body } = {
      goods_id: this.testApp.goods.card.id,
      ...('goods_id' in changes ? {} : { spec_id: this.testApp.spec('card') }),
      quantity: 1,
      ...changes,
    } as Record<string, unknown>;
    const preview = await this.post('order/preview', body, options);
    if (preview.code !== 200) return preview;
    return this.post('order/create', { ...body, fields, price_version: preview.data.price_version }, options);
  }
  async bought(changes: Record<string, unknown> = {}): Promise<string> {
    const { data } = await this.order(changes);
    expect((await this.pay(data.order_no)).code).toBe(200);
    return data.order_no;
  }
  /** Posts an amount in minor units to the wallet; a negative one debits it. */
  give = (amount: number, currency = 'CNY') =>
    this.testApp.db.one("select wallet_post($1, $2, 3, $3, 0, 'adjustment', null, null, null, '', 'test')", [
      this.id,
      currency,
      amount,
    ]);
  pay = (orderNo: string, options?: CallOptions) => this.post('payment/balance', { order_no: orderNo }, options);
  async balance(): Promise<string> {
    return (await this.get('user/info')).data.balance;
  }
  info = (orderNo: string) => this.get(`order/info?order_no=${orderNo}`);
}

async function openDatabase(kind: Kind, limits?: LimitsByKind, traceStatement?: TraceStatement): Promise<Database> {
  if (kind === 'pglite') return openEmbedded({ template: process.env.SHOP_TEST_GOODS, limits, traceStatement });
  const url = await createDatabase(`test_${randomNumber().toLowerCase()}`, 'shop_goods');
  return connectPostgres(url, { max: 10, limits, traceStatement });
}

/** The applications that the suites of a test file share, because opening one takes seconds. */
const shared = new Map<Kind, Promise<TestApp>>();
function openShared(kind: Kind): Promise<TestApp> {
  const testApp = shared.get(kind) ?? TestApp.open(kind);
  shared.set(kind, testApp);
  return testApp;
}
afterAll(async () => {
  for (const testApp of shared.values()) await (await testApp).close();
});

type Suite = (testApp: () => TestApp) => void;
type Env = () => NodeJS.ProcessEnv;

/** Runs the suite on every database of this run. With `env` or `limits` it has its own application and database. */
export function onEveryDatabase(name: string, suite: Suite, env?: Env, limits?: LimitsByKind, on = kinds): void {
  describe.each(on)(`${name} on %s`, (kind) => {
    let testApp: TestApp;
    beforeAll(async () => {
      testApp = await (env || limits ? TestApp.open(kind, env?.(), limits) : openShared(kind));
    });
    if (env || limits) afterAll(() => testApp.close());
    suite(() => testApp);
  });
}

/** Runs the suite on one database of this run: for behaviour that does not depend on it, such as memory limits. */
export const onOneDatabase = (name: string, suite: Suite): void =>
  onEveryDatabase(name, suite, undefined, undefined, kinds.slice(-1));
