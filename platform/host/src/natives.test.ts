import type { PageMap } from '@platform/releases/contract';

jest.unmock('./natives');

const mapAt = (rev: number): PageMap => ({ channel: 'production', rev, microFrontends: {} });
const answer = (map: PageMap) => new Response(JSON.stringify(map), { headers: { 'content-type': 'application/json' } });

type Modules = typeof import('./releases.store') & typeof import('./health') & typeof import('./natives');

let serverFetch: jest.Mock;
let sendBeacon: jest.Mock;
let shell: Modules;
let restore: Array<() => void> = [];

function patch<T extends object, K extends keyof T>(target: T, name: K, value: T[K]): void {
  const original = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
  restore.push(() => {
    if (original) Object.defineProperty(target, name, original);
    else Reflect.deleteProperty(target, name);
  });
}

beforeEach(() => {
  serverFetch = jest.fn(async () => answer(mapAt(2)));
  sendBeacon = jest.fn(() => true);
  patch(window, 'fetch', serverFetch as unknown as typeof fetch);
  patch(navigator, 'sendBeacon', sendBeacon);
  jest.isolateModules(() => {
    shell = { ...require('./releases.store'), ...require('./health'), ...require('./natives') };
  });
});

afterEach(() => {
  for (const undo of restore.reverse()) undo();
  restore = [];
  localStorage.clear();
});

const broken = () => {
  throw new Error('replaced by a remote');
};

it('the tab still reads the release map after a remote has replaced globals', async () => {
  const releases = new shell.ReleasesStore(mapAt(1), 50);
  patch(window, 'fetch', broken);
  patch(window, 'setTimeout', (() => 0) as unknown as typeof setTimeout);
  patch(AbortSignal, 'timeout', broken);
  patch(Date, 'now', broken);
  await releases.check();
  // The second check waits for the spacing between checks, which uses a timer.
  serverFetch.mockImplementation(async () => answer(mapAt(3)));
  await releases.check();
  expect(releases.map.rev).toBe(3);
});

it('the tab still checks the map when it becomes visible after a remote has replaced globals', async () => {
  patch(EventTarget.prototype, 'addEventListener', () => {});
  patch(document, 'addEventListener', () => {});
  patch(window, 'setInterval', (() => 0) as unknown as typeof setInterval);
  new shell.ReleasesStore(mapAt(1), 50).watch();
  document.dispatchEvent(new Event('visibilitychange'));
  await Promise.resolve();
  expect(serverFetch).toHaveBeenCalledTimes(1);
});

it('health reports are still sent after a remote has replaced globals', () => {
  patch(navigator, 'sendBeacon', broken);
  shell.report(shell.openVisit('catalog', '1.0.0-1', './home'), 'visit');
  shell.flush();
  expect(sendBeacon).toHaveBeenCalledTimes(1);
  sendBeacon.mockReturnValue(false);
  patch(window, 'fetch', broken);
  shell.report(shell.openVisit('catalog', '1.0.0-1', './home'), 'visit');
  shell.flush();
  expect(serverFetch).toHaveBeenCalledWith('/api/health/report', expect.objectContaining({ keepalive: true }));
});

it('the stored session is still read and written after a remote has replaced globals', () => {
  const stored = shell.natives.localStorage;
  localStorage.setItem('token', 'Bearer one');
  for (const method of ['getItem', 'setItem', 'removeItem'] as const) patch(Storage.prototype, method, broken);
  patch(window, 'localStorage', {} as Storage);
  expect(stored.read('token')).toBe('Bearer one');
  stored.write('token', 'Bearer two');
  expect(stored.read('token')).toBe('Bearer two');
  stored.write('token', '');
  expect(stored.read('token')).toBe('');
});
