import { createHash } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { SITE } from '../testing/site';
import { OFFLINE_POLICY, offlineHtml, serviceWorker } from './site-files';

function start(script: string, cached = new Map<string, string>()) {
  const listeners = new Map<string, (event: Record<string, unknown>) => void>();
  const actions: string[] = [];
  const tabs: unknown[] = [];
  let online = true;
  const fetchPage = async (request: { url: string }) => {
    actions.push(request.url);
    if (!online) throw new TypeError('Failed to fetch');
    return `fresh ${request.url}`;
  };
  const scope: Record<string, unknown> = {
    URL,
    location: { origin: 'https://shop.example' },
    Request: class {
      constructor(readonly url: string) {}
    },
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
    skipWaiting: () => actions.push('skipWaiting'),
    fetch: fetchPage,
    registration: {
      navigationPreload: { enable: async () => actions.push('preload') },
      unregister: async () => actions.push('unregister'),
      showNotification: async (title: string, { body, tag }: { body: string; tag: string }) =>
        actions.push(`show ${title}: ${body} (${tag})`),
    },
    clients: { matchAll: async () => tabs, openWindow: async (href: string) => actions.push(`open ${href}`) },
    caches: {
      open: async (name: string) => ({ add: async ({ url }: { url: string }) => void cached.set(name, url) }),
      keys: async () => [...cached.keys()],
      delete: async (name: string) => cached.delete(name),
      match: async (url: string, { cacheName }: { cacheName: string }) =>
        cached.get(cacheName) === url ? 'the offline page' : undefined,
    },
  };
  scope.self = scope;
  runInNewContext(script, scope);
  return {
    kept: cached,
    seen: actions,
    tabs,
    goOffline: () => {
      online = false;
    },
    async fire(type: string, event: object = {}): Promise<void> {
      let waiting: unknown;
      listeners.get(type)?.({ ...event, waitUntil: (promise: unknown) => (waiting = promise) });
      await waiting;
    },
    async ask(
      url: string,
      request: object = { mode: 'navigate', method: 'GET' },
      preloadResponse?: unknown,
    ): Promise<unknown> {
      let answer: unknown;
      listeners.get('fetch')?.({
        request: { url, ...request },
        preloadResponse: Promise.resolve(preloadResponse),
        respondWith: (promise: unknown) => (answer = promise),
      });
      return answer;
    },
  };
}

const home = 'https://shop.example/home';

it('the service worker caches the offline page and nothing else', async () => {
  const worker = start(
    serviceWorker(SITE),
    new Map([
      ['offline-old', '/offline.html'],
      ['else', '/x'],
    ]),
  );
  await worker.fire('install');
  await worker.fire('activate');
  await worker.ask(home);
  expect([...worker.kept.values()].sort()).toEqual(['/offline.html', '/x']);
  expect(worker.kept.has('offline-old')).toBe(false);
  expect(worker.seen).toEqual(expect.arrayContaining(['skipWaiting', 'preload']));
});

it('the service worker fetches every document from the network, so that a release reaches a returning visitor at once', async () => {
  const worker = start(serviceWorker(SITE));
  await worker.fire('install');
  expect(await worker.ask(home)).toBe(`fresh ${home}`);
  expect(await worker.ask(home)).toBe(`fresh ${home}`);
  expect(await worker.ask(home, undefined, 'the preloaded answer')).toBe('the preloaded answer');
  expect(worker.seen.filter((url) => url === home)).toHaveLength(2);
});

it('the service worker shows the offline page only when no document arrives', async () => {
  const worker = start(serviceWorker(SITE));
  worker.goOffline();
  await expect(worker.ask(home)).rejects.toThrow('Failed to fetch');
  await worker.fire('install');
  expect(await worker.ask('https://shop.example/goods/7?from=home')).toBe('the offline page');
});

it.each([
  ['a call', '/api/front/goods/list', { mode: 'cors', method: 'GET' }],
  ['a submitted form', '/home', { mode: 'navigate', method: 'POST' }],
  ['a file of a release', '/r/shell/1.0.0-1/main.js', { mode: 'no-cors', method: 'GET' }],
  ['the cashier', '/cashier/P1', { mode: 'navigate', method: 'GET' }],
  ['a picture in its own tab', '/media/a.webp', { mode: 'navigate', method: 'GET' }],
  ['another site', 'https://elsewhere.example/', { mode: 'navigate', method: 'GET' }],
])('the service worker leaves %s to the browser', async (_, path, request) => {
  const worker = start(serviceWorker(SITE));
  await worker.fire('install');
  worker.goOffline();
  expect(await worker.ask(new URL(path, home).href, request)).toBeUndefined();
});

it('the service worker shows a push and opens its page, in the open tab or a new one', async () => {
  const worker = start(serviceWorker(SITE, { showsPushes: true }));
  const pushed = { title: 'Shop', body: 'Delivered', path: '/order/detail/1', tag: 'notice-1', locale: 'en' };
  await worker.fire('push', { data: { json: () => pushed } });
  expect(worker.seen).toEqual(['show Shop: Delivered (notice-1)']);
  const push = (data: string) =>
    worker.fire('notificationclick', { notification: { close: () => worker.seen.push('close'), data } });
  await push('/order/detail/1');
  worker.tabs.push({
    navigate: async (href: string) => {
      worker.seen.push(`navigate ${href}`);
      return { focus: () => worker.seen.push('focus') };
    },
  });
  await push('/order/detail/1');
  await push('https://elsewhere.example/');
  const address = 'https://shop.example/order/detail/1';
  expect(worker.seen.slice(1)).toEqual(['close', `open ${address}`, 'close', `navigate ${address}`, 'focus', 'close']);
});

it('the service worker unregisters itself and deletes its caches when it is switched off', async () => {
  const cached = new Map([
    ['offline-1', '/offline.html'],
    ['else', '/x'],
  ]);
  const worker = start(serviceWorker(SITE, { isOff: true }), cached);
  await worker.fire('install');
  await worker.fire('activate');
  expect([...cached.keys()]).toEqual(['else']);
  expect(worker.seen).toEqual(['skipWaiting', 'unregister']);
  expect(await worker.ask(home)).toBeUndefined();
});

it('the offline page allows exactly its own script and style', () => {
  const hash = (element: string) => {
    const text = new RegExp(`<${element}[^>]*>([\\s\\S]*?)</${element}>`).exec(offlineHtml(SITE))?.[1] ?? '';
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  expect(OFFLINE_POLICY).toContain(`script-src ${hash('script')}`);
  expect(OFFLINE_POLICY).toContain(`style-src ${hash('style')}`);
  expect(offlineHtml(SITE)).toContain(OFFLINE_POLICY);
});

it('the offline page loads nothing from other addresses', () => {
  expect(offlineHtml(SITE)).not.toMatch(/(src|href)="/);
});
