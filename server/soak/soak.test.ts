/**
 * A random history of concurrent operations against real server processes, while they and their PostgreSQL are killed with `kill -9`.
 * Every call is repeated under its key until it is answered, so that at the end the database must hold exactly what the answers said:
 * nothing lost, nothing done twice. What providers do by themselves is in payments/provider-notices.test.ts, suppliers that fail in
 * suppliers/suppliers.test.ts, new keys in platform/crypto/keys.test.ts.
 */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ErrorCode } from '@shop/shared/domain';
import fc from 'fast-check';
import { repetitions } from '../../scripts/jest/test-scale';
import { addCards } from '../src/catalogue/goods.store';
import type { AppContext } from '../src/context';
import { randomNumber } from '../src/platform/crypto/tokens';
import { openEmbedded } from '../src/platform/db/database';
import type { Sql } from '../src/platform/db/sql';
import { shopErrorOf } from '../src/platform/http/errors';
import { fromWire } from '../src/platform/http/money';
import type { Envelope } from '../src/platform/http/schemas';
import { SandboxPayments, SandboxSupplier } from '../src/providers/sandbox';
import { embeddedFolder, openContext } from '../src/start';
import { serveSuppliers } from '../src/suppliers/suppliers.service';
import { fillShop, PASSWORD, type ShopGoods, type Shopper } from '../test/support/fill-shop';
import { faultsOf } from '../test/support/invariants';
import { refund } from '../test/support/money-back';
import { startPostgres } from '../test/support/postgres';
import { addSharedValue, countOf } from '../test/support/shared-value';
import { ShopProcess } from '../test/support/shop-process';
import { bothKinds } from '../test/support/test-app';
import { newCards, writeSecrets } from '../test/support/test-goods';
import { times } from '../test/support/times';

/** How often each act is done, of all. */
const weights = {
  buyCard: 7,
  buyText: 2,
  buyTopUp: 3,
  pay: 8,
  payTwice: 2,
  cancel: 2,
  recharge: 4,
  receive: 1,
  refund: 3,
  reveal: 1,
};
type Operation = keyof typeof weights;
const step = fc.record({
  act: fc.oneof(
    ...Object.entries(weights).map(([act, weight]) => ({ weight, arbitrary: fc.constant(act as Operation) })),
  ),
  who: fc.nat(),
  pick: fc.nat(1000),
});

/** What an answer may acknowledge, and the same as the database has it. Those in `more` may also happen without an answer. */
const facts = {
  placed: "select order_no || ' ' || total_amount as fact from orders",
  paid: 'select order_no as fact from orders where paid_at is not null',
  closed: 'select order_no as fact from orders where closed_at is not null',
  delivered:
    "select o.order_no as fact from order_events e join orders o on o.id = e.order_id where e.kind = 'delivered'",
  recharged: "select recharge_no || ' ' || amount as fact from recharges where state = 'paid'",
  received: "select user_id || ' ' || coupon_id as fact from user_coupons",
  refunded: `select refund_no || ' ' || order_no || ' ' || amount as fact
    from order_refunds r join orders o on o.id = r.order_id where actor = 'staff'`,
};
type Fact = keyof typeof facts;
const more: Fact[] = ['closed', 'delivered'];

/** RequestInProgress: the first try is still in flight in the other process, or its dead connection is not yet noticed. */
const REPEATED: number[] = [ErrorCode.InternalError, ErrorCode.ServiceBusy, ErrorCode.RequestInProgress];
const SANDBOX_PAY_KEY = 'the key of the sandbox';
const cashier = new SandboxPayments(SANDBOX_PAY_KEY);
/** How many of a person's latest orders the operations still use. */
const RECENT = 6;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type ApiAnswer = Envelope<any>;

/** Calls the API for its people, through whichever server answers, and keeps what was acknowledged. */
class Client {
  operations = 0;
  /** Ends when what was killed is there again. */
  mended: Promise<unknown> = Promise.resolve();
  readonly said = Object.fromEntries(Object.keys(facts).map((fact) => [fact, new Set()])) as Record<Fact, Set<string>>;
  /** Codes that were shown, by order. */
  readonly shown = new Map<string, string[]>();
  private readonly orders = new Map<number, string[]>();
  private readonly topUps = new Set<string>();
  private turn = 0;

  constructor(
    private readonly servers: ShopProcess[],
    private readonly goods: ShopGoods,
    /** A value that sells one text many times. */
    private readonly textSpec: number,
    private readonly coupons: number[],
    /** The staff's own connection; none beside the embedded database, which serves one process. */
    private readonly staff: AppContext | undefined,
  ) {}

  /** Whether enough of each has been acknowledged to say something of it, however the seed mixes them. */
  get hasEnough(): boolean {
    const { paid, recharged, refunded } = this.said;
    const paidTopUps = [...this.topUps].filter((order) => paid.has(order)).length;
    return Math.min(paidTopUps, recharged.size) > 10 && (!this.staff || refunded.size > 5);
  }

  act = (act: Operation, person: Shopper, pick: number): Promise<void> => this[act](person, pick);

  private async buyCard(person: Shopper, pick: number) {
    const { id, spec } = this.goods.card;
    await this.order(person, { goods_id: id, spec_id: spec, quantity: 1 + (pick % 2) });
  }
  private async buyText(person: Shopper, pick: number) {
    await this.order(person, { goods_id: this.goods.card.id, spec_id: this.textSpec, quantity: 1 + (pick % 2) });
  }
  private async buyTopUp(person: Shopper, pick: number) {
    const uid = ['10001', 'slow', 'lost'][pick % 3];
    const order = await this.order(
      person,
      { goods_id: this.goods.topUp.id, custom_value: 10 * (1 + (pick % 9)) },
      { uid },
    );
    if (order) this.topUps.add(order);
  }
  private async order(person: Shopper, wish: object, fields?: object): Promise<string | undefined> {
    const body = { quantity: 1, ...wish };
    const { price_version } = (await this.ask(person, 'order/preview', body)).data ?? {};
    const { code, data } = await this.change(person, 'order/create', { ...body, fields, price_version });
    if (code !== 200) return void (await this.pay(person, 0));
    this.said.placed.add(`${data.order_no} ${fromWire(data.total_amount)}`);
    this.orders.set(person.id, [data.order_no, ...(this.orders.get(person.id) ?? [])].slice(0, RECENT));
    return data.order_no;
  }
  private async pay(person: Shopper, pick: number) {
    const order_no = this.recent(person, pick);
    if (!order_no) return;
    const { code, data } = await this.change(person, 'payment/balance', { order_no });
    if (code === 200) this.said.paid.add(order_no);
    if (code === 200 && data.delivery_status === 20) this.said.delivered.add(order_no);
    if (code === ErrorCode.BalanceTooLow) await this.cancel(person, pick);
  }
  private async payTwice(person: Shopper, pick: number) {
    await Promise.all([this.pay(person, pick), this.pay(person, pick)]);
  }
  private async cancel(person: Shopper, pick: number) {
    const order_no = this.recent(person, pick);
    if (!order_no) return;
    const { code, data } = await this.change(person, 'order/cancel', { order_no });
    if (code === 200 && data.closed_at) this.said.closed.add(order_no);
  }
  /** The provider tells of the payment twice at once. */
  private async recharge(person: Shopper, pick: number) {
    const amount = 100 * (1 + (pick % 40));
    const body = { amount: `${amount / 100}.00`, method: 'sandbox' };
    const { code, data } = await this.change(person, 'recharge/create', body);
    if (code !== 200) return;
    const notice = cashier.notice({ payment_no: data.payment_no, amount, currency: 'CNY' }, true);
    const told = await times(2, () => this.change(undefined, 'payment/callback/sandbox', notice));
    expect(told.map((one) => one.code)).toEqual([200, 200]);
    this.said.recharged.add(`${data.recharge_no} ${amount}`);
  }
  private async receive(person: Shopper, pick: number) {
    const coupon_id = this.coupons[pick % this.coupons.length];
    const { code } = await this.change(person, 'coupon/receive', { coupon_id });
    if (code === 200) this.said.received.add(`${person.id} ${coupon_id}`);
  }
  private async reveal(person: Shopper, pick: number) {
    const order_no = this.recent(person, pick);
    if (!order_no) return;
    const { code, data } = await this.change(person, 'order/cards', { order_no, password: PASSWORD });
    if (code !== 200) return;
    const cards = data.cards as Array<{ card_no: string; is_text?: boolean }>;
    if (cards.some((one) => one.is_text)) return expect(cards.map((one) => one.card_no)).toEqual([TEXT]);
    this.shown.set(
      order_no,
      cards.map((one) => one.card_no),
    );
  }
  /** Repeated under its number until it is done or refused. */
  private async refund(person: Shopper, pick: number) {
    const orderNo = this.recent(person, pick);
    if (!this.staff || !orderNo) return;
    const part = [{}, { amount: 1 + (pick % 300) }, { quantity: 1 }][pick % 3];
    const refundNo = randomNumber();
    for (;;) {
      try {
        const { amount } = await refund(this.staff, orderNo, { ...part, refundNo });
        this.operations += 1;
        return void this.said.refunded.add(`${refundNo} ${orderNo} ${amount}`);
      } catch (error) {
        if (shopErrorOf(error)) return;
        await this.mended;
      }
    }
  }

  private recent(person: Shopper, pick: number): string | undefined {
    const orders = this.orders.get(person.id) ?? [];
    return orders[pick % Math.max(1, orders.length)];
  }

  /** One call that changes something. */
  private async change(person: Shopper | undefined, url: string, body: object): Promise<ApiAnswer> {
    const answer = await this.ask(person, url, body);
    this.operations += 1;
    return answer;
  }
  private async ask(person: Shopper | undefined, url: string, body: object): Promise<ApiAnswer> {
    const key = randomNumber();
    for (;;) {
      const answer = await this.send(person, url, body, key).catch(() => undefined);
      if (answer && !REPEATED.includes(answer.code)) return answer;
      await this.mended;
    }
  }
  private async send(person: Shopper | undefined, url: string, body: object, key: string): Promise<ApiAnswer> {
    const server = this.servers[this.turn++ % this.servers.length] as ShopProcess;
    const response = await fetch(`http://127.0.0.1:${server.port}/api/front/${url}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': key,
        currency: 'CNY',
        ...(person && { authorization: `Bearer ${person.token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    return (await response.json()) as ApiAnswer;
  }
}

/** Leases and pauses of suppliers end, and limits by the hour are forgotten; the run has no hours. */
async function passTime(sql: Sql): Promise<void> {
  await sql.script(`
    update supplier_requests set next_at = clock_timestamp(), sent_at = sent_at - interval '3 minutes'
     where state in (0, 1, 3) and next_at < 'infinity';
    delete from rate_limits`);
}

async function saveCoupons(db: Sql): Promise<number[]> {
  const coupons = await db.rows<{ id: number }>(
    `insert into coupons (key, name_zh, name_en, coupon_type, expire_type, expire_day, apply_range)
     select 'soak-' || n, '券', 'Coupon', 10, 10, 7, 10 from generate_series(1, 8) n returning id`,
  );
  await db.run("insert into coupon_amounts select id, 'CNY', 150, 500 from coupons");
  return coupons.map(({ id }) => id);
}

const closing: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const KILLS = repetitions(10);
const TEXT = 'Step one\nStep two';
it.each(bothKinds)(
  'on %s everything acknowledged survives kill -9, exactly once',
  async (kind) => {
    const operations = repetitions(kind === 'postgres' ? 15_000 : 4_000);
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-soak-'));
    closing.push(async () => fs.rmSync(dataDir, { recursive: true, force: true }));
    writeSecrets(dataDir);
    const postgres = kind === 'postgres' ? await startPostgres({ durable: true }) : undefined;
    closing.push(async () => postgres?.stop());
    const databaseUrl = postgres?.url('postgres');
    // Its people spend in a run what others spend in a year.
    const env = { DATA_DIR: dataDir, WALLET_PROOF_ABOVE: 'off', SANDBOX_PAY_KEY, DATABASE_URL: databaseUrl ?? '' };
    const open = () => openContext({ dataDir, databaseUrl, env, seed: false });
    if (!postgres) {
      const template = process.env.SHOP_TEST_TEMPLATE;
      await (await openEmbedded({ folder: embeddedFolder(dataDir), template })).close();
    }
    const shop = await open();
    const { goods, persons } = await fillShop(shop, { people: postgres ? 12 : 8 });
    const { db, keyring, config } = shop;
    await addCards(db, keyring, config.secret, goods.card.spec, newCards(operations / 2));
    const textSpec = await addSharedValue(shop, goods.card.id, 'shared', TEXT, { stock: operations });
    const coupons = await saveCoupons(db);
    if (postgres) closing.push(() => db.close());
    else await db.close();
    const servers: ShopProcess[] = [];
    for (let count = 0; count < (postgres ? 2 : 1); count++) {
      const server = await ShopProcess.start(env);
      servers.push(server);
      closing.push(() => server.kill());
    }

    const client = new Client(servers, goods, textSpec, coupons, postgres && shop);
    let due = 0;
    let kills = 0;
    const killOnce = async () => {
      const server = servers[kills++ % servers.length] as ShopProcess;
      await postgres?.kill();
      await postgres?.restart();
      await server.kill();
      // Only whoever has the embedded database can use it.
      const context = postgres ? shop : await open();
      await context.db.retrying(passTime);
      if (!postgres) await context.db.close();
      await server.start();
    };
    // The seed repeats the operations; their interleaving is not repeatable.
    const seed = Number(process.env.SOAK_SEED ?? Math.floor(Math.random() * 2 ** 31));
    const steps = fc.sample(step, { seed, numRuns: 10 * operations });
    const isDone = () => client.operations >= operations && client.hasEnough;
    const worker = async () => {
      for (let next = steps.pop(); next && !isDone(); next = steps.pop()) {
        await client.act(next.act, persons[next.who % persons.length] as Shopper, next.pick);
        // The others go on meanwhile.
        if (due === KILLS || client.operations < ((due + 0.5) * operations) / KILLS) continue;
        due += 1;
        client.mended = client.mended.then(killOnce);
        await client.mended;
      }
    };
    await Promise.all(Array.from({ length: persons.length }, worker));

    for (const server of servers) expect([await server.stop(), server.log]).toEqual([0, expect.anything()]);
    const end = postgres ? shop : await open();
    if (!postgres) closing.push(() => end.db.close());
    do await passTime(end.db);
    while (await serveSuppliers(end, 500));

    for (const [fact, query] of Object.entries(facts) as Array<[Fact, string]>) {
      const stored = new Set((await end.db.rows<{ fact: string }>(query)).map((row) => row.fact));
      const lost = [...client.said[fact]].filter((one) => !stored.has(one));
      const untold = more.includes(fact) ? [] : [...stored].filter((one) => !client.said[fact].has(one));
      expect({ seed, fact, lost, untold }).toEqual({ seed, fact, lost: [], untold: [] });
    }
    const codes = await end.db.rows<{ order_no: string; key_id: string; card_no: Buffer }>(
      'select o.order_no, c.key_id, c.card_no from card_codes c join orders o on o.id = c.order_id',
    );
    const owners = new Map(codes.map((one) => [keyring.decrypt(one.key_id, one.card_no), one.order_no]));
    expect(owners.size).toBe(codes.length);
    for (const [order, cards] of client.shown) for (const card of cards) expect(owners.get(card)).toBe(order);
    const supplier = new SandboxSupplier(path.join(dataDir, 'sandbox-supplier'));
    const topUps = await end.db.rows<{ order_no: string; delivered: boolean }>(
      `select order_no, exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'delivered') as delivered
         from orders o where recharge_type = 2 and paid_at is not null`,
    );
    for (const { order_no, delivered } of topUps)
      expect([order_no, supplier.ordered(order_no)]).toEqual([order_no, delivered ? 1 : 0]);
    expect(await faultsOf(end.db)).toEqual({});
    const { left, taken } = await countOf(end, textSpec);
    expect(left + taken).toBe(operations);
    expect(taken).toBeGreaterThan(0);
    const deliveries = await end.db.rows<{ times: number }>(
      "select count(*) as times from order_events e join shared_code_orders d using (order_id) where e.kind = 'delivered' group by order_id",
    );
    expect(new Set(deliveries.map(({ times }) => times))).toEqual(new Set([1]));

    expect(kills).toBe(KILLS);
    expect(client.hasEnough).toBe(true);
  },
  3_000_000,
);
