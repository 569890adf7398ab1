import { type OpenLoopResult, type OpenRequest, openLoop } from './open-loop';
import { type Kind, kinds, type Rig } from './shops';
import { SPECS, tokenOf } from './stock-shop';
import type { RunningSubject } from './subjects';

export interface MixedRow {
  database: Kind;
  asked: number;
  result: OpenLoopResult;
  /** Resident memory of the server's process before and after, bytes. */
  memory: { before: number; after: number };
}

const size = { goods: 500, cardGoods: 40, cardsPerSpec: 120, people: 1000 };
const PER_SECOND = 2000;

/** Shares in percent: of 2,000 requests a second 100 place an order. */
const mix: Array<[share: number, make: (deck: Deck) => OpenRequest]> = [
  [30, (deck) => deck.get('list', `goods/list?page=${1 + deck.pick(10)}`)],
  [10, (deck) => deck.get('list by category', `goods/list?category_id=${1 + deck.pick(10)}&sort=price_asc`)],
  [20, (deck) => deck.get('detail', `goods/info?id=${1 + deck.pick(size.goods)}`)],
  [5, (deck) => deck.get('search', `goods/list?keyword=${encodeURIComponent(`游戏${deck.pick(500)}`)}`)],
  [5, (deck) => deck.get('config', 'app/config')],
  [5, (deck) => deck.get('modules', 'customModule/list')],
  [5, (deck) => deck.get('profile', 'user/info', true)],
  [5, (deck) => deck.get('my orders', 'order/list', true)],
  [5, (deck) => deck.get('order detail', `order/info?order_no=${deck.orderNo}`, 1)],
  [5, (deck) => deck.post('preview', 'order/preview', deck.wish())],
  [5, (deck) => deck.post('order', 'order/create', deck.wish())],
];

class Deck {
  private turn = 0;
  private person = 1;
  constructor(
    readonly orderNo: string,
    private readonly versions: string[],
  ) {}
  pick = (count: number) => Math.floor(Math.random() * count);
  get(name: string, path: string, signedIn: boolean | number = false): OpenRequest {
    return { name, method: 'GET', path: `/api/front/${path}`, headers: this.headers(signedIn) };
  }
  post(name: string, path: string, body: object): OpenRequest {
    const headers = {
      ...this.headers(true),
      'content-type': 'application/json',
      'idempotency-key': `mixed-${Math.random()}`,
    };
    return { name, method: 'POST', path: `/api/front/${path}`, headers, body: JSON.stringify(body) };
  }
  wish() {
    const spec = this.pick(this.versions.length);
    return {
      goods_id: Math.floor(spec / SPECS) + 1,
      spec_id: spec + 1,
      quantity: 1,
      price_version: this.versions[spec],
    };
  }
  /** In turn by a fixed order, so that every run asks the same. */
  next(): OpenRequest {
    const at = (this.turn++ * 37) % 100;
    let sum = 0;
    for (const [share, make] of mix) {
      sum += share;
      if (at < sum) return make(this);
    }
    throw new Error('the shares are not 100');
  }
  private headers(signedIn: boolean | number): Record<string, string> {
    if (signedIn === false) return { currency: 'CNY' };
    const person = signedIn === true ? 2 + (this.person++ % (size.people - 2)) : signedIn;
    return { currency: 'CNY', authorization: `Bearer ${tokenOf(person)}` };
  }
}

export async function measureMixed(rig: Rig, seconds: number, log: (line: string) => void): Promise<MixedRow[]> {
  const rows: MixedRow[] = [];
  for (const database of kinds) {
    const shop = await rig.openShop(database, size);
    const deck = await dealFor(shop);
    const next = () => deck.next();
    await openLoop({ url: shop.url, perSecond: PER_SECOND / 2, seconds: 3, next });
    const before = (await shop.usage()).rss;
    // A person has at most five unpaid orders: a thousand people place a hundred a second for at most half a minute.
    const result = await openLoop({ url: shop.url, perSecond: PER_SECOND, seconds: Math.min(seconds * 3, 30), next });
    rows.push({ database, asked: PER_SECOND, result, memory: { before, after: (await shop.usage()).rss } });
    log(
      `${database}, mixed: ${result.perSecond.toFixed(0)}/s, p99 ${result.p99.toFixed(1)} ms, ${result.errors} errors`,
    );
    await shop.stop();
  }
  return rows;
}

async function dealFor(shop: RunningSubject): Promise<Deck> {
  const post = async (call: string, body: object) => {
    const headers = { currency: 'CNY', authorization: `Bearer ${tokenOf(1)}`, 'content-type': 'application/json' };
    const response = await fetch(`${shop.url}/api/front/${call}`, {
      method: 'POST',
      headers: { ...headers, 'idempotency-key': `deal-${Math.random()}` },
      body: JSON.stringify(body),
    });
    return ((await response.json()) as { data: Record<string, string> }).data;
  };
  const versions: string[] = [];
  for (let spec = 0; spec < size.cardGoods * SPECS; spec++) {
    const wish = { goods_id: Math.floor(spec / SPECS) + 1, spec_id: spec + 1, quantity: 1 };
    versions.push((await post('order/preview', wish)).price_version as string);
  }
  const first = { goods_id: 1, spec_id: 1, quantity: 1, price_version: versions[0] };
  return new Deck((await post('order/create', first)).order_no as string, versions);
}
