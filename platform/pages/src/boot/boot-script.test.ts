import vm from 'node:vm';
import { SITE } from '../testing/site';
import { bootCode } from './boot-code';
import { routeCallsAttribute } from './document-attributes';

const product = {
  path: '/goods/:id',
  firstCalls: [
    { url: '/api/front/goods/info?id=:id', picture: 'data.image' },
    { url: '/api/front/goods/list?page=1', plain: true },
  ],
};

interface Opened {
  /** The content of local storage; null if storage is blocked. */
  stored?: Record<string, string> | null;
  dark?: boolean;
  route?: Parameters<typeof routeCallsAttribute>[0];
  answer?: unknown;
  isRendered?: boolean;
}

async function open(address: string, { stored = {}, dark = false, route, answer = {}, isRendered }: Opened = {}) {
  const calls: Array<{ url: string; headers: Record<string, string> }> = [];
  const links: Array<{ rel?: string; as?: string; href?: string }> = [];
  const entries: unknown[] = [];
  const [reload, replace] = [jest.fn(), jest.fn()];
  const url = Object.assign(new URL(address, 'https://shop.example'), { reload, replace });
  const dataset: Record<string, string | undefined> = {
    calls: (route && routeCallsAttribute(route)) || undefined,
    rendered: isRendered ? '1.0.0-1 zh-CN light /goods' : undefined,
  };
  const root = { dataset, lang: 'zh-CN' };
  const storage = {
    getItem: (key: string) => {
      if (!stored) throw new Error('SecurityError');
      return stored[key] || null;
    },
    setItem: (key: string, value: string) => {
      if (!stored) throw new Error('SecurityError');
      stored[key] = value;
    },
    removeItem: (key: string) => void delete stored?.[key],
  };
  const scope: Record<string, unknown> & { firstCalls?: { answers: Record<string, unknown> } } = {
    location: url,
    localStorage: storage,
    sessionStorage: storage,
    history: {
      state: { idx: 2 },
      replaceState: (state: unknown, _: string, to: string) => {
        entries.push([state, to]);
        url.href = url.origin + to;
      },
    },
    matchMedia: (query: string) => ({ matches: query === '(prefers-color-scheme: dark)' && dark }),
    document: {
      cookie: '',
      documentElement: root,
      readyState: 'loading',
      addEventListener() {},
      createElement: () => ({}),
      head: { appendChild: (link: object) => links.push(link) },
    },
    fetch: async (called: string, { headers }: { headers: Record<string, string> }) => {
      calls.push({ url: called, headers });
      return { json: async () => answer };
    },
    setTimeout() {},
    addEventListener() {},
    URL,
    URLSearchParams,
  };
  scope.window = scope;
  vm.runInNewContext(bootCode(SITE).script, scope);
  await new Promise((resolve) => setImmediate(resolve));
  return {
    calls,
    links,
    entries,
    language: root.lang,
    theme: dataset.theme,
    urls: calls.map((call) => call.url),
    address: url.pathname + url.search,
    storedCalls: Object.keys(scope.firstCalls?.answers ?? {}),
    loads: reload.mock.calls.length,
    replaced: replace.mock.calls.flat(),
    isHidden: dataset.redraw !== undefined,
  };
}

const everyPage = '/api/front/app/config';

it('the first calls are those of every page and of the route, with its parameters, and are stored for the client', async () => {
  const { urls, storedCalls } = await open('/goods/7', { route: product });
  expect(urls).toEqual([everyPage, '/api/front/goods/info?id=7', '/api/front/goods/list?page=1']);
  expect(storedCalls).toEqual(urls);
});

const orders = { path: '/order', flags: { requiresLogin: true }, firstCalls: [{ url: '/api/front/order/list' }] };
it.each<[string, string, Opened, string[]]>([
  ['leave out calls that a query would change', '/goods/7?from=home', { route: product }, ['goods/info?id=7']],
  ['leave out calls that need a session without one', '/order', { route: orders }, []],
  [
    'contain calls that need a session with one',
    '/order',
    { route: orders, stored: { token: 'Bearer a' } },
    ['user/info', 'order/list'],
  ],
  [
    'encode parameters, so that a path cannot change the called address',
    '/goods/7%26admin=1%2F..',
    { route: product },
    ['goods/info?id=7%26admin%3D1%2F..', 'goods/list?page=1'],
  ],
])('the first calls %s', async (_, address, opened, calls) => {
  expect((await open(address, opened)).urls).toEqual([everyPage, ...calls.map((call) => `/api/front/${call}`)]);
});

it.each([
  ['/goods?category_id=2&lang=en&sort=hot#top', '/goods?category_id=2&sort=hot#top', 'light', 'en'],
  ['/goods/7?lang=zh-CN', '/goods/7', 'light', 'zh-CN'],
  ['/goods?theme=dark&letter=Y&lang=en', '/goods?letter=Y', 'dark', 'en'],
])('the address %s becomes %s, with its theme and language stored', async (address, to, theme, language) => {
  const stored: Record<string, string> = { language: 'zh-CN' };
  const opened = await open(address, { stored });
  expect(opened.entries.at(-1)).toEqual([{ idx: 2 }, to]);
  expect(opened).toMatchObject({ theme, language });
  expect(stored).toMatchObject({ language, ...(theme === 'dark' && { theme }) });
});

it.each(['/goods?theme=pink', '/goods?x=1', '/goods?lang=fr', '/goods?lang=', '/goods?lang=EN'])(
  'the address %s and the chosen language stay as they are',
  async (address) => {
    const { entries, language } = await open(address, { stored: { language: 'en' } });
    expect([entries, language]).toEqual([[], 'en']);
  },
);

it('an address with `lang` sets the language and keeps the parameter when storage is blocked', async () => {
  expect(await open('/goods?lang=en', { stored: null })).toMatchObject({ language: 'en', entries: [] });
});

it('the first calls use the language of the address, which is removed from the address before they start', async () => {
  const { calls, urls, address } = await open('/goods/7?lang=en', { route: product });
  expect(calls[0]?.headers).toEqual({ Locale: 'en', Currency: 'USD' });
  expect(urls).toContain('/api/front/goods/list?page=1');
  expect(address).toBe('/goods/7');
});

it('the first calls carry the language, currency and token of the shopper', async () => {
  const { calls } = await open('/goods/7', { route: product, stored: { token: 'Bearer a', language: 'en' } });
  expect(calls.map(({ url }) => url)).toContain('/api/front/user/info');
  expect(calls.at(-1)?.headers).toEqual({ Locale: 'en', Currency: 'USD', Authorization: 'Bearer a' });
});

it('the first calls preload the largest picture of the response', async () => {
  const { links } = await open('/goods/7', { route: product, answer: { data: { image: '/media/a.webp' } } });
  expect(links).toEqual([{ rel: 'preload', as: 'image', fetchPriority: 'high', href: '/media/a.webp' }]);
  expect((await open('/goods/7', { route: product, answer: { code: 404 } })).links).toEqual([]);
});

it.each([
  ['the light theme of the device and Chinese', {}, false, 'light', 'zh-CN'],
  ['the dark theme of the device', {}, true, 'dark', 'zh-CN'],
  ['a chosen dark theme on a light device', { theme: 'dark' }, false, 'dark', 'zh-CN'],
  ['a chosen light theme on a dark device', { theme: 'light' }, true, 'light', 'zh-CN'],
  ['the light theme and Chinese when storage is blocked', null, false, 'light', 'zh-CN'],
  ['the theme of the device when the stored one is unknown', { theme: 'pink' }, true, 'dark', 'zh-CN'],
  ['the stored language', { language: 'en' }, false, 'light', 'en'],
  ['Chinese when the stored language is unknown', { language: 'fr' }, false, 'light', 'zh-CN'],
])('the first paint has %s', async (_, stored, dark, theme, language) => {
  expect(await open('/home', { stored, dark })).toMatchObject({ theme, language });
});

describe('a page that was rendered in another language than the stored one', () => {
  const openRendered = (address: string, language = 'en') => open(address, { stored: { language }, isRendered: true });

  it('a page in another language than the stored one reloads in that language, at its history entry, before any call is made', async () => {
    expect(await openRendered('/goods?letter=Y#top')).toMatchObject({
      loads: 1,
      entries: [[{ idx: 2 }, '/goods?letter=Y&lang=en#top']],
      urls: [],
      isHidden: true,
    });
  });

  it('the shell re-renders a page, without a reload loop, when the reloaded document is in the wrong language again', async () => {
    const { loads, entries, urls, isHidden } = await openRendered('/goods?lang=en');
    expect({ loads, entries, isHidden }).toEqual({ loads: 0, entries: [[{ idx: 2 }, '/goods']], isHidden: true });
    expect(urls).toContain(everyPage);
  });

  it.each(['zh-CN', 'fr'])('a Chinese page stays when the stored language is %s', async (language) => {
    const stays = { loads: 0, entries: [], isHidden: false };
    expect(await openRendered('/goods?letter=Y#top', language)).toMatchObject(stays);
  });
});

it('a tab keeps its previewed release until the preview is left', async () => {
  const stored: Record<string, string> = {};
  expect((await open('/home', { stored })).replaced).toEqual([]);
  expect((await open('/home?release=catalog@1.2.0-3f9c2ab1', { stored })).replaced).toEqual([]);
  const { replaced } = await open('/goods?letter=Y', { stored });
  expect(replaced).toEqual(['/goods?letter=Y&release=catalog%401.2.0-3f9c2ab1']);
  await open('/home?release=live', { stored });
  expect(stored).not.toHaveProperty('release');
});

const session = 'Bearer abcdefgh-and-more';
it.each([
  ['for a user', 'shown to their session', 'abcdefgh', session],
  ['for a user', 'hidden from another session', 'abcdefgh', 'Bearer zbcdefgh-and-more'],
  ['for a user', 'hidden from a session whose token starts almost the same', 'abcdefgh', 'Bearer abcdefg'],
  ['for a user', 'hidden from a browser without a session', 'abcdefgh', ''],
  ['for a user', 'hidden when storage is blocked', 'abcdefgh', null],
  ['to ask for a sign-in', 'shown to a browser without a session', '', ''],
  ['to ask for a sign-in', 'hidden from a session', '', session],
])('a page that was rendered %s is %s', (_what, outcome, user, token) => {
  const dataset = { user };
  const getItem = () => {
    if (token === null) throw new Error('SecurityError');
    return token;
  };
  vm.runInNewContext(bootCode(SITE).userScript, {
    document: { documentElement: { dataset } },
    localStorage: { getItem },
  });
  expect(dataset).toEqual(outcome.startsWith('shown') ? { user } : { redraw: 'user' });
});
