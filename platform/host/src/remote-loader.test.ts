import type { ContainerRuntime, PageModule } from './containers';
import type { RemoteTexts } from './release-assets';
import type { Release } from './release-map';
import { createRemoteLoader, type LoaderOptions, SupersededError } from './remote-loader';

const texts = new Map<string, unknown>();
const registry: RemoteTexts = {
  current: (remote) => texts.get(remote),
  register: (remote, registered) => void texts.set(remote, registered),
};

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

function fakeRuntime(
  behaviour: (release: Release, call: number) => Promise<PageModule>,
  download: (release: Release) => Promise<void> = () => Promise.reject(new Error('network')),
) {
  const registered: Array<[string, number]> = [];
  const downloads: Array<[string, number, boolean]> = [];
  const aborted: string[] = [];
  const unloaded: string[] = [];
  let calls = 0;
  const runtime: ContainerRuntime = {
    register: ({ version }, attempt) => void registered.push([version, attempt]),
    download: (requested, _, attempt, withEntry) => {
      downloads.push([requested.version, attempt, withEntry]);
      return download(requested);
    },
    load: (requested) => behaviour(requested, ++calls),
    abort: ({ version }) => void aborted.push(version),
    unload: ({ version }) => void unloaded.push(version),
  };
  return { runtime, registered, downloads, aborted, unloaded, calls: () => calls };
}

const failingLive = async ({ version }: Release) => {
  if (version === '1.0.0-b') throw new Error('corrupt');
  return page;
};
const downloaded = () => Promise.resolve();

function loaderOf(runtime: ContainerRuntime, options: Pick<LoaderOptions, 'isStale' | 'onRun'> = {}) {
  const failures: string[] = [];
  const waits: number[] = [];
  const loader = createRemoteLoader({
    runtime,
    texts: registry,
    onFailure: ({ name, version }, page, message) => failures.push(`${name}@${version} ${page}: ${message}`),
    ...options,
    wait: (milliseconds) => {
      if (milliseconds === 1_000) return new Promise(() => {});
      waits.push(milliseconds);
      return Promise.resolve();
    },
    random: () => 0.5,
  });
  return { loader, failures, waits };
}

it('the loader loads a page once, for callers at once and later, and registers its release once', async () => {
  const { runtime, calls, registered } = fakeRuntime(async () => page);
  const { loader } = loaderOf(runtime);
  const live = release('1.0.0-a');
  await Promise.all([loader.load(live, './home'), loader.load(live, './home')]);
  await loader.load(live, './home');
  expect(calls()).toBe(1);
  expect(loader.peek(live, './home')?.module).toBe(page);
  await loader.load(live, './goods');
  expect(registered).toEqual([['1.0.0-a', 0]]);
});

it('the loader announces each release, including a fallback, before its code runs', async () => {
  const ran: string[] = [];
  const { runtime } = fakeRuntime(failingLive, downloaded);
  const register = runtime.register;
  runtime.register = (registered, attempt) => {
    ran.push(`register ${registered.version}`);
    register(registered, attempt);
  };
  const { loader } = loaderOf(runtime, { onRun: ({ version }) => void ran.push(`run ${version}`) });
  await loader.load(release('1.0.0-b', release('1.0.0-a')), './home');
  expect(ran.slice(0, 2)).toEqual(['run 1.0.0-b', 'register 1.0.0-b']);
  expect(ran.slice(-2)).toEqual(['run 1.0.0-a', 'register 1.0.0-a']);
});

it('the loader drops code and styles of a release on request, and loads it again when needed', async () => {
  const { runtime, unloaded, calls } = fakeRuntime(async () => page);
  const { loader } = loaderOf(runtime);
  const live = release('1.0.0-a');
  await loader.load(live, './home');
  loader.unload(live);
  expect(unloaded).toEqual(['1.0.0-a']);
  expect(loader.peek(live, './home')).toBeUndefined();
  await loader.load(live, './home');
  expect(calls()).toBe(2);
});

it('the loader makes three attempts, each at another address, with jittered delays', async () => {
  const ends = [() => Promise.reject(new Error('503')), () => Promise.resolve()];
  const { runtime, registered, downloads, aborted } = fakeRuntime(
    async (_, call) => {
      if (call === 1) throw new Error('503');
      return page;
    },
    () => ends.shift()?.() ?? Promise.resolve(),
  );
  const { loader, failures, waits } = loaderOf(runtime);
  await loader.load(release('1.0.0-a'), './home');
  expect(downloads).toEqual([
    ['1.0.0-a', 1, true],
    ['1.0.0-a', 2, true],
  ]);
  expect(registered).toEqual([
    ['1.0.0-a', 0],
    ['1.0.0-a', 2],
  ]);
  expect(waits).toEqual([250, 900]);
  expect(aborted).toEqual(['1.0.0-a', '1.0.0-a']);
  expect(failures).toEqual([]);
});

it.each([
  ['gives up after three attempts', undefined, 'network', [1, 2], [250, 900]],
  ['does not retry code that was downloaded and throws', downloaded, 'x is undefined', [2, 1], [250]],
])('the loader %s', async (_, download, message, attempts, delays) => {
  const { runtime, calls, downloads } = fakeRuntime(() => Promise.reject(new Error('x is undefined')), download);
  const { loader, failures, waits } = loaderOf(runtime);
  await expect(loader.load(release('1.0.0-a'), './home')).rejects.toThrow(message);
  expect([[calls(), downloads.length], waits]).toEqual([attempts, delays]);
  expect(failures).toHaveLength(1);
});

it('the loader stops without a report when another release went live meanwhile', async () => {
  const { runtime, calls } = fakeRuntime(() => Promise.reject(new Error('404')));
  const { loader, failures } = loaderOf(runtime, { isStale: async ({ version }) => version === '1.0.0-b' });
  await expect(loader.load(release('1.0.0-b', release('1.0.0-a')), './home')).rejects.toThrow(SupersededError);
  expect([calls(), failures]).toEqual([1, []]);
});

it('the loader serves and reports the fallback release when the live one does not load, and tries that again at the next visit', async () => {
  let broken = true;
  const live = release('1.0.0-b', release('1.0.0-a'));
  const { runtime } = fakeRuntime((release) => (broken ? failingLive(release) : Promise.resolve(page)), downloaded);
  const { loader, failures } = loaderOf(runtime);
  expect((await loader.load(live, './home')).release.version).toBe('1.0.0-a');
  expect(failures).toEqual(['catalog@1.0.0-b ./home: corrupt']);
  expect(loader.peek(live, './home')).toBeUndefined();
  broken = false;
  expect((await loader.load(live, './home')).release.version).toBe('1.0.0-b');
});

it('the loader rejects when neither release loads, and recovers at the next load', async () => {
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
  expect(failures).toHaveLength(1);
  broken = false;
  await expect(loader.load(live, './home')).resolves.toMatchObject({ module: page });
});

it('the loader times out an attempt that hangs, and uses the fallback release without a delay', async () => {
  jest.useFakeTimers();
  const fallback = release('1.0.0-a');
  const { runtime, aborted, downloads } = fakeRuntime(
    ({ version }) => (version === '1.0.0-b' ? new Promise(() => {}) : Promise.resolve(page)),
    downloaded,
  );
  const { loader, waits } = loaderOf(runtime);
  const result = loader.load(release('1.0.0-b', fallback), './home');
  await jest.advanceTimersByTimeAsync(4_000);
  expect((await result).release.version).toBe('1.0.0-a');
  expect([aborted, downloads, waits]).toEqual([['1.0.0-b'], [['1.0.0-a', 0, true]], []]);
  jest.useRealTimers();
});

it('the loader loads a page of the fallback release, and rejects when that release lacks it', async () => {
  const { runtime } = fakeRuntime(async () => page, downloaded);
  const { loader } = loaderOf(runtime);
  const live = release('1.0.0-b', release('1.0.0-a'));
  expect((await loader.loadFallback(live, './home')).release.version).toBe('1.0.0-a');
  await expect(loader.loadFallback(live, './goods')).rejects.toThrow('no fallback release');
  await expect(loader.loadFallback(release('1.0.0-a'), './home')).rejects.toThrow('no fallback release');
});

it('the loader unloads replaced releases except the previous one', async () => {
  const { runtime, unloaded } = fakeRuntime(async () => page);
  const { loader } = loaderOf(runtime);
  let previous: Release | null = null;
  for (const version of ['1.0.0-a', '1.0.0-b', '1.0.0-c', '1.0.0-d']) {
    const live: Release = release(version, previous);
    loader.show((await loader.load(live, './home')).release);
    previous = { ...live, fallback: null };
  }
  expect(unloaded).toEqual(['1.0.0-a']);
  expect(loader.peek(release('1.0.0-a'), './home')).toBeUndefined();
  expect(loader.peek(release('1.0.0-d'), './home')).toBeDefined();
});

it('a preload makes one attempt and reports no failure', async () => {
  const { runtime, calls, downloads } = fakeRuntime(() => Promise.reject(new Error('404')));
  const { loader, failures } = loaderOf(runtime);
  const live = release('1.0.0-b', release('1.0.0-a'));
  await expect(loader.load(live, './home', { preload: true })).rejects.toThrow('404');
  expect([calls(), downloads, failures]).toEqual([1, [], []]);
});

it('the loader retries and falls back when a shopper opens a page whose preload fails', async () => {
  const { runtime } = fakeRuntime(failingLive, downloaded);
  const { loader, failures } = loaderOf(runtime);
  const live = release('1.0.0-b', release('1.0.0-a'));
  const preload = loader.load(live, './home', { preload: true }).catch(() => null);
  expect((await loader.load(live, './home')).release.version).toBe('1.0.0-a');
  expect([await preload, failures.length]).toEqual([null, 1]);
});

describe('texts and styles of a release', () => {
  const { runtime } = fakeRuntime(async ({ version }) => {
    texts.set('catalog', version);
    const href = `/r/catalog/${version}/home.css`;
    if (!addedLinks.has(href)) {
      addedLinks.add(href);
      document.head.insertAdjacentHTML('beforeend', `<link rel="stylesheet" href="${href}">`);
    }
    return page;
  });
  const addedLinks = new Set<string>();
  const links = () =>
    [...document.querySelectorAll<HTMLLinkElement>('link[href*="/r/catalog/"]')].map(
      ({ href, disabled }) => href.split('/').at(-2) + (disabled ? ' disabled' : ''),
    );
  beforeEach(() => {
    addedLinks.clear();
    document.head.replaceChildren();
  });

  it('texts and styles of a release stay until a page of its replacement is shown', async () => {
    const { loader } = loaderOf(runtime);
    const [first, second] = [release('1.0.0-one'), release('1.0.0-two')];
    loader.show((await loader.load(first, './home')).release);
    await loader.load(second, './home', { preload: true });
    expect([texts.get('catalog'), links()]).toEqual(['1.0.0-one', ['1.0.0-one', '1.0.0-two disabled']]);
    loader.show(second);
    expect([texts.get('catalog'), links()]).toEqual(['1.0.0-two', ['1.0.0-two']]);
  });

  it('styles of a release stay, disabled, while its fallback serves a page', async () => {
    const { loader } = loaderOf(runtime);
    const first = release('1.0.0-one');
    const second = release('1.0.0-two', first);
    loader.show((await loader.load(second, './home')).release);
    await loader.load(first, './home');
    loader.show(first, second);
    expect(links()).toEqual(['1.0.0-two disabled', '1.0.0-one']);
  });

  it('styles of a replaced release load before one of its pages is shown again', async () => {
    const { loader } = loaderOf(runtime);
    const [first, second] = [release('1.0.0-one'), release('1.0.0-two')];
    loader.show((await loader.load(first, './home')).release);
    loader.show((await loader.load(second, './home')).release);
    expect(loader.peek(first, './home')).toBeUndefined();
    let isLoaded = false;
    const again = loader.load(first, './home').then((result) => {
      isLoaded = true;
      return result;
    });
    await new Promise((resolve) => setTimeout(resolve));
    expect([links(), isLoaded]).toEqual([['1.0.0-two', '1.0.0-one'], false]);
    document.querySelector('link[href*="1.0.0-one"]')?.dispatchEvent(new Event('load'));
    loader.show((await again).release);
    expect([texts.get('catalog'), links()]).toEqual(['1.0.0-one', ['1.0.0-one']]);
  });
});
