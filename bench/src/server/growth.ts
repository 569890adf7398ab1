import { buildApp } from '../../../server/src/app';
import { readConfig } from '../../../server/src/config';
import { Keyring } from '../../../server/src/platform/crypto/keyring';
import { connectPostgres, type Database } from '../../../server/src/platform/db/database';
import { migrate } from '../../../server/src/platform/db/migrate';
import { createProviders } from '../../../server/src/providers/create-providers';
import { spreadOf } from '../measure/statistics';
import type { Rig } from './shops';
import { SPECS, stockShop, tokenOf } from './stock-shop';

export interface GrowthRow {
  call: string;
  /** Median ms of one call in a shop of each size, answered by the database and never from memory. */
  ms: number[];
  /** The largest shop's to the smallest's. */
  ratio: number;
}
export interface Growth {
  sizes: Array<{ goods: number; orders: number }>;
  rows: GrowthRow[];
}

const sizes = [
  { goods: 100, orders: 1000 },
  { goods: 10_000, orders: 100_000 },
  { goods: 100_000, orders: 1_000_000 },
];
/** Everybody has as many orders at every size: it is the shop that grows, not a person's past. */
const ORDERS_PER_PERSON = 20;
const ROUNDS = 60;

type Call = { method: 'GET' | 'POST'; path: string; guest?: boolean; body?: object; key?: boolean };

export async function measureGrowth(rig: Rig, log: (line: string) => void): Promise<Growth> {
  const rows = new Map<string, GrowthRow>();
  for (const size of sizes) {
    const url = await rig.newDatabase();
    const filling = await connectPostgres(url, { max: 1 });
    await migrate(filling);
    const startedAt = performance.now();
    const people = size.orders / ORDERS_PER_PERSON;
    await stockShop(filling, { ...size, cardGoods: 10, cardsPerSpec: 200, people });
    await filling.close();
    log(
      `a shop of ${size.goods} goods and ${size.orders} orders, filled in ${Math.round((performance.now() - startedAt) / 1000)} s`,
    );
    const db = await connectPostgres(url, { max: 4 });
    for (const one of await measureShop(db, rig.newFolder(), size.goods, people)) {
      const row = rows.get(one.call) ?? { call: one.call, ms: [], ratio: 1 };
      row.ms.push(one.ms);
      row.ratio = one.ms / (row.ms[0] as number);
      rows.set(one.call, row);
    }
    await db.close();
  }
  return { sizes, rows: [...rows.values()] };
}

/** The application without a port. It checks for changes before each response, so the response cache hides no query. */
function inProcessShop(db: Database, dataDir: string) {
  const config = readConfig({
    dataDir,
    env: { ANSWERS_FRESH_MS: '0', WALLET_PROOF_ABOVE: 'CNY=90000000.00,USD=90000000.00' },
  });
  return buildApp({ db, config, keyring: new Keyring(config.cardKeys), providers: createProviders(config) });
}

interface Measured {
  call: string;
  ms: number;
}

async function measureShop(db: Database, dataDir: string, goods: number, people: number): Promise<Measured[]> {
  const app = await inProcessShop(db, dataDir);
  let person = 0;
  const inject = async ({ method, path, guest, body, key }: Call, who: number) => {
    const response = await app.inject({
      method,
      url: `/api/front/${path}`,
      headers: {
        currency: 'CNY',
        ...(guest ? {} : { authorization: `Bearer ${tokenOf(1 + (who % people))}` }),
        ...(key ? { 'idempotency-key': `growth-${Math.random()}` } : {}),
      },
      ...(body ? { payload: body } : {}),
    });
    const answer = response.json() as { code: number; message: string; data: Record<string, string> };
    if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.message}`);
    return answer.data;
  };
  const wish = { goods_id: 3, spec_id: 3 * SPECS, quantity: 1 };
  const { price_version } = await inject({ method: 'POST', path: 'order/preview', body: wish }, 1);
  const create = { method: 'POST', path: 'order/create', body: { ...wish, price_version }, key: true } as const;
  const rare = (await db.one<{ word: string }>('select substr(md5($1::text), 1, 8) as word', [goods >> 1])).word;
  const get = (path: string, guest = true): Call => ({ method: 'GET', path, guest });
  const past = (who: number) => `past${String(who % people || people).padStart(12, '0')}`;

  /** Each makes its own call, and prepares what it needs outside of the time that counts. */
  const calls: Record<string, (who: number) => Call | Promise<Call>> = {
    'list, first page': () => get('goods/list'),
    'list, page 50 of 20': () => get(`goods/list?page=${goods >= 1000 ? 50 : 5}`),
    'list, cheapest first': () => get('goods/list?sort=price_asc'),
    'list, best sold first': () => get('goods/list?sort=hot'),
    'list of a category': () => get('goods/list?category_id=3'),
    'list of a letter, dearest first': () => get('goods/list?letter=C&sort=price_desc'),
    'search, one finds it': () => get(`goods/list?keyword=${rare}`),
    'search, all goods have the word': () => get('goods/list?keyword=game'),
    'search, one letter': () => get('goods/list?keyword=y'),
    suggest: () => get(`search/suggest?keyword=${rare.slice(0, 5)}`),
    detail: (who) => get(`goods/info?id=${1 + ((who * 97) % goods)}`),
    categories: () => get('goods/category'),
    modules: () => get('customModule/list'),
    config: () => get('app/config'),
    profile: () => get('user/info', false),
    'order preview': () => ({ method: 'POST', path: 'order/preview', body: wish }),
    'order create': () => create,
    'payment by balance': async (who) => {
      const { order_no } = await inject(create, who);
      return { method: 'POST', path: 'payment/balance', body: { order_no }, key: true };
    },
    'order cancel': async (who) => {
      const { order_no } = await inject(create, who);
      return { method: 'POST', path: 'order/cancel', body: { order_no } };
    },
    'order list': () => get('order/list', false),
    'order list, finished': () => get('order/list?tab=finished', false),
    'order detail': (who) => get(`order/info?order_no=${past(who)}`, false),
    'funds log': () => get('user/balanceLog', false),
    'payment methods': () => get('payment/methods', false),
    'coupon check': () => get('coupon/check', false),
    'my coupons': () => get('coupon/getUserCouponList', false),
    'recharge create': () => ({
      method: 'POST',
      path: 'recharge/create',
      body: { amount: '10.00', method: 'sandbox' },
      key: true,
    }),
  };

  const measured: Measured[] = [];
  for (const [call, make] of Object.entries(calls)) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const who = person++;
      const request = await make(who);
      // What is in memory counts for nothing here.
      if (request.guest) await db.script('insert into public_changes (goods_id) values (0)');
      const startedAt = performance.now();
      await inject(request, who);
      times.push(performance.now() - startedAt);
      // A user may have at most five unpaid orders.
      if (person % people === 0)
        await db.script('update orders set hidden_at = now() where status = 10 and hidden_at is null');
    }
    measured.push({ call, ms: spreadOf(times.slice(ROUNDS / 3)).median });
  }
  await app.close();
  return measured;
}
