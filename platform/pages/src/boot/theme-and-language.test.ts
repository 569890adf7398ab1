/** @jest-environment jsdom */
import { applyThemeAndLanguage } from './theme-and-language';

const root = document.documentElement;
const deviceIs = (theme: 'light' | 'dark') =>
  Object.assign(window, { matchMedia: () => ({ matches: theme === 'dark' }) as MediaQueryList });
beforeEach(() => {
  localStorage.clear();
  root.lang = 'zh-CN';
});

it('takes the theme of the device until one is chosen', () => {
  deviceIs('dark');
  applyThemeAndLanguage(false);
  expect(root.dataset.theme).toBe('dark');
  localStorage.setItem('theme', 'light');
  applyThemeAndLanguage(false);
  expect(root.dataset.theme).toBe('light');
});

it('takes the chosen language if the shop has it', () => {
  deviceIs('light');
  localStorage.setItem('language', 'fr');
  applyThemeAndLanguage(false);
  expect(root.lang).toBe('zh-CN');
  localStorage.setItem('language', 'en');
  applyThemeAndLanguage(false);
  expect(root.lang).toBe('en');
});

it('takes the theme of the device where storage is blocked', () => {
  deviceIs('dark');
  jest.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new Error('SecurityError');
  });
  applyThemeAndLanguage(false);
  expect(root.dataset.theme).toBe('dark');
});
