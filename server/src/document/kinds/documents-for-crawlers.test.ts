import { searchEngines } from '@platform/pages/serving';
import { type MapSource, promote, type Store } from '@platform/releases';
import { publishLive, publishSample } from '@platform/releases/testing';
import { SITE } from '@shop/shared/site';
import fastify from 'fastify';
import { JSDOM } from 'jsdom';
import { crawl } from '../../../test/support/crawl';
import { routesOf, shopWith, storeWith } from '../../../test/support/release-store';
import { onEveryDatabase } from '../../../test/support/test-app';
import { saveArticle } from '../../content/content.service';
import type { Texts } from '../../platform/http/localised-text';
import type { App } from '../../platform/http/request';
import { shopPageKinds } from './shop-page-kinds';

const ORIGIN = 'https://shop.example';

const publicPages: Array<[string, string, string]> = [
  ['/home', '首页 - 星点', 'Home - Stardot'],
  ['/goods', '全部游戏 - 星点', 'All games - Stardot'],
  ['/goods?category_id=CATEGORY', '游戏 - 星点', 'Games - Stardot'],
  ['/goods/CARD', '原神 - 星点', 'Genshin Impact - Stardot'],
  ['/search', '搜索 - 星点', 'Search - Stardot'],
  ['/article/agreement', '用户服务协议 - 星点', 'User service agreement - Stardot'],
  ['/article/privacy', '隐私政策 - 星点', 'Privacy policy - Stardot'],
  ['/business', '商务合作 - 星点', 'Business cooperation - Stardot'],
  ['/youxi', '游戏 - 星点', 'Games - Stardot'],
];

/** What search engines read of a page that they are not to list. */
const excluded = { robots: 'noindex', canonical: undefined };
const article = (id: string, title: Texts) => ({
  id,
  title,
  sort: 9,
  content: { 'zh-CN': '<p>满减</p>', en: '<p>Off</p>' },
});

onEveryDatabase('documents for crawlers', (testApp) => {
  let app: App;
  let hidden: App;
  let store: Store;
  beforeAll(async () => {
    store = await storeWith(['catalog', 'content', 'account'].map((name) => ({ name, routes: routesOf(name) })));
    const { context } = testApp();
    app = await shopWith(context, store, { publicUrl: ORIGIN, indexed: true, production: false });
    hidden = await shopWith(context, store, { indexed: false, production: true });
    for (const [id, zh, en] of [
      ['agreement', '用户服务协议', 'User service agreement'],
      ['privacy', '隐私政策', 'Privacy policy'],
    ] as const) {
      const content = { 'zh-CN': `<h2>一</h2><p>${zh}的内容。</p>`, en: `<h2>One</h2><p>What the ${en} says.</p>` };
      await saveArticle(testApp().db, { id, title: { 'zh-CN': zh, en }, content, sort: 1 });
    }
  });
  afterAll(() => Promise.all([app.close(), hidden.close()]));

  const get = (url: string, headers: Record<string, string> = {}, shop = app) =>
    shop.inject({ url, headers: { accept: 'text/html', ...headers } });
  const read = async (url: string, headers?: Record<string, string>) => {
    const response = await get(url, headers);
    return { status: response.statusCode, headers: response.headers, body: response.body, ...crawl(response.body) };
  };
  const inEnglish = (path: string) => `${path}${path.includes('?') ? '&' : '?'}lang=en`;
  const category = async () => (await testApp().get('goods/category')).data[0].id as number;
  const addressOf = async (path: string) =>
    path.replace('CATEGORY', String(await category())).replace('CARD', String(testApp().goods.card.id));
  const thing = (page: { data: Array<{ '@graph': Array<Record<string, unknown>> }> }, type: string) =>
    page.data[0]?.['@graph'].find((item) => item['@type'] === type);

  it.each(publicPages)(
    'the document of %s describes the page and its address in both languages',
    async (path, chinese, english) => {
      const plain = await addressOf(path);
      const pages = [await read(plain), await read(inEnglish(plain))];
      expect(pages.map(({ status, lang, title, robots }) => [status, lang, title, robots])).toEqual([
        [200, 'zh-CN', chinese, undefined],
        [200, 'en', english, undefined],
      ]);
      const addresses = { 'zh-CN': ORIGIN + plain, en: ORIGIN + inEnglish(plain), 'x-default': ORIGIN + plain };
      expect(pages.map(({ canonical }) => canonical)).toEqual([addresses['zh-CN'], addresses.en]);
      expect(pages[0]?.description).not.toBe(pages[1]?.description);
      for (const page of pages) {
        expect(page.alternates).toEqual(addresses);
        expect(page.description?.length).toBeGreaterThan(5);
        expect(page.card).toMatchObject({
          'og:url': page.canonical,
          'og:description': page.description,
          'og:image': expect.stringMatching(/^https:\/\/shop\.example\/media\//),
          'twitter:card': 'summary',
        });
        expect(page.title).toContain(page.card['og:title']);
        expect(page.card['og:title'] === page.card['og:site_name']).toBe(path === '/home');
        expect(page.data).toHaveLength(1);
        expect(thing(page, 'Organization')).toMatchObject({ url: `${ORIGIN}/home` });
        expect(Boolean(thing(page, 'BreadcrumbList'))).toBe(path !== '/home');
        expect(Boolean(thing(page, 'WebSite'))).toBe(path === '/home');
        expect(page.headers['x-robots-tag']).toBeUndefined();
        expect(page.headers['content-security-policy']).not.toContain('unsafe');
        expect(page.scripts).toHaveLength(3);
      }
    },
  );

  it('a static page has its own description', async () => {
    const addresses = await Promise.all(publicPages.map(([path]) => addressOf(path)));
    const pages = await Promise.all([...addresses, ...addresses.map(inEnglish)].map((address) => read(address)));
    expect(new Set(pages.map(({ description }) => description)).size).toBe(pages.length);
  });

  it('the document of a product has its picture, price and stock', async () => {
    const { id } = testApp().goods.card;
    const offer = async (url: string) => thing(await read(url), 'Product')?.offers;
    const page = await read(`/goods/${id}`);
    expect(page.card).toMatchObject({
      'og:type': 'product',
      'og:image': `${ORIGIN}/media/x.webp`,
      'product:price:amount': '10.00',
      'product:price:currency': 'CNY',
    });
    expect(page.description).toBe('原神，¥10.00 起。说明');
    expect(thing(page, 'Product')).toMatchObject({ name: '原神', sku: String(id), category: '游戏' });
    const list = { '@type': 'AggregateOffer', lowPrice: '10.00', highPrice: '33.33', priceCurrency: 'CNY' };
    const inStock = { offerCount: 2, availability: 'https://schema.org/InStock' };
    expect(await offer(`/goods/${id}`)).toMatchObject({ ...list, ...inStock });
    expect(await offer(`/goods/${id}?lang=en`)).toMatchObject({
      '@type': 'Offer',
      price: '1.50',
      priceCurrency: 'USD',
    });

    const { db } = testApp();
    const direct = testApp().goods.direct.id;
    const setStock = (left: number) => db.run('update goods_specs set stock = $1 where goods_id = $2', [left, direct]);
    expect(await offer(`/goods/${direct}`)).toMatchObject({ availability: 'https://schema.org/LimitedAvailability' });
    await setStock(0);
    expect(await offer(`/goods/${direct}`)).toMatchObject({ availability: 'https://schema.org/OutOfStock' });
    await setStock(5);
    expect(thing(await read(`/goods/${id}`), 'BreadcrumbList')).toMatchObject({
      itemListElement: [
        { position: 1, name: '首页', item: { '@id': `${ORIGIN}/home` } },
        { position: 2, name: '全部游戏', item: { '@id': `${ORIGIN}/goods` } },
        { position: 3, name: '游戏', item: { '@id': `${ORIGIN}/goods?category_id=${await category()}` } },
        { position: 4, name: '原神', item: { '@id': `${ORIGIN}/goods/${id}` } },
      ],
    });
  });

  it('the document of a product sold in one currency exists in one language only and shows no other price', async () => {
    const { id } = testApp().goods.custom;
    const page = await read(`/goods/${id}`);
    expect(Object.keys(page.alternates)).toEqual(['zh-CN', 'x-default']);
    expect(thing(page, 'Product')?.offers).toMatchObject({ lowPrice: '1.00', highPrice: '100.00' });
    const english = await read(`/goods/${id}?lang=en`);
    expect(english).toMatchObject({ status: 200, title: 'Product not found - Stardot', ...excluded });
    expect(english.data).toEqual([]);
  });

  it('a document escapes a malicious product name and description', async () => {
    const { id } = testApp().goods.manual;
    const evil = `</script><script>alert(1)</script><!--"'&\u2028\u2029]]>`;
    const { db } = testApp();
    await db.run('update goods set name_zh = $1, image = $2 where id = $3', [evil, 'javascript:alert(1)"', id]);
    const page = await read(`/goods/${id}`);
    await db.run("update goods set name_zh = '测试商品', image = '/media/x.webp' where id = $1", [id]);
    expect(page.body).not.toContain('<script>alert');
    expect(page.document.querySelector('script[type="application/ld+json"]')?.textContent).not.toMatch(
      /[<\u2028\u2029]/,
    );
    expect(page.scripts).toHaveLength(3);
    expect(page.card['og:title']).toBe(evil);
    expect(thing(page, 'Product')?.name).toBe(evil);
    expect(page.card['og:image']).toMatch(/^https:/);
  });

  it('a document has the HTTP status of its content', async () => {
    const { db, goods } = testApp();
    const { id } = goods.manual;
    const statusOf = async (url: string) => (await get(url)).statusCode;
    expect(
      await Promise.all(['/goods/999999', '/goods/x', '/goods/0', '/goods/1e400', '/nowhere', '/404'].map(statusOf)),
    ).toEqual(Array(6).fill(404));
    expect(await Promise.all(['/article/guide', '/article/nothing', '/article/A%00'].map(statusOf))).toEqual([
      404, 404, 404,
    ]);
    await saveArticle(db, article('summer', { 'zh-CN': '夏日活动', en: 'Summer' }));
    const address = '/article/summer';
    expect(await read(address)).toMatchObject({ status: 200, title: '夏日活动 - 星点', canonical: ORIGIN + address });
    await db.run("update articles set published = false where id = 'summer'");
    expect(await statusOf(address)).toBe(404);
    expect(await statusOf(`/goods/${id}`)).toBe(200);
    await db.run('update goods set status = 2 where id = $1', [id]);
    const removed = await read(`/goods/${id}`);
    expect(removed).toMatchObject({ status: 410, title: '找不到这个商品 - 星点', ...excluded });
    expect(removed.document.getElementById('root')).not.toBeNull();
    await db.run('update goods set status = 3 where id = $1', [id]);
    const forVip = await read(`/goods/${id}`);
    const unknown = await read('/goods/999999');
    expect([forVip.status, forVip.body]).toEqual([404, unknown.body]);
    expect(unknown.title).toBe(removed.title);
    await db.run('update goods set status = 1 where id = $1', [id]);
    expect(await statusOf(`/goods/${id}`)).toBe(200);
    for (const path of ['/user', '/user/wallet', '/403'])
      expect([path, await read(path)]).toMatchObject([path, { status: 200, ...excluded }]);
    for (const path of ['/search?keyword=ys', '/goods?keyword=ys']) expect((await read(path)).robots).toBe('noindex');
  });

  it('all addresses of a page and all guests share one document', async () => {
    const { id } = testApp().goods.card;
    const user = await testApp().user();
    const etag = async (url: string, headers = {}) => (await get(url, headers)).headers.etag;
    const plain = await etag(`/goods/${id}`);
    for (const url of [
      `/goods/${id}?utm_source=x&n=${Math.random()}`,
      `/goods/${id}/`,
      `/Goods/${id}`,
      `/goods/${id}?lang=fr`,
    ])
      expect([url, await etag(url)]).toEqual([url, plain]);
    const visitor = { authorization: `Bearer ${user.token}`, cookie: 'session=1', host: 'evil.example' };
    expect(await etag(`/goods/${id}`, visitor)).toBe(plain);
    const list = await etag(`/goods?category_id=${await category()}&letter=Y`);
    expect(await etag(`/goods?x=1&letter=y&sort=new&category_id=${await category()}`)).toBe(list);
    expect(await etag('/goods?category_id=999&sort=hot&recharge_type=9&letter=AB')).toBe(await etag('/goods'));
    expect(await etag(inEnglish(`/goods/${id}`))).not.toBe(plain);
  });

  it('robots meta tags exclude shops closed to search engines, previews and the API’s document', async () => {
    const page = await get('/home', {}, hidden);
    expect(page.headers['x-robots-tag']).toBe('noindex');
    expect(crawl(page.body)).toMatchObject({ canonical: undefined, alternates: {}, data: [], title: '首页 - 星点' });
    const preview = await publishSample(store, { name: 'catalog', routes: routesOf('catalog'), text: 'two' });
    for (const url of [`/home?release=catalog@${preview}`, '/docs/openapi.json'])
      expect([url, (await get(url)).headers['x-robots-tag']]).toEqual([url, 'noindex']);
  });

  it('a renamed route keeps status, title and metadata, and other documents link to its new address', async () => {
    const { db, goods } = testApp();
    const { id } = goods.card;
    const renamed = JSON.parse(
      JSON.stringify(routesOf('catalog'))
        .replace('"/goods/:id"', '"/offers/:id"')
        .replace('"/goods"', '"/all"')
        .replace('"/search"', '"/find"'),
    );
    const { version: before } = (await store.readMap()).microFrontends.catalog?.[0]?.metadata ?? {};
    await publishLive(store, { name: 'catalog', routes: renamed });
    const page = await read(`/offers/${id}`);
    expect([page.status, page.title, page.canonical]).toEqual([200, '原神 - 星点', `${ORIGIN}/offers/${id}`]);
    expect(thing(page, 'Product')).toMatchObject({ sku: String(id), url: `${ORIGIN}/offers/${id}` });
    expect(thing(page, 'BreadcrumbList')).toMatchObject({
      itemListElement: ['/home', '/all', `/all?category_id=${await category()}`, `/offers/${id}`].map((path) => ({
        item: { '@id': ORIGIN + path },
      })),
    });
    expect(thing(await read('/home'), 'WebSite')).toMatchObject({
      potentialAction: { target: { urlTemplate: `${ORIGIN}/find?keyword={search_term_string}` } },
    });
    expect((await get('/offers/999999')).statusCode).toBe(404);
    await db.run('update goods set status = 2 where id = $1', [id]);
    expect(await read(`/offers/${id}`)).toMatchObject({ status: 410, title: '找不到这个商品 - 星点', ...excluded });
    await db.run('update goods set status = 1 where id = $1', [id]);
    await promote(store, { by: 'ann', name: 'catalog', version: before });
  });

  describe('sitemap', () => {
    const xml = async (url: string, shop = app) => {
      const response = await get(url, {}, shop);
      expect([url, response.statusCode, response.headers['content-type']]).toEqual([
        url,
        200,
        'application/xml; charset=utf-8',
      ]);
      return new JSDOM(response.body, { contentType: 'application/xml' }).window.document;
    };
    const source = { get: () => store.readMap() } as MapSource;
    const texts = (document: Document, name: string) =>
      [...document.getElementsByTagName(name)].map((element) => element.textContent);

    it('the sitemap lists every public page once per language, with its alternates and date', async () => {
      const { goods } = testApp();
      const document = await xml('/sitemap.xml');
      const expected = [
        '/home',
        '/goods',
        '/search',
        '/article/agreement',
        '/article/privacy',
        '/business',
        '/youxi',
        `/goods?category_id=${await category()}`,
        ...[goods.card, goods.direct, goods.manual].map(({ id }) => `/goods/${id}`),
      ].flatMap((path) => [ORIGIN + path, ORIGIN + inEnglish(path)]);
      const addresses = texts(document, 'loc');
      expect([...addresses].sort()).toEqual([...expected, `${ORIGIN}/goods/${goods.custom.id}`].sort());
      const entry = document.getElementsByTagName('url')[addresses.indexOf(`${ORIGIN}/goods/${goods.card.id}?lang=en`)];
      const links = [...(entry?.getElementsByTagName('xhtml:link') ?? [])];
      expect(
        Object.fromEntries(links.map((link) => [link.getAttribute('hreflang'), link.getAttribute('href')])),
      ).toEqual({
        'zh-CN': `${ORIGIN}/goods/${goods.card.id}`,
        en: `${ORIGIN}/goods/${goods.card.id}?lang=en`,
        'x-default': `${ORIGIN}/goods/${goods.card.id}`,
      });
      const changedAt = await testApp().value<Date>('select updated_at from goods where id = $1', [goods.card.id]);
      expect(entry?.getElementsByTagName('lastmod')[0]?.textContent).toBe(changedAt.toISOString());
      for (const address of addresses) {
        const page = await read((address ?? '').slice(ORIGIN.length));
        expect([address, page.status, page.robots, page.canonical]).toEqual([address, 200, undefined, address]);
      }
    });

    it('the sitemap lists an article of staff only while it is visible', async () => {
      const { db } = testApp();
      const listed = async () => {
        const fresh = fastify();
        await fresh.register(
          searchEngines({ site: SITE, source, origin: ORIGIN, indexed: true, kinds: shopPageKinds(db) }),
        );
        const document = await xml('/sitemap.xml', fresh);
        await fresh.close();
        return texts(document, 'loc').filter((address) => address?.includes('/article/spring'));
      };
      const shownFor = (starts: string, ends: string) =>
        db.run(
          `update articles set starts_at = now() + $1::interval, ends_at = now() + $2::interval where id = 'spring'`,
          [starts, ends],
        );
      await saveArticle(db, article('spring', { 'zh-CN': '春日活动', en: 'Spring' }));
      const address = `${ORIGIN}/article/spring`;
      expect(await listed()).toEqual([address, `${address}?lang=en`]);
      await shownFor('1 hour', '2 hours');
      expect(await listed()).toEqual([]);
      await shownFor('-1 hour', '1 hour');
      expect(await listed()).toEqual([address, `${address}?lang=en`]);
      await shownFor('-2 hours', '-1 hour');
      expect(await listed()).toEqual([]);
    });
  });

  it('robots.txt announces the sitemap and excludes pages that are not public', async () => {
    const robots = await get('/robots.txt');
    expect(robots.headers['content-type']).toBe('text/plain; charset=utf-8');
    const lines = robots.body.split('\n');
    expect(lines[0]).toBe('User-agent: *');
    for (const line of [
      'Disallow: /api/',
      'Allow: /api/front/goods/',
      'Disallow: /*?release=',
      'Disallow: /user/',
      'Disallow: /user$',
    ])
      expect(lines).toContain(line);
    expect(lines).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
    expect(robots.body).not.toMatch(/Disallow: \/(?:$|(?:home|goods|search|article|business|youxi|r|media)\b)/m);
    expect((await get('/robots.txt', {}, hidden)).body).not.toContain('Sitemap');
    expect((await get('/sitemap.xml', {}, hidden)).statusCode).toBe(404);
  });
});
