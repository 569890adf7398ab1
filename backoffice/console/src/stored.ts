import type { Language } from '@shop/shared/domain';

export const [LANGUAGE, THEME, SOUND] = ['staff.language', 'staff.theme', 'staff.sound'] as const;

export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Private windows may refuse; the choice then lasts as long as the page.
  }
}

export function chosenLanguage(): Language {
  const language = read(LANGUAGE) ?? (/^zh/i.test(navigator.language) ? 'zh-CN' : 'en');
  return language === 'en' ? 'en' : 'zh-CN';
}
