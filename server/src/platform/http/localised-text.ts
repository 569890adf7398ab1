import type { Locale } from './schemas';

export const suffixOf = (locale: Locale) => (locale === 'en' ? 'en' : 'zh');

export interface Texts {
  'zh-CN': string;
  en: string;
}

export const textOf = (texts: Texts | null | undefined, locale: Locale) => texts?.[locale] || texts?.['zh-CN'] || '';

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
