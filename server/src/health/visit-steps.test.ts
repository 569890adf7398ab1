import { liveVersion } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { addressOf, type HealthFixture } from '@platform/watch/testing';
import { until } from '../../../scripts/jest/until';
import { newShopper } from '../../test/support/fill-shop';
import { shopWith } from '../../test/support/release-store';
import { onEveryDatabase } from '../../test/support/test-app';
import { randomNumber } from '../platform/crypto/tokens';
import type { App } from '../platform/http/request';
import { openHealth } from './testing/health-fixture';

const routes = [
  {
    path: '/goods/:id',
    page: './product',
    module: './src/product.tsx',
    title: 'Product',
    kind: 'product',
  },
];
const steps = [
  { from: 'price', to: 'order' },
  { from: 'price', to: 'paid', dryRun: true },
];
const BROWSER = { accept: 'text/html', 'sec-fetch-dest': 'document', 'user-agent': 'Mozilla/5.0 (iPhone) Mobile' };

onEveryDatabase('funnel steps', (testApp) => {
  let shop: HealthFixture;
  let app: App;
  beforeEach(async () => {
    shop = await openHealth(testApp(), { routes, steps });
    await publishSample(shop.store, { name: 'shell' });
    await shop.promote({ name: 'shell' });
    app = await shopWith(testApp().context, shop.store);
  });
  afterEach(() => app.close());

  let networks = 0;
  function browser(visitor: number, address = addressOf(11, ++networks)) {
    const cookies = new Map([['visitor', String(visitor)]]);
    const ask = async (method: 'GET' | 'POST', url: string, body?: object, headers: Record<string, string> = {}) => {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
      const answer = await app.inject({
        method,
        url,
        remoteAddress: address,
        headers: { cookie, currency: 'CNY', ...headers },
        payload: body,
      });
      for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        cookies.set(name, value);
      }
      return answer;
    };
    const goods = testApp().goods.card.id;
    return {
      cookies,
      ask,
      open: (headers: Record<string, string> = BROWSER) => ask('GET', `/goods/${goods}`, undefined, headers),
      see: () => ask('GET', `/api/front/goods/info?id=${goods}`),
      async order(sessionToken?: string) {
        const token = sessionToken ?? (await newShopper(testApp().db, 100_000)).token;
        const call = (url: string, body: object) =>
          ask('POST', `/api/front/${url}`, body, {
            authorization: `Bearer ${token}`,
            'idempotency-key': randomNumber(),
          });
        const body = testApp().orderBody('card');
        const { price_version } = (await call('order/preview', body)).json().data;
        const answer = (await call('order/create', { ...body, price_version })).json();
        return { code: answer.code, pay: () => call('payment/balance', { order_no: answer.data.order_no }) };
      },
    };
  }
  const stored = () =>
    testApp().db.rows<{ path: string; version: string; segment: string[]; visits: number; reached: number }>(
      `select path, version, segment, visits, reached from release_steps where name = 'catalog' order by path, version, segment`,
    );
  const sum = async (path: string, of: 'visits' | 'reached') =>
    (await stored()).filter((row) => row.path === path).reduce((total, row) => total + row[of], 0);
  const counted = (path: string, of: 'visits' | 'reached', count: number) =>
    until(`${count} ${of} of ${path}`, async () => (await sum(path, of)) >= count);

  it('a page, an order and a payment each count once as a funnel step, with language, currency, device and new or returning', async () => {
    const visit = browser(50);
    visit.cookies.clear();
    await visit.open();
    visit.cookies.set('visitor', '50');
    await visit.open();
    await visit.see();
    await visit.see();
    const { pay } = await visit.order();
    await pay();
    await counted('price>paid', 'reached', 1);
    const rows = await stored();
    const row = { version: shop.one, segment: ['zh-CN', 'CNY', 'phone', 'new'], visits: 1, reached: 1 };
    expect(rows).toEqual([
      { ...row, path: 'price>order' },
      { ...row, path: 'price>paid' },
    ]);
  });

  it('funnel steps of crawlers and tools, or with tokens that are not of this visit do not count', async () => {
    await browser(50).open({ accept: 'text/html' });
    const honest = browser(50);
    await honest.open();
    const token = honest.cookies.get('visit_token') ?? '';
    for (const foreign of [token, token.replace(/^\w/, 'z')]) {
      const stranger = browser(50);
      stranger.cookies.set('visit_token', foreign);
      expect((await stranger.see()).statusCode).toBe(200);
    }
    const last = browser(50);
    await last.open();
    await counted('price>order', 'visits', 2);
    expect(await sum('price>order', 'visits')).toBe(2);
  });

  it('funnel steps count once per account, from any number of networks', async () => {
    await testApp().addStock(20);
    const { token } = await newShopper(testApp().db, 100_000);
    for (let network = 0; network < 10; network += 1) {
      const visit = browser(50);
      await visit.open();
      const { code, pay } = await visit.order(token);
      expect(code).toBe(200);
      expect((await pay()).json().code).toBe(200);
    }
    const last = browser(50);
    await last.open();
    await last.order();
    await counted('price>order', 'reached', 2);
    expect(await sum('price>order', 'reached')).toBe(2);
    expect(await sum('price>order', 'visits')).toBe(11);
  });

  it('counting funnel steps never makes an action fail', async () => {
    const reported: string[] = [];
    app.onStep.unshift((_request, step) => {
      reported.push(step);
      throw new Error('counting is broken');
    });
    const visit = browser(50);
    await visit.open();
    expect((await visit.see()).json().code).toBe(200);
    expect((await visit.order()).code).toBe(200);
    await until('the broken count', () => reported.length >= 2);
    expect(reported).toEqual(['price', 'order']);
  });

  it('the watcher rolls back a canary whose Buy button is broken, and keeps one that is as good as the live release', async () => {
    await testApp().addStock(200);
    for (const isDead of [false, true]) {
      const version = isDead ? await publishSample(shop.store, { routes, steps, text: 'dead' }) : shop.two;
      await shop.promote({ version, traffic: 50 });
      await shop.look();
      const before = await sum('price>order', 'reached');
      const visits = Array.from({ length: 48 }, (_, index) => browser((index * 100) / 48));
      for (const [index, visit] of visits.entries()) {
        await visit.open();
        await visit.see();
        const hasCanary = index < 24;
        if (!(isDead && hasCanary)) expect((await visit.order()).code).toBe(200);
      }
      await counted('price>order', 'reached', before + (isDead ? 24 : 48));
      if (!isDead) {
        expect(await shop.look()).toEqual([]);
        await shop.promote({ version });
        continue;
      }
      const why = `price → order: 0.0 % of 24 visits with ${version}, 100.0 % of 24 in an equal part of the others with ${shop.two}`;
      expect(await shop.look()).toMatchObject([{ kind: 'canary-back', name: 'catalog', version, why }]);
    }
    const map = await shop.store.readMap();
    expect(liveVersion(map, 'catalog')).toBe(shop.two);
    expect(map.ops.frozen.catalog).toHaveLength(1);
  });
});
