import vm from 'node:vm';
import { SITE } from '../testing/site';
import { bootCode } from './boot-code';
import { routeCallsAttribute } from './route-calls';

const product = {
  path: '/goods/:id',
  firstCalls: [
    { url: '/api/front/goods/info?id=:id', picture: 'data.image' },
    { url: '/api/front/goods/list?page=1', plain: true },
  ],
};

async function open(
  address: string,
  route: Parameters<typeof routeCallsAttribute>[0],
  { token = '', language = 'zh-CN', answer = {} as unknown } = {},
) {
  const calls: Array<{ url: string; headers: Record<string, string> }> = [];
  const links: Array<{ rel?: string; as?: string; href?: string }> = [];
  const stored: Record<string, string> = { token, language };
  const url = new URL(address, 'https://shop.example');
  const window: { firstCalls?: { answers: Record<string, unknown> } } = {};
  vm.runInNewContext(bootCode(SITE).script, {
    window,
    location: url,
    localStorage: {
      getItem: (key: string) => stored[key] || null,
      setItem: (key: string, value: string) => Object.assign(stored, { [key]: value }),
    },
    history: {
      state: null,
      replaceState: (_: unknown, __: string, to: string) => Object.assign(url, { href: url.origin + to }),
    },
    URL,
    sessionStorage: { getItem: () => null },
    matchMedia: () => ({ matches: false }),
    URLSearchParams,
    document: {
      documentElement: { dataset: { calls: routeCallsAttribute(route) || undefined }, lang: 'zh-CN' },
      createElement: () => ({}),
      head: { appendChild: (link: object) => links.push(link) },
    },
    fetch: async (called: string, { headers }: { headers: Record<string, string> }) => {
      calls.push({ url: called, headers });
      return { json: async () => answer };
    },
  });
  await new Promise((resolve) => setImmediate(resolve));
  return {
    calls,
    links,
    urls: calls.map((call) => call.url),
    address: url.pathname + url.search,
    storedCalls: Object.keys(window.firstCalls?.answers ?? {}),
  };
}

const everyPage = '/api/front/app/config';

it('the first calls are those of every page and of the route, with its parameters, and are stored for the client', async () => {
  const { urls, storedCalls } = await open('/goods/7', product);
  expect(urls).toEqual([everyPage, '/api/front/goods/info?id=7', '/api/front/goods/list?page=1']);
  expect(storedCalls).toEqual(urls);
});

it('the first calls use the language of the address, which is removed from the address before they start', async () => {
  const { calls, urls, address } = await open('/goods/7?lang=en', product);
  expect(calls[0]?.headers).toEqual({ Locale: 'en', Currency: 'USD' });
  expect(urls).toContain('/api/front/goods/list?page=1');
  expect(address).toBe('/goods/7');
});

it('the first calls carry the language, currency and token of the shopper', async () => {
  const { calls } = await open('/goods/7', product, { token: 'Bearer a', language: 'en' });
  expect(calls.map(({ url }) => url)).toContain('/api/front/user/info');
  expect(calls.at(-1)?.headers).toEqual({ Locale: 'en', Currency: 'USD', Authorization: 'Bearer a' });
});

it('the first calls leave out calls that a query would change', async () => {
  expect((await open('/goods/7?from=home', product)).urls).toEqual([everyPage, '/api/front/goods/info?id=7']);
});

it('the first calls leave out calls that need a session when there is no token', async () => {
  const orders = { path: '/order', flags: { requiresLogin: true }, firstCalls: [{ url: '/api/front/order/list' }] };
  expect((await open('/order', orders)).urls).toEqual([everyPage]);
  expect((await open('/order', orders, { token: 'Bearer a' })).urls).toContain('/api/front/order/list');
});

it('the first calls encode parameters, so that a path cannot change the called address', async () => {
  expect((await open('/goods/7%26admin=1%2F..', product)).urls[1]).toBe('/api/front/goods/info?id=7%26admin%3D1%2F..');
});

it('the first calls preload the largest picture of the response', async () => {
  const { links } = await open('/goods/7', product, { answer: { data: { image: '/media/a.webp' } } });
  expect(links).toEqual([{ rel: 'preload', as: 'image', fetchPriority: 'high', href: '/media/a.webp' }]);
  expect((await open('/goods/7', product, { answer: { code: 404 } })).links).toEqual([]);
});
