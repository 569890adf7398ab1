export const LANGUAGES = ['zh-CN', 'en'] as const;
export type DocumentLanguage = (typeof LANGUAGES)[number];
export const DEFAULT_LANGUAGE: DocumentLanguage = LANGUAGES[0];

/** Returns the language that the address requests with `?lang=`, or null for none and for one that the site does not have. */
export function requestedLanguage(address: string): DocumentLanguage | null {
  const parameter = new URLSearchParams(address.split('#')[0]?.split('?')[1] ?? '').get('lang');
  return LANGUAGES.find((language) => language === parameter) ?? null;
}

/** Returns the address of a page in a language. `path` may have a query. */
export const addressIn = (path: string, language: DocumentLanguage) =>
  language === DEFAULT_LANGUAGE ? path : `${path}${path.includes('?') ? '&' : '?'}lang=${language}`;
