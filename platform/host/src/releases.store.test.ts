import type { PageMap } from '@platform/releases/contract';
import { ReleasesStore } from './releases.store';

const release = (version: string) => ({
  metadata: { version },
  deployment: { traffic: 100, default: true },
  extras: { base: `/r/catalog/${version}/`, entry: 'remoteEntry.js', integrity: {} },
});
const mapAt = (rev: number): PageMap => ({
  channel: 'production',
  rev,
  microFrontends: { catalog: [release(`1.0.0-${rev}`)] },
});

const originalFetch = globalThis.fetch;
beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  globalThis.fetch = originalFetch;
  jest.useRealTimers();
});

function openAt(rev: number, request: (...args: Parameters<typeof fetch>) => Promise<unknown>): ReleasesStore {
  globalThis.fetch = request as typeof fetch;
  return new ReleasesStore(mapAt(rev), 50);
}

it.each([
  [9, ['/home', '/gifts']],
  [10, ['/home']],
])('visitor %i gets the routes %j while a new remote is a canary of 10 per cent', (visitor, routes) => {
  const withRoute = (name: string, path: string, deployment: { traffic: number; default: boolean }) => {
    const entry = release('1.0.0-1');
    const remote = {
      name,
      contract: 1 as const,
      routes: [{ path, page: 'Page', module: '', title: { 'zh-CN': '', en: '' } }],
    };
    return [{ ...entry, deployment, extras: { ...entry.extras, remote } }];
  };
  const catalog = withRoute('catalog', '/home', { traffic: 100, default: true });
  const gifts = withRoute('gifts', '/gifts', { traffic: 10, default: false });
  const map: PageMap = { channel: 'production', rev: 1, microFrontends: { catalog, gifts } };
  const releases = new ReleasesStore(map, visitor);
  expect(releases.routes.map(({ path }) => path)).toEqual(routes);
  expect(releases.current('gifts')?.version).toBe(routes.length > 1 ? '1.0.0-1' : undefined);
});

/** `answer` sends the response to the request with this index, which is the map at the time of the request. */
function open() {
  const waiting: Array<() => void> = [];
  let rev = 1;
  const request = jest.fn((..._: Parameters<typeof fetch>) => {
    const response = Response.json(mapAt(rev), { headers: { etag: `"${rev}"` } });
    return new Promise((resolve) => waiting.push(() => resolve(response)));
  });
  const promote = () => (rev += 1);
  return { request, promote, answer: (index: number) => waiting[index]?.(), releases: openAt(1, request) };
}

it('a check sends another request when a promote may have come after the one in flight', async () => {
  const { releases, request, promote, answer } = open();
  const first = releases.check();
  await jest.advanceTimersByTimeAsync(0);
  expect(request).toHaveBeenCalledTimes(1);
  promote();
  const second = releases.check();
  await jest.advanceTimersByTimeAsync(500);
  expect(request).toHaveBeenCalledTimes(2);
  answer(1);
  await second;
  expect(releases.map.rev).toBe(2);
  answer(0);
  await first;
  expect(releases.map.rev).toBe(2);
  void releases.check();
  await jest.advanceTimersByTimeAsync(500);
  expect(request.mock.calls[2]?.[1]?.headers).toEqual({ 'If-None-Match': '"2"' });
});

it('checks in quick succession share one request', async () => {
  const { releases, request, answer } = open();
  void releases.check();
  await jest.advanceTimersByTimeAsync(0);
  answer(0);
  await jest.advanceTimersByTimeAsync(0);
  const checks = [releases.check(), releases.check(), releases.check()];
  await jest.advanceTimersByTimeAsync(500);
  expect(request).toHaveBeenCalledTimes(2);
  answer(1);
  await Promise.all(checks);
});

const answerOf = (map: unknown, status = 200) => Response.json(map, { status });
const runOf = (releases: ReleasesStore) => {
  const release = releases.current('catalog');
  if (!release) throw new Error('no release of catalog is live');
  releases.noteRun(release);
  return release;
};

const check = async (releases: ReleasesStore) => {
  const checked = releases.check();
  await jest.advanceTimersByTimeAsync(500);
  await checked;
};

it('a rolled-back release needs a reload only if it ran in this tab and is not offered again', async () => {
  const rolledBack = { ...mapAt(3), withdrawn: { catalog: ['1.0.0-2'] } };
  const promotedAgain = { ...mapAt(2), rev: 4, withdrawn: { catalog: ['1.0.0-2'] } };
  const ran = openAt(2, async () => answerOf(rolledBack));
  const idle = new ReleasesStore(mapAt(2), 50);
  const release = runOf(ran);
  expect(ran.needsCleanLoad).toBe(false);
  await check(ran);
  await check(idle);
  expect([ran.withdrawn, ran.needsCleanLoad, idle.needsCleanLoad]).toEqual([[release], true, false]);
  globalThis.fetch = async () => answerOf(promotedAgain);
  await check(ran);
  expect(ran.needsCleanLoad).toBe(false);
});

it('a release that a promote has replaced needs no reload', async () => {
  const releases = openAt(2, async () => answerOf(mapAt(3)));
  runOf(releases);
  await check(releases);
  expect([releases.map.rev, releases.needsCleanLoad]).toEqual([3, false]);
});

it.each<[string, () => Promise<Response>]>([
  ['a request that fails', () => Promise.reject(new TypeError('patched'))],
  ['an answer that is not a map', async () => answerOf({ error: 'proxy' })],
  ['a server error', async () => answerOf(mapAt(2), 503)],
])('a tab retries three times in quick succession for %s, and keeps its map', async (_, request) => {
  const fetchMap = jest.fn(request);
  const releases = openAt(1, fetchMap);
  await releases.check();
  await jest.advanceTimersByTimeAsync(60_000);
  expect([fetchMap.mock.calls.length, releases.map.rev]).toEqual([3, 1]);
});
