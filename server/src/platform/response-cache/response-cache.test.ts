import { movableClock } from '../../../test/support/movable-clock';
import { type ApiAnswer, onEveryDatabase, onOneDatabase, type TestApp } from '../../../test/support/test-app';
import { times } from '../../../test/support/times';
import { buildApp } from '../../app';
import { saveArticle, saveConfig } from '../../content/content.service';
import { randomNumber } from '../crypto/tokens';
import { Sql } from '../db/sql';

const detail = (testApp: TestApp) => `goods/info?id=${testApp.goods.card.id}`;
const markOf = ({ data }: ApiAnswer, spec: number) =>
  data.specs.find((item: { id: number }) => item.id === spec)?.stock_state as number;

/** Without the statement that checks for changes. */
async function queriesOf(work: () => Promise<unknown>): Promise<string[]> {
  // Each kind of call has its own database object, so the spy is on the prototype.
  const spy = jest.spyOn(Sql.prototype, 'rows');
  await work();
  const texts = spy.mock.calls.map(([text]) => text);
  spy.mockRestore();
  return texts.filter((text) => !text.includes('pg_current_snapshot'));
}

onEveryDatabase('the response cache', (testApp) => {
  it('the response cache sends the same bytes with a strong ETag until a change, and 304 for a known ETag', async () => {
    const first = await testApp().get('goods/list');
    const second = await testApp().get('goods/list');
    expect(second.text).toBe(first.text);
    expect(first.headers.etag).toMatch(/^"[\w-]{27}"$/);
    expect(first.headers).toMatchObject({ 'cache-control': 'private, no-cache' });
    const etag = String(first.headers.etag);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const repeatedResponse = await testApp().get('goods/list', { headers: { 'if-none-match': tag } });
      expect([tag, repeatedResponse]).toMatchObject([tag, { status: 304, text: '', headers: { etag } }]);
    }
    await testApp().db.run('update goods set name_zh = name_zh || $1 where id = $2', ['!', testApp().goods.card.id]);
    const changed = await testApp().get('goods/list', { headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
    await testApp().db.run("update goods set name_zh = rtrim(name_zh, '!') where id = $1", [testApp().goods.card.id]);
  });

  it('a cached response needs only the statement that checks for changes', async () => {
    for (const url of [
      'app/config',
      'goods/list',
      detail(testApp()),
      'swiper/list',
      'customModule/list',
      'article/all',
    ]) {
      await testApp().get(url);
      expect([url, await queriesOf(() => times(10, () => testApp().get(url)))]).toEqual([url, []]);
    }
  });

  it('the response cache loads once for a hundred concurrent misses', async () => {
    await saveConfig(testApp().db, 'brand', `Brand ${randomNumber()}`);
    for (const url of ['goods/list?sort=name&page=1', detail(testApp()), 'app/config']) {
      const queries = await queriesOf(() => times(100, () => testApp().get(url)));
      expect([url, queries.length]).toEqual([url, 1]);
    }
  });

  it('the response cache follows changes by staff', async () => {
    const article = () => testApp().get('article/info?id=cached');
    expect((await article()).code).toBe(404);
    const texts = (zh: string) => ({
      id: 'cached',
      sort: 1,
      title: { 'zh-CN': zh, en: 'One' },
      content: { 'zh-CN': '<p>一</p>', en: '<p>One</p>' },
    });
    await saveArticle(testApp().db, texts('一'));
    expect((await article()).data.title).toBe('一');
    await saveArticle(testApp().db, texts('二'));
    expect((await article()).data.title).toBe('二');
    expect((await testApp().get('article/all')).data).toEqual([{ id: 'cached', title: '二' }]);
    await saveConfig(testApp().db, 'icp', 'ICP 1');
    expect((await testApp().get('app/config')).data.icp).toBe('ICP 1');
    await saveConfig(testApp().db, 'icp', 'ICP 2');
    expect((await testApp().get('app/config')).data.icp).toBe('ICP 2');
  });

  it('the response cache shows low stock and sold out at the exact unit and the return, and keeps a list until then', async () => {
    const spec = testApp().spec('card');
    const look = async () => {
      const [info, list] = [await testApp().get(detail(testApp())), await testApp().get('goods/list?limit=100')];
      const item = list.data.list.find((item: { id: number }) => item.id === testApp().goods.card.id);
      return [markOf(info, spec), item.sold_out];
    };
    const otherSpec = testApp().spec('card', 'b');
    await testApp().db.run('update card_codes set state = 3 where spec_id = $1 and state = 0', [otherSpec]);
    await testApp().setStock(12);
    const buyer = await testApp().user(100_000);
    expect(await look()).toEqual([1, false]);
    await buyer.order();
    expect(await queriesOf(() => testApp().get('goods/list?limit=100'))).toEqual([]);
    expect(await look()).toEqual([1, false]);
    const order = await buyer.order();
    expect(await look()).toEqual([2, false]);
    await buyer.order({ quantity: 9 });
    expect(await look()).toEqual([2, false]);
    const last = await buyer.order();
    expect(await look()).toEqual([0, true]);
    await buyer.post('order/cancel', { order_no: last.data.order_no });
    expect(await look()).toEqual([2, false]);
    await buyer.pay(order.data.order_no);
    await testApp().addStock(20);
    expect(await look()).toEqual([1, false]);
    await testApp().setStock(0);
    await testApp().addStock(1);
    await testApp().db.run(
      "update card_codes set expire_at = clock_timestamp() + interval '400 ms' where spec_id = $1 and state = 0",
      [spec],
    );
    expect(await look()).toEqual([2, false]);
    const lasts = 'select 1 from card_codes where spec_id = $1 and state = 0 and expire_at > clock_timestamp()';
    while (await testApp().db.row(lasts, [spec]));
    expect(await look()).toEqual([0, true]);
    await testApp().setStock(200);
    await testApp().addStock(50, otherSpec);
  });

  it('the response cache follows a stock counter', async () => {
    const id = testApp().goods.direct.id;
    const spec = testApp().spec('direct');
    const mark = async () => markOf(await testApp().get(`goods/info?id=${id}`), spec);
    for (const [stock, expected] of [
      [11, 1],
      [10, 2],
      [1, 2],
      [0, 0],
      [null, 1],
      [0, 0],
      [5, 2],
      [1000, 1],
    ]) {
      await testApp().db.run('update goods_specs set stock = $2 where id = $1', [spec, stock]);
      expect([stock, await mark()]).toEqual([stock, expected]);
    }
  });

  it('the response cache never mixes languages, currencies, shelves or users', async () => {
    const { id } = testApp().goods.card;
    const views = [
      { locale: 'zh-CN', currency: 'CNY' },
      { locale: 'en', currency: 'USD' },
      { locale: 'en', currency: 'CNY' },
      { locale: 'zh-CN', currency: 'USD' },
    ];
    for (let round = 0; round < 3; round++) {
      const infos = await Promise.all(views.map((view) => testApp().get(`goods/info?id=${id}`, view)));
      expect(infos.map(({ data }) => [data.name, data.currency, data.specs[0].price])).toEqual([
        ['原神', 'CNY', '10.00'],
        ['Genshin Impact', 'USD', '1.50'],
        ['Genshin Impact', 'CNY', '10.00'],
        ['原神', 'USD', '1.50'],
      ]);
    }
    await testApp().db.run('update goods set status = 3, per_user = 5 where id = $1', [id]);
    const [vip, plain] = [await testApp().user(5000), await testApp().user(5000)];
    await testApp().db.run('update users set is_vip = true where id = $1', [vip.id]);
    const [order] = [await vip.order()];
    expect(order.code).toBe(200);
    const used = async (who: { get: TestApp['get'] }) => (await who.get(`goods/info?id=${id}`)).data?.limits?.used;
    const otherUser = await testApp().user();
    await testApp().db.run('update users set is_vip = true where id = $1', [otherUser.id]);
    for (let round = 0; round < 2; round++) {
      const counts = await Promise.all([vip, otherUser, plain, testApp()].map(used));
      expect(counts).toEqual([1, 0, undefined, undefined]);
      const totals = await Promise.all(
        [vip, plain, testApp()].map(async (who) => (await who.get('goods/list')).data.total),
      );
      expect(totals[1]).toBe(totals[2]);
      expect(totals[0]).toBe(totals[1] + 1);
    }
    await testApp().db.run('update goods set status = 1, per_user = 0 where id = $1', [id]);
    expect((await vip.get('user/info')).headers).toMatchObject({ 'cache-control': 'no-store' });
  });

  it('unknown query parameters do not poison the response cache', async () => {
    const clean = await testApp().get('goods/list?sort=name');
    for (const odd of [
      'sort=name&sort2=1',
      'sort=name&__proto__=1&constructor=2',
      'sort=name&currency=USD&locale=en&viewer=1',
      'sort=name&callback=alert(1)',
      'page=1&limit=20&sort=name',
      'sort=name&x=%00%ff',
      '&&sort=name&&',
    ]) {
      const answer = await testApp().get(`goods/list?${odd}`);
      if (answer.code === 200) expect([odd, answer.text]).toEqual([odd, clean.text]);
    }
    for (const [first, second] of [
      ['goods/list?keyword=a%22%2C%22b', 'goods/list?keyword=ab'],
      ['goods/list?letter=y', 'goods/list?letter=Y'],
      ['goods/list?sort=nonsense', 'goods/list'],
      ['goods/list?sort=constructor', 'goods/list'],
    ] as const) {
      expect([first, (await testApp().get(first)).data]).toEqual([first, (await testApp().get(second)).data]);
    }
  });
});

onEveryDatabase('the response caches of several processes', (testApp) => {
  const BOUND_MS = 100;

  it('response caches show a commit of another process within freshMs, and not before the commit', async () => {
    const { context } = testApp();
    const otherApp = await buildApp({ ...context, config: { ...context.config, freshMs: BOUND_MS } });
    const look = async (url: string) =>
      (await otherApp.inject({ url: `/api/front/${url}`, headers: { currency: 'CNY' } })).json().data;
    const pass = movableClock();
    const price = async () => (await look(detail(testApp()))).specs[0].price;
    await price();
    for (const cents of [1100, 1200, 1000]) {
      await testApp().setPrice(cents);
      pass(BOUND_MS);
      expect(await price()).toBe((cents / 100).toFixed(2));
    }
    const setPrice = (sql: Sql, cents: number) =>
      sql.run("update prices set price = $2 where spec_id = $1 and currency = 'CNY'", [testApp().spec('card'), cents]);
    const undone = testApp().db.withTransaction(async (sql) => {
      await setPrice(sql, 1);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    pass(BOUND_MS);
    expect(await price()).toBe('10.00');
    if (testApp().kind === 'postgres') {
      await testApp().db.withTransaction(async (sql) => {
        await setPrice(sql, 1300);
        for (let round = 0; round < 3; round++) {
          await saveConfig(context.db, 'icp', `ICP ${round}`);
          pass(BOUND_MS);
          expect([await price(), (await look('app/config')).icp]).toEqual(['10.00', `ICP ${round}`]);
        }
      });
      pass(BOUND_MS);
      expect(await price()).toBe('13.00');
      await testApp().setPrice(1000);
    }
    jest.restoreAllMocks();
    await otherApp.close();
  });

  it('orders use the price and the stock in the database rather than cached ones', async () => {
    const { context } = testApp();
    const sleepy = await buildApp({ ...context, config: { ...context.config, freshMs: 60_000 } });
    const look = async () =>
      (await sleepy.inject({ url: `/api/front/${detail(testApp())}`, headers: { currency: 'CNY' } })).json().data
        .specs[0];
    const buyer = await testApp().user(5000);
    const headers = { currency: 'CNY', authorization: `Bearer ${buyer.token}`, 'idempotency-key': randomNumber() };
    const send = async (url: string, payload: object) =>
      (await sleepy.inject({ method: 'POST', url: `/api/front/${url}`, headers, payload })).json();
    const cached = await look();
    await testApp().setPrice(1500);
    await testApp().setStock(0);
    expect(await look()).toEqual(cached);
    const body = testApp().orderBody('card');
    const { unit_price, price_version } = (await send('order/preview', body)).data;
    expect([cached.price, unit_price]).toEqual(['10.00', '15.00']);
    expect((await send('order/create', { ...body, price_version })).code).toBe(42220);
    await sleepy.close();
  });
});

onOneDatabase('the response caches', (testApp) => {
  it('response caches stay within their memory limits, and searches do not evict other responses', async () => {
    const { context } = testApp();
    const app = await buildApp({ ...context, config: { ...context.config, freshMs: 60_000 } });
    const get = (url: string) => app.inject({ url: `/api/front/${url}`, headers: { currency: 'CNY' } });
    const list = (await get('goods/list')).body;
    const cachedBytes = () => Number(/shop_answers_bytes (\d+)/.exec(metrics)?.[1]);
    let metrics = '';
    let most = 0;
    for (let batch = 0; batch < 50; batch++) {
      await times(100, (index) => get(`goods/list?keyword=${'w'.repeat(40)}${batch}x${index}`));
      metrics = (await app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })).body;
      most = Math.max(most, cachedBytes());
    }
    expect(most).toBeGreaterThan(3_000_000);
    expect(most).toBeLessThan(4.3 * 1024 * 1024 + list.length * 10);
    expect((await get('goods/list')).body).toBe(list);
    await app.close();
  }, 600_000);
});
