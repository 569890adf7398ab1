/** @jest-environment jsdom */
import { applyAddressPreferences } from './address-preferences';

const root = document.documentElement;
const open = (address: string, state: unknown = null) => history.replaceState(state, '', address);
const address = () => location.pathname + location.search + location.hash;
beforeEach(() => {
  localStorage.clear();
  root.lang = 'zh-CN';
});
afterEach(() => jest.restoreAllMocks());

it('an address with `lang` sets the language, and the rest of the address stays', () => {
  open('/goods?category_id=2&lang=en&sort=hot#top', { idx: 3 });
  applyAddressPreferences();
  expect(localStorage.getItem('language')).toBe('en');
  expect([address(), history.state]).toEqual(['/goods?category_id=2&sort=hot#top', { idx: 3 }]);
  open('/goods/7?lang=zh-CN');
  applyAddressPreferences();
  expect([localStorage.getItem('language'), address()]).toEqual(['zh-CN', '/goods/7']);
});

it('an address with `theme` sets the theme, also together with a language', () => {
  open('/goods?theme=dark&letter=Y&lang=en');
  applyAddressPreferences();
  expect([localStorage.getItem('theme'), localStorage.getItem('language')]).toEqual(['dark', 'en']);
  expect(address()).toBe('/goods?letter=Y');
});

it.each(['/goods?theme=pink', '/goods?x=1', '/goods?lang=fr', '/goods?lang=', '/goods?lang=EN'])(
  'the address %s and the chosen language stay as they are',
  (unchanged) => {
    localStorage.setItem('language', 'en');
    open(unchanged);
    applyAddressPreferences();
    expect([localStorage.getItem('language'), address()]).toEqual(['en', unchanged]);
  },
);

it('an address with `lang` sets the language and keeps the parameter when storage is blocked', () => {
  jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('SecurityError');
  });
  open('/goods?lang=en');
  applyAddressPreferences();
  expect([root.lang, address()]).toEqual(['en', '/goods?lang=en']);
});
