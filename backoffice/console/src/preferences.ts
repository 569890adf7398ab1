import type { Language } from '@shop/shared/domain';
import { changeLanguage, i18nInstance } from '@shop/shared/i18n';

const LANGUAGE = 'staff.language';
const THEME = 'staff.theme';
const SOUND = 'staff.sound';

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}
function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

const dark = matchMedia('(prefers-color-scheme: dark)');

function showTheme(theme: string): void {
  document.documentElement.dataset.theme = theme;
}
function showLanguage(language: Language): void {
  document.documentElement.lang = language;
  void changeLanguage(language);
}

export function restorePreferences(): void {
  const language = read(LANGUAGE) ?? (/^zh/i.test(navigator.language) ? 'zh-CN' : 'en');
  showLanguage(language === 'en' ? 'en' : 'zh-CN');
  const followSystem = () => showTheme(read(THEME) ?? (dark.matches ? 'dark' : 'light'));
  followSystem();
  dark.addEventListener('change', followSystem);
}

export function toggleTheme(): void {
  const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
  write(THEME, theme);
  showTheme(theme);
}

export function toggleLanguage(): void {
  const language = i18nInstance.language === 'en' ? 'zh-CN' : 'en';
  write(LANGUAGE, language);
  showLanguage(language);
}

/** Whether new orders play a sound; off by default. */
export const soundIsOn = () => read(SOUND) === 'on';
export const setSound = (on: boolean) => write(SOUND, on ? 'on' : 'off');
