import type { Locale } from './schemas';

export const suffixOf = (locale: Locale) => (locale === 'en' ? 'en' : 'zh');

export interface Texts {
  'zh-CN': string;
  en: string;
}

export const textOf = (texts: Texts | null | undefined, locale: Locale) => texts?.[locale] || texts?.['zh-CN'] || '';

/** SQL of one of such texts, as `textOf` chooses it; null without any. */
export const textIn = (texts: string, locale: Locale) =>
  `coalesce(nullif(${texts} ->> '${locale}', ''), nullif(${texts} ->> 'zh-CN', ''))`;

export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
