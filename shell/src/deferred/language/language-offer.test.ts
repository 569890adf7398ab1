import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { PreferencesStore } from '../../preferences/preferences.store';
import { browserLanguage, hasChosenLanguage, offerLanguage } from './language-offer';

const setCookie = (text: string) => {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store API
  document.cookie = text;
};

afterEach(() => {
  document.body.replaceChildren();
  localStorage.clear();
  setCookie('language=; path=/; max-age=0');
});

it.each([
  [['en-US', 'en'], 'en'],
  [['zh-TW'], 'zh-CN'],
  [['fr-FR', 'zh-CN', 'en'], 'zh-CN'],
  [['fr-FR', 'en-GB'], 'en'],
  [['fr'], 'en'],
  [[], 'zh-CN'],
])('a browser with the languages %j gets the offer %s', (tags, language) => {
  expect(browserLanguage(tags)).toBe(language);
});

it('a stored language or a language cookie counts as a choice', () => {
  localStorage.setItem('language', 'en');
  expect(hasChosenLanguage()).toBe(true);
  localStorage.clear();
  setCookie('other-language=en; path=/');
  expect(hasChosenLanguage()).toBe(false);
  setCookie('language=en; path=/');
  expect(hasChosenLanguage()).toBe(true);
  setCookie('other-language=; path=/; max-age=0');
});

it('switches to the offered language, stores it, and closes', async () => {
  const preferences = new PreferencesStore();
  offerLanguage(preferences, 'en');
  expect(screen.getByRole('status')).toHaveTextContent('Shop in English and US dollars?');
  await userEvent.tab();
  expect(screen.getByRole('button', { name: 'English · $' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  expect([preferences.language, preferences.currency, localStorage.getItem('language')]).toEqual(['en', 'USD', 'en']);
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
});

it('remembers that the offer was declined', async () => {
  const preferences = new PreferencesStore();
  offerLanguage(preferences, 'en');
  await userEvent.click(screen.getByRole('button', { name: 'No, thanks' }));
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
  expect([preferences.language, localStorage.getItem('language')]).toEqual(['zh-CN', 'zh-CN']);
});

it('closes when the language is switched elsewhere', () => {
  const preferences = new PreferencesStore();
  offerLanguage(preferences, 'en');
  preferences.toggleLanguage();
  expect(screen.queryByRole('region')).not.toBeInTheDocument();
});
