import { runInNewContext } from 'node:vm';
import fastify, { type FastifyInstance } from 'fastify';
import { staffPage } from '../staff-page.plugin';

let app: FastifyInstance;
let script: string;
beforeAll(async () => {
  app = fastify();
  await app.register(staffPage, { pushes: true });
  script = (await app.inject('/staff/worker.js')).body;
});
afterAll(() => app.close());

/** The worker with the tabs that it controls. */
function start(...urls: string[]) {
  const listeners = new Map<string, (event: object) => void>();
  const seen: string[] = [];
  const tabs = urls.map((url) => ({
    url,
    navigate: async (href: string) => {
      seen.push(`${url} to ${href}`);
      return { focus: () => seen.push('focus') };
    },
  }));
  const scope: Record<string, unknown> = {
    URL,
    location: { origin: 'https://shop.example' },
    addEventListener: (type: string, listener: (event: object) => void) => listeners.set(type, listener),
    registration: {
      showNotification: async (title: string, { body, tag, lang }: { body: string; tag: string; lang: string }) =>
        seen.push(`${title}: ${body} (${tag}, ${lang})`),
    },
    clients: { matchAll: async () => tabs, openWindow: async (href: string) => seen.push(`open ${href}`) },
  };
  scope.self = scope;
  runInNewContext(script, scope);
  const fire = async (type: string, event: object) => {
    let waiting: unknown;
    listeners.get(type)?.({ ...event, waitUntil: (promise: unknown) => (waiting = promise) });
    await waiting;
  };
  return {
    seen,
    push: (data: object | null) => fire('push', { data: data && { json: () => data } }),
    press: (data: string) => fire('notificationclick', { notification: { close: () => {}, data } }),
    answersRequests: () => listeners.has('fetch'),
  };
}

it('shows what is pushed, and answers no request', async () => {
  const worker = start();
  await worker.push({ title: 'Low stock', body: 'A: 2 left', path: '/staff#/stock', tag: 'staff-stock', locale: 'en' });
  await worker.push(null);
  expect(worker.seen).toEqual(['Low stock: A: 2 left (staff-stock, en)']);
  expect(worker.answersRequests()).toBe(false);
});

it('leads to its place in the console that is open, else in a new tab, and never to another site', async () => {
  const place = '/staff#/queue/1';
  const open = start('https://shop.example/staff/setup', 'https://shop.example/staff#/goods');
  await open.press(place);
  expect(open.seen).toEqual([`https://shop.example/staff#/goods to https://shop.example${place}`, 'focus']);
  const closed = start();
  await closed.press(place);
  await closed.press('https://elsewhere.example/staff');
  expect(closed.seen).toEqual([`open https://shop.example${place}`]);
});

it('is the console’s own: below /staff, never older than the console, and registered by one policy of its page', async () => {
  expect((await app.inject('/staff/worker.js')).headers).toMatchObject({
    'service-worker-allowed': '/staff',
    'cache-control': 'no-cache',
    'content-security-policy': "default-src 'none'",
    'content-type': 'text/javascript; charset=utf-8',
  });
  const policyAt = async (url: string) => (await app.inject(url)).headers['content-security-policy'];
  for (const url of ['/staff', '/ops']) expect(await policyAt(url)).toMatch(/; trusted-types staff-worker$/);
  expect(await policyAt('/staff/setup')).toMatch(/; trusted-types 'none'$/);
});

it('is not there, nor its policy, where the shop sends no push', async () => {
  const other = fastify();
  await other.register(staffPage);
  expect((await other.inject('/staff/worker.js')).statusCode).toBe(404);
  expect((await other.inject('/staff')).headers['content-security-policy']).toMatch(/; trusted-types 'none'$/);
  await other.close();
});
