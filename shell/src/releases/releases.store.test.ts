import type { PageMap } from '@shop/release/contract';
import { ReleasesStore } from './releases.store';

const release = (version: string) => ({
  url: `/r/catalog/${version}/remoteEntry.js`,
  metadata: { version, integrity: '' },
  deployment: { traffic: 100, default: true },
  extras: { base: `/r/catalog/${version}/`, entry: 'remoteEntry.js', integrity: {}, previous: null },
});
const mapAt = (rev: number): PageMap => ({
  channel: 'production',
  rev,
  microFrontends: { catalog: [release(`1.0.0-${rev}`)] },
});

/** A server whose responses the test releases, with the map of the time of the request. */
function server() {
  const waiting: Array<() => void> = [];
  let rev = 1;
  const request = jest.fn((_url: string, _init?: { headers?: Record<string, string> }) => {
    const map = mapAt(rev);
    return new Promise((resolve) =>
      waiting.push(() => resolve({ status: 200, headers: new Map([['etag', `"${map.rev}"`]]), json: async () => map })),
    );
  });
  return {
    request,
    promote: () => {
      rev += 1;
    },
    answer: (index: number) => waiting[index]?.(),
  };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe('checking the release map', () => {
  const open = () => {
    const fake = server();
    const releases = new ReleasesStore(mapAt(1), 50, fake.request as unknown as typeof fetch);
    return { ...fake, releases };
  };

  it('sends another request when a promote may have come after one in flight', async () => {
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
    // The late earlier answer replaces neither map nor ETag.
    answer(0);
    await first;
    expect(releases.map.rev).toBe(2);
    void releases.check();
    await jest.advanceTimersByTimeAsync(500);
    expect(request.mock.calls[2]?.[1]?.headers).toEqual({ 'If-None-Match': '"2"' });
  });

  it('shares one request among checks in quick succession', async () => {
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
});
