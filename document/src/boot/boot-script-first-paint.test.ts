import { runInNewContext } from 'node:vm';
import { BOOT_SCRIPT } from './boot-code';

/** Runs the built boot script; returns what it has set on the document. */
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
  runInNewContext(BOOT_SCRIPT, scope);
  return { theme: root.dataset.theme, language: root.lang };
}

describe('the first paint', () => {
  it.each([
    ['the device’s light', {}, false, 'light'],
    ['the device’s dark', {}, true, 'dark'],
    ['a chosen dark on a light device', { theme: 'dark' }, false, 'dark'],
    ['a chosen light on a dark device', { theme: 'light' }, true, 'light'],
    ['the device’s for an unknown theme', { theme: 'pink' }, true, 'dark'],
  ])('has %s theme already', (_, stored, dark, theme) => {
    expect(run({ stored, dark }).theme).toBe(theme);
  });

  it.each([
    [{}, 'zh-CN'],
    [{ language: 'en' }, 'en'],
    [{ language: 'fr' }, 'zh-CN'],
  ])('has the language stored in %j', (stored, language) => {
    expect(run({ stored }).language).toBe(language);
  });

  it('is light and Chinese where storage is blocked', () => {
    expect(run({ stored: null })).toEqual({ theme: 'light', language: 'zh-CN' });
  });
});
