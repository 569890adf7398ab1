import type { Language } from '@shop/shared/domain';
import { changeLanguage, i18nInstance } from '@shop/shared/i18n';

/** Of this browser; stored under keys of the console's own. */
const [LANGUAGE, THEME, SOUND] = ['staff.language', 'staff.theme', 'staff.sound'];
const dark = matchMedia('(prefers-color-scheme: dark)');

const read = (key: string) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

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

/** Whether new orders sound; off until somebody wants it. */
export const soundIsOn = () => read(SOUND) === 'on';
export const setSound = (on: boolean) => write(SOUND, on ? 'on' : 'off');
