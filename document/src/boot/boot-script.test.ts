import vm from 'node:vm';
import { BOOT_SCRIPT } from './boot-code';
import { routeCallsAttribute } from './route-calls';

const product = {
  path: '/goods/:id',
  firstCalls: [
    { url: '/api/front/goods/info?id=:id', picture: 'data.image' },
    { url: '/api/front/goods/list?page=1', plain: true },
  ],
};

/** Opens an address as a browser does: runs the script, then answers every call with `answer`. */
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
  vm.runInNewContext(BOOT_SCRIPT, {
    window,
    location: url,
    localStorage: { getItem: (key: string) => stored[key] || null },
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
  return { calls, links, urls: calls.map((call) => call.url), kept: Object.keys(window.firstCalls?.answers ?? {}) };
}

const everyPage = '/api/front/app/config';

describe('calls that the document starts', () => {
  it('are those of every page and those of the route, with its parameters, and are kept for the client', async () => {
    const { urls, kept } = await open('/goods/7', product);
    expect(urls).toEqual([everyPage, '/api/front/goods/info?id=7', '/api/front/goods/list?page=1']);
    expect(kept).toEqual(urls);
  });

  it('are asked in the language, the currency and the name of the shopper', async () => {
    const { calls } = await open('/goods/7', product, { token: 'Bearer a', language: 'en' });
    expect(calls.map(({ url }) => url)).toContain('/api/front/user/info');
    expect(calls.at(-1)?.headers).toEqual({ Locale: 'en', Currency: 'USD', Authorization: 'Bearer a' });
  });

  it('leave out what a query would change', async () => {
    expect((await open('/goods/7?from=home', product)).urls).toEqual([everyPage, '/api/front/goods/info?id=7']);
  });

  it('do not ask for what needs a login without one', async () => {
    const orders = { path: '/order', flags: { requiresLogin: true }, firstCalls: [{ url: '/api/front/order/list' }] };
    expect((await open('/order', orders)).urls).toEqual([everyPage]);
    expect((await open('/order', orders, { token: 'Bearer a' })).urls).toContain('/api/front/order/list');
  });

  it('cannot be made to ask another address by what stands in the path', async () => {
    expect((await open('/goods/7%26admin=1%2F..', product)).urls[1]).toBe(
      '/api/front/goods/info?id=7%26admin%3D1%2F..',
    );
  });

  it('fetch the largest picture as soon as its address is known', async () => {
    const { links } = await open('/goods/7', product, { answer: { data: { image: '/media/a.webp' } } });
    expect(links).toEqual([{ rel: 'preload', as: 'image', fetchPriority: 'high', href: '/media/a.webp' }]);
    expect((await open('/goods/7', product, { answer: { code: 404 } })).links).toEqual([]);
  });
});
