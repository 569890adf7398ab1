import { registerTexts, translate } from '@shop/shared/i18n';
import type { PageModule } from '@shop/shared/routing';
import type { Release } from './release-map';
import { createRemoteLoader, type FederationRuntime, type LoadFailure, Superseded } from './remote-loader';

const page: PageModule = { Component: () => null };

function release(version: string, fallback: Release | null = null): Release {
  return {
    name: 'catalog',
    version,
    base: `/r/catalog/${version}/`,
    entry: 'remoteEntry.js',
    integrity: { 'remoteEntry.js': 'sha384-x' },
    exposes: { './home': { js: ['home.js'], css: ['home.css'] } },
    contract: { name: 'catalog', contract: 1, routes: [{ path: '/home', page: './home', module: '', title: 'Home' }] },
    fallback,
  };
}

/** `arrives` says what the careful fetch of a retry does. */
function fakeRuntime(
  behaviour: (release: Release, call: number) => Promise<PageModule>,
  arrives: (release: Release) => Promise<void> = () => Promise.reject(new Error('network')),
) {
  const registered: Array<[string, number]> = [];
  const fetched: Array<[string, number, boolean]> = [];
  const cancelled: string[] = [];
  const retired: string[] = [];
  let calls = 0;
  const runtime: FederationRuntime = {
    register: ({ version }, attempt) => void registered.push([version, attempt]),
    fetch: (asked, _, attempt, withEntry) => {
      fetched.push([asked.version, attempt, withEntry]);
      return arrives(asked);
    },
    load: (asked) => behaviour(asked, ++calls),
    cancel: ({ version }) => void cancelled.push(version),
    retire: ({ version }) => void retired.push(version),
  };
  return { runtime, registered, fetched, cancelled, retired, calls: () => calls };
}

function loaderOf(runtime: FederationRuntime, isStale?: (release: Release) => Promise<boolean>) {
  const failures: LoadFailure[] = [];
  const waits: number[] = [];
  const loader = createRemoteLoader({
    runtime,
    onFailure: (failure) => failures.push(failure),
    isStale,
    wait: (milliseconds) => {
      // The wait of the check for staleness never ends here: what it races decides.
      if (milliseconds === 1_000) return new Promise(() => {});
      waits.push(milliseconds);
      return Promise.resolve();
    },
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

  it('tries three times in all, under another address each time, with jittered waits', async () => {
    const ends = [() => Promise.reject(new Error('503')), () => Promise.resolve()];
    const { runtime, registered, fetched, cancelled } = fakeRuntime(
      async (_, call) => {
        if (call === 1) throw new Error('503');
        return page;
      },
      () => ends.shift()?.() ?? Promise.resolve(),
    );
    const { loader, failures, waits } = loaderOf(runtime);
    await loader.load(release('1.0.0-a'), './home');
    expect(fetched).toEqual([
      ['1.0.0-a', 1, true],
      ['1.0.0-a', 2, true],
    ]);
    expect(registered).toEqual([
      ['1.0.0-a', 0],
      ['1.0.0-a', 2],
    ]);
    expect(waits).toEqual([250, 900]);
    expect(cancelled).toEqual(['1.0.0-a', '1.0.0-a']);
    expect(failures).toEqual([]);
  });

  it('gives up after three attempts', async () => {
    const { runtime, fetched, calls } = fakeRuntime(() => Promise.reject(new Error('503')));
    await expect(loaderOf(runtime).loader.load(release('1.0.0-a'), './home')).rejects.toThrow('network');
    expect([calls(), fetched.length]).toEqual([1, 2]);
  });

  it('does not go on asking for code that arrives and fails by itself', async () => {
    const { runtime, calls } = fakeRuntime(
      () => Promise.reject(new Error('x is undefined')),
      () => Promise.resolve(),
    );
    const { loader, failures, waits } = loaderOf(runtime);
    await expect(loader.load(release('1.0.0-a'), './home')).rejects.toThrow('x is undefined');
    expect([calls(), waits]).toEqual([2, [250]]);
    expect(failures).toHaveLength(1);
  });

  it('stops, without a report, when another release went live meanwhile', async () => {
    const { runtime, calls } = fakeRuntime(() => Promise.reject(new Error('404')));
    const { loader, failures } = loaderOf(runtime, async ({ version }) => version === '1.0.0-b');
    await expect(loader.load(release('1.0.0-b', release('1.0.0-a')), './home')).rejects.toThrow(Superseded);
    expect([calls(), failures]).toEqual([1, []]);
  });

  it('serves the release before when the live one does not load, and reports it', async () => {
    const before = release('1.0.0-a');
    const { runtime } = fakeRuntime(
      async ({ version }) => {
        if (version === '1.0.0-b') throw new Error('corrupt');
        return page;
      },
      () => Promise.resolve(),
    );
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
    const { runtime } = fakeRuntime(
      async ({ version }) => {
        if (version === '1.0.0-b' && broken) throw new Error('down');
        return page;
      },
      () => Promise.resolve(),
    );
    const { loader } = loaderOf(runtime);
    await loader.load(live, './home');
    expect(loader.peek(live, './home')).toBeUndefined();
    broken = false;
    expect((await loader.load(live, './home')).release.version).toBe('1.0.0-b');
  });

  it('rejects when neither release loads, and heals at the next try', async () => {
    let broken = true;
    const live = release('1.0.0-b', release('1.0.0-a'));
    const { runtime } = fakeRuntime(
      async () => page,
      async () => {
        if (broken) throw new Error('500');
      },
    );
    jest.spyOn(runtime, 'load').mockRejectedValueOnce(new Error('500'));
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

  it('gives up on an attempt that never answers, and takes the release before without another wait', async () => {
    jest.useFakeTimers();
    const before = release('1.0.0-a');
    const { runtime, cancelled, fetched } = fakeRuntime(
      ({ version }) => (version === '1.0.0-b' ? new Promise(() => {}) : Promise.resolve(page)),
      () => Promise.resolve(),
    );
    const { loader, waits } = loaderOf(runtime);
    const result = loader.load(release('1.0.0-b', before), './home');
    await jest.advanceTimersByTimeAsync(4_000);
    expect((await result).release.version).toBe('1.0.0-a');
    expect([cancelled, fetched, waits]).toEqual([['1.0.0-b'], [['1.0.0-a', 0, true]], []]);
    jest.useRealTimers();
  });

  it('has the page of the release before at hand when a page throws, and nothing when there is none', async () => {
    const { runtime } = fakeRuntime(
      async () => page,
      () => Promise.resolve(),
    );
    const { loader } = loaderOf(runtime);
    const live = release('1.0.0-b', release('1.0.0-a'));
    expect((await loader.loadBefore(live, './home')).release.version).toBe('1.0.0-a');
    await expect(loader.loadBefore(live, './goods')).rejects.toThrow('no earlier release');
    await expect(loader.loadBefore(release('1.0.0-a'), './home')).rejects.toThrow('no earlier release');
  });

  it('lets go of releases that were replaced, but for the last', async () => {
    const { runtime, retired } = fakeRuntime(async () => page);
    const { loader } = loaderOf(runtime);
    let previous: Release | null = null;
    for (const version of ['1.0.0-a', '1.0.0-b', '1.0.0-c', '1.0.0-d']) {
      const live: Release = release(version, previous);
      loader.show((await loader.load(live, './home')).release);
      previous = { ...live, fallback: null };
    }
    expect(retired).toEqual(['1.0.0-a']);
    expect(loader.peek(release('1.0.0-a'), './home')).toBeUndefined();
    expect(loader.peek(release('1.0.0-d'), './home')).toBeDefined();
  });

  it('tries once and reports nothing for a page that nobody waits for', async () => {
    const { runtime, calls, fetched } = fakeRuntime(() => Promise.reject(new Error('404')));
    const { loader, failures } = loaderOf(runtime);
    const live = release('1.0.0-b', release('1.0.0-a'));
    await expect(loader.load(live, './home', { ahead: true })).rejects.toThrow('404');
    expect([calls(), fetched, failures]).toEqual([1, [], []]);
  });

  it('goes on with retries and fallback when a shopper comes to a page that is being fetched ahead', async () => {
    const { runtime } = fakeRuntime(
      async ({ version }) => {
        if (version === '1.0.0-b') throw new Error('404');
        return page;
      },
      () => Promise.resolve(),
    );
    const { loader, failures } = loaderOf(runtime);
    const live = release('1.0.0-b', release('1.0.0-a'));
    const ahead = loader.load(live, './home', { ahead: true }).catch(() => null);
    expect((await loader.load(live, './home')).release.version).toBe('1.0.0-a');
    expect([await ahead, failures.length]).toEqual([null, 1]);
  });

  it('leaves the texts and styles on screen alone until a page of another release is shown', async () => {
    const { runtime } = fakeRuntime(async ({ version }) => {
      registerTexts('catalog', { 'zh-CN': { name: version }, en: { name: version } });
      document.head.insertAdjacentHTML('beforeend', `<link rel="stylesheet" href="/r/catalog/${version}/home.css">`);
      return page;
    });
    const { loader } = loaderOf(runtime);
    const state = () => [
      translate('name', { ns: 'catalog' }),
      ...[...document.querySelectorAll<HTMLLinkElement>('link[href*="/r/catalog/"]')]
        .filter(({ disabled }) => !disabled)
        .map(({ href }) => href.split('/').at(-2)),
    ];
    const [one, two] = [release('1.0.0-one'), release('1.0.0-two')];
    loader.show((await loader.load(one, './home')).release);
    await loader.load(two, './home');
    expect(state()).toEqual(['1.0.0-one', '1.0.0-one']);
    loader.show(two);
    expect(state()).toEqual(['1.0.0-two', '1.0.0-two']);
    loader.show(one);
    expect(state()).toEqual(['1.0.0-one', '1.0.0-one']);
  });
});
