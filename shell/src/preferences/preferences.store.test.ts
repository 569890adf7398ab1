import { PreferencesStore } from './preferences.store';

const restored = () => {
  const preferences = new PreferencesStore();
  preferences.restore();
  return preferences;
};
beforeEach(() => localStorage.clear());
afterEach(() => document.documentElement.removeAttribute('lang'));

it('uses the language that was chosen on this device', () => {
  document.documentElement.lang = 'zh-CN';
  localStorage.setItem('language', 'en');
  expect(restored()).toMatchObject({ language: 'en', currency: 'USD' });
});

it('uses the language of the document if none is stored, and Chinese for any other', () => {
  document.documentElement.lang = 'en';
  expect(restored().language).toBe('en');
  document.documentElement.lang = 'fr';
  expect(restored().language).toBe('zh-CN');
});
