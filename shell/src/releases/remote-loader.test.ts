import type { PageModule } from '@shop/shared/routing';
import type { Release } from './release-map';
import { createRemoteLoader, type FederationRuntime, type LoadFailure } from './remote-loader';

const page: PageModule = { Component: () => null };

function release(version: string, fallback: Release | null = null): Release {
  return {
    name: 'catalog',
    version,
    base: `/r/catalog/${version}/`,
    entry: 'remoteEntry.js',
    integrity: { 'remoteEntry.js': 'sha384-x' },
    contract: { name: 'catalog', contract: 1, routes: [{ path: '/home', page: './home', module: '', title: 'Home' }] },
    fallback,
  };
}

function fakeRuntime(behaviour: (release: Release, call: number) => Promise<PageModule>) {
  const registered: Array<[string, number]> = [];
  let calls = 0;
  const runtime: FederationRuntime = {
    register: ({ version }, attempt) => void registered.push([version, attempt]),
    load: (asked) => behaviour(asked, ++calls),
  };
  return { runtime, registered, calls: () => calls };
}

function loaderOf(runtime: FederationRuntime) {
  const failures: LoadFailure[] = [];
  const waits: number[] = [];
  const loader = createRemoteLoader({
    runtime,
    onFailure: (failure) => failures.push(failure),
    wait: async (milliseconds) => void waits.push(milliseconds),
    random: () => 0.5,
  });
  return { loader, failures, waits };
}

describe('the loader of remotes', () => {
  it('serves a page and keeps it, so that a second visit is immediate', async () => {
    const { runtime, calls } = fakeRuntime(async () => page);
    const { loader } = loaderOf(runtime);
    const live = release('1.0.0-a');
    await loader.load(live, './home');
    await loader.load(live, './home');
    expect(calls()).toBe(1);
    expect(loader.peek(live, './home')?.module).toBe(page);
  });

  it('tries three times, under another address each time, with jittered waits', async () => {
    const { runtime, registered } = fakeRuntime(async (_, call) => {
      if (call < 3) throw new Error('503');
      return page;
    });
    const { loader, failures, waits } = loaderOf(runtime);
    await loader.load(release('1.0.0-a'), './home');
    expect(registered).toEqual([
      ['1.0.0-a', 0],
      ['1.0.0-a', 1],
      ['1.0.0-a', 2],
    ]);
    expect(waits).toEqual([250, 900]);
    expect(failures).toEqual([]);
  });

  it('serves the release before when the live one does not load, and reports it', async () => {
    const before = release('1.0.0-a');
    const { runtime } = fakeRuntime(async ({ version }) => {
      if (version === '1.0.0-b') throw new Error('corrupt');
      return page;
    });
    const { loader, failures } = loaderOf(runtime);
    const loaded = await loader.load(release('1.0.0-b', before), './home');
    expect(loaded.release.version).toBe('1.0.0-a');
    expect(failures).toEqual([
      { name: 'catalog', version: '1.0.0-b', page: './home', message: 'corrupt', recovered: true },
    ]);
  });

  it('asks the live release again at the next visit after a fallback', async () => {
    let broken = true;
    const live = release('1.0.0-b', release('1.0.0-a'));
    const { runtime } = fakeRuntime(async ({ version }) => {
      if (version === '1.0.0-b' && broken) throw new Error('down');
      return page;
    });
    const { loader } = loaderOf(runtime);
    await loader.load(live, './home');
    expect(loader.peek(live, './home')).toBeUndefined();
    broken = false;
    expect((await loader.load(live, './home')).release.version).toBe('1.0.0-b');
  });

  it('rejects when neither release loads, and heals at the next try', async () => {
    let broken = true;
    const live = release('1.0.0-b', release('1.0.0-a'));
    const { runtime } = fakeRuntime(async () => {
      if (broken) throw new Error('500');
      return page;
    });
    const { loader, failures } = loaderOf(runtime);
    await expect(loader.load(live, './home')).rejects.toThrow('500');
    expect(failures[0]?.recovered).toBe(false);
    broken = false;
    await expect(loader.load(live, './home')).resolves.toMatchObject({ module: page });
  });

  it('does not register a release again once its entry has run', async () => {
    const { runtime, registered } = fakeRuntime(async () => page);
    const { loader } = loaderOf(runtime);
    const live = release('1.0.0-a');
    await loader.load(live, './home');
    await loader.load(live, './goods');
    expect(registered).toEqual([['1.0.0-a', 0]]);
  });

  it('shares one load between callers that ask at the same time', async () => {
    const { runtime, calls } = fakeRuntime(async () => page);
    const { loader } = loaderOf(runtime);
    const live = release('1.0.0-a');
    await Promise.all([loader.load(live, './home'), loader.load(live, './home')]);
    expect(calls()).toBe(1);
  });

  it('gives up on an attempt that never answers', async () => {
    jest.useFakeTimers();
    const { runtime } = fakeRuntime(() => new Promise(() => {}));
    const { loader } = loaderOf(runtime);
    const result = expect(loader.load(release('1.0.0-a'), './home')).rejects.toThrow('did not arrive in 8000 ms');
    await jest.advanceTimersByTimeAsync(24_100);
    await result;
    jest.useRealTimers();
  });
});
