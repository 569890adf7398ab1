import { PreferencesStore } from './preferences.store';

it('uses the language that was chosen on this device, else that of the document, and Chinese for any other', () => {
  const restored = (language: string) => {
    document.documentElement.lang = language;
    const preferences = new PreferencesStore();
    preferences.restore();
    return preferences;
  };
  expect(restored('en').language).toBe('en');
  expect(restored('fr').language).toBe('zh-CN');
  localStorage.setItem('language', 'en');
  expect(restored('zh-CN')).toMatchObject({ language: 'en', currency: 'USD' });
});
