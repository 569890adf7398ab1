import { runInNewContext } from 'node:vm';
import { SITE } from '../testing/site';
import { bootCode } from './boot-code';

function run({ stored = {}, dark = false }: { stored?: Record<string, string> | null; dark?: boolean }) {
  const root = { lang: 'zh-CN', dataset: {} as Record<string, string> };
  const storage = { getItem: (key: string) => stored?.[key] ?? null, setItem() {}, removeItem() {} };
  const refused = {
    get getItem(): never {
      throw new Error('SecurityError');
    },
  };
  const scope: Record<string, unknown> = {
    document: { documentElement: root },
    location: { search: '', pathname: '/home', hash: '', replace() {} },
    localStorage: stored ? storage : refused,
    sessionStorage: stored ? storage : refused,
    matchMedia: (query: string) => ({ matches: query === '(prefers-color-scheme: dark)' && dark }),
    fetch: () => Promise.reject(new Error('offline')),
    URLSearchParams,
  };
  scope.window = scope;
  runInNewContext(bootCode(SITE).script, scope);
  return { theme: root.dataset.theme, language: root.lang };
}

it.each([
  ['the light theme of the device', {}, false, 'light'],
  ['the dark theme of the device', {}, true, 'dark'],
  ['a chosen dark theme on a light device', { theme: 'dark' }, false, 'dark'],
  ['a chosen light theme on a dark device', { theme: 'light' }, true, 'light'],
  ['the theme of the device when the stored one is unknown', { theme: 'pink' }, true, 'dark'],
])('the first paint has %s', (_, stored, dark, theme) => {
  expect(run({ stored, dark }).theme).toBe(theme);
});

it.each([
  [{}, 'zh-CN'],
  [{ language: 'en' }, 'en'],
  [{ language: 'fr' }, 'zh-CN'],
])('the first paint has the language stored in %j', (stored, language) => {
  expect(run({ stored }).language).toBe(language);
});

it('the first paint is light and Chinese when storage is blocked', () => {
  expect(run({ stored: null })).toEqual({ theme: 'light', language: 'zh-CN' });
});

describe('a page that was rendered in another language than the stored one', () => {
  interface Opened {
    address?: string;
    language?: string;
    state?: object;
  }
  function open({ address = '/goods?letter=Y#top', language = 'en', state = { idx: 2 } }: Opened = {}) {
    const stored: Record<string, string> = { language };
    const dataset: Record<string, string> = { rendered: '1.0.0-1 zh-CN light /goods' };
    const location = new URL(address, 'https://shop.example');
    const entries: unknown[] = [];
    const called: string[] = [];
    const reload = jest.fn();
    const scope: Record<string, unknown> = {
      document: {
        cookie: '',
        documentElement: { lang: 'zh-CN', dataset },
        readyState: 'loading',
        addEventListener() {},
      },
      location: Object.assign(location, { reload }),
      history: {
        state,
        replaceState: (state: unknown, _: string, to: string) => {
          entries.push([state, to]);
          location.href = location.origin + to;
        },
      },
      localStorage: {
        getItem: (key: string) => stored[key] ?? null,
        setItem: (key: string, value: string) => Object.assign(stored, { [key]: value }),
      },
      sessionStorage: { getItem: () => null },
      matchMedia: () => ({ matches: false }),
      fetch: (url: string) => {
        called.push(url);
        return new Promise(() => {});
      },
      setTimeout() {},
      addEventListener() {},
      URL,
      URLSearchParams,
    };
    scope.window = scope;
    runInNewContext(bootCode(SITE).script, scope);
    return { loads: reload.mock.calls.length, entries, called, hidden: dataset.redraw !== undefined };
  }

  it('a page in another language than the stored one reloads in that language, at its history entry, before any call is made', () => {
    expect(open()).toEqual({
      loads: 1,
      entries: [[{ idx: 2 }, '/goods?letter=Y&lang=en#top']],
      called: [],
      hidden: true,
    });
  });

  it('the shell re-renders a page, without a reload loop, when the reloaded document is in the wrong language again', () => {
    const { loads, entries, called, hidden } = open({ address: '/goods?lang=en' });
    expect({ loads, entries, hidden }).toEqual({ loads: 0, entries: [[{ idx: 2 }, '/goods']], hidden: true });
    expect(called).toContain('/api/front/app/config');
  });

  it('a page stays when it is in the stored language, or when the stored language is unknown', () => {
    const stays = { loads: 0, entries: [], called: [], hidden: false };
    expect([open({ language: 'zh-CN' }), open({ language: 'fr' })]).toEqual([stays, stays]);
  });
});
