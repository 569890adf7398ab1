import { containerRuntime } from './containers';
import type { Release } from './release-map';

const shareScope = { react: {} };
const globals = globalThis as unknown as Record<string, unknown>;

function release(version: string, integrity: Record<string, string> = { 'remoteEntry.js': 'sha384-x' }): Release {
  return {
    name: 'catalog',
    version,
    base: `/r/catalog/${version}/`,
    entry: 'remoteEntry.js',
    integrity,
    exposes: {},
    contract: null,
    fallback: null,
  };
}

const page = { Component: () => null };
const entries = () => [...document.head.querySelectorAll('script')];

function run(version: string, container: unknown): void {
  globals[`mfe_catalog_${version.replace(/\W/g, '_')}`] = container;
  entries()[0]?.dispatchEvent(new Event('load'));
}

const misfit = () => {
  throw new Error('Unsatisfied version');
};

beforeEach(() => {
  document.head.replaceChildren();
  globals.__webpack_init_sharing__ = () => Promise.resolve();
  globals.__webpack_share_scopes__ = { default: shareScope };
});

it('the runtime initialises a container with the share scope once and returns the requested page', async () => {
  const container = { init: jest.fn(), get: jest.fn(async () => () => page) };
  const live = release('1.0.0-a');
  containerRuntime.register(live, 0);
  const [script] = entries();
  expect(script?.src).toBe('http://localhost/r/catalog/1.0.0-a/remoteEntry.js');
  expect([script?.integrity, script?.crossOrigin]).toEqual(['sha384-x', 'anonymous']);
  run('1.0.0-a', container);
  expect(await containerRuntime.load(live, './home')).toBe(page);
  expect(await containerRuntime.load(live, './goods')).toBe(page);
  expect(container.init.mock.calls).toEqual([[shareScope]]);
  expect(container.get.mock.calls).toEqual([['./home'], ['./goods']]);
  expect(entries()).toEqual([]);
});

it('the runtime requests another address of an entry after a failure', async () => {
  const live = release('1.0.0-b');
  containerRuntime.register(live, 0);
  entries()[0]?.dispatchEvent(new Event('error'));
  await expect(containerRuntime.load(live, './home')).rejects.toThrow('did not load');
  containerRuntime.register(live, 1);
  expect(entries()[0]?.src).toBe('http://localhost/r/catalog/1.0.0-b/remoteEntry.js?retry=1');
  run('1.0.0-b', { init: () => {}, get: async () => () => page });
  expect(await containerRuntime.load(live, './home')).toBe(page);
});

it('the runtime does not load an entry without integrity', async () => {
  const unknown = release('1.0.0-c', {});
  containerRuntime.register(unknown, 0);
  expect(entries()).toEqual([]);
  await expect(containerRuntime.load(unknown, './home')).rejects.toThrow('has no integrity');
});

it.each([
  ['an entry that defines nothing', '1.0.0-d', undefined, 'defines no container'],
  ['an empty page module', '1.0.0-e', { init: () => {}, get: async () => () => ({}) }, 'catalog has no page ./home'],
  ['a singleton that does not fit', '1.0.0-f', { init: misfit }, 'Unsatisfied version'],
])('loading a page rejects for %s', async (_, version, container, message) => {
  const live = release(version);
  containerRuntime.register(live, 0);
  run(version, container);
  await expect(containerRuntime.load(live, './home')).rejects.toThrow(message);
});
