/**
 * The one i18next of the app. Each area registers its own namespace with both languages when its code arrives, so that a
 * change of language is instant and needs no call.
 */
import i18next, { type i18n, type TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import { defaultLanguage, type Language, languages } from '../domain';

export const i18nInstance: i18n = i18next.createInstance();

void i18nInstance.init({
  lng: defaultLanguage,
  fallbackLng: defaultLanguage,
  supportedLngs: [...languages],
  resources: {},
  ns: [],
  defaultNS: 'ui',
  interpolation: { escapeValue: false },
  initAsync: false,
});

export type TextTree = { readonly [key: string]: string | TextTree };
/** Both languages must have the same keys. */
export type Texts<T extends TextTree> = { readonly 'zh-CN': T; readonly en: SameKeys<T> };
type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> };

const current = new Map<string, Texts<TextTree>>();

/**
 * A remote's namespace is its name in the release map: the shell keeps the texts of each release apart by it
 * (`currentTexts`), so that a rollback in an open tab takes the texts back together with the code.
 */
export function registerTexts<const T extends TextTree>(namespace: string, texts: Texts<T>): void {
  current.set(namespace, texts as Texts<TextTree>);
  for (const language of languages) i18nInstance.addResourceBundle(language, namespace, texts[language], true, true);
  given.delete(namespace);
  notify();
}

/** What a namespace holds now, to be registered again when the release it came with is shown again. */
export function currentTexts(namespace: string): Texts<TextTree> | undefined {
  return current.get(namespace);
}

export interface Translation {
  t: TFunction;
  language: Language;
}

/** What components hold of each namespace: the same object until its texts or the language change. */
const given = new Map<string, Translation>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
i18nInstance.on('languageChanged', () => {
  given.clear();
  notify();
});

function translationOf(namespace: string): Translation {
  const known = given.get(namespace);
  if (known) return known;
  const language = i18nInstance.language as Language;
  const translation = { t: i18nInstance.getFixedT(null, namespace), language };
  given.set(namespace, translation);
  return translation;
}

/** Texts of a namespace in the chosen language. Not i18next's React binding, which copies its whole instance for every component. */
export function useTranslation(namespace: string): Translation {
  return useSyncExternalStore(subscribe, () => translationOf(namespace));
}

/** For code outside components, for example a toast of the http client. */
export function translate(key: string, options?: Record<string, unknown>): string {
  return i18nInstance.t(key, options);
}

export async function changeLanguage(language: Language): Promise<void> {
  await i18nInstance.changeLanguage(language);
}

/** ISO time → the device's local time in the given pattern: yyyy MM dd HH mm ss. Empty for an unreadable time. */
export function formatDate(iso: string | null | undefined, pattern = 'yyyy-MM-dd HH:mm'): string {
  if (!iso) return '';
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return '';
  const parts: Record<string, string> = {
    yyyy: String(date.getFullYear()),
    MM: String(date.getMonth() + 1).padStart(2, '0'),
    dd: String(date.getDate()).padStart(2, '0'),
    HH: String(date.getHours()).padStart(2, '0'),
    mm: String(date.getMinutes()).padStart(2, '0'),
    ss: String(date.getSeconds()).padStart(2, '0'),
  };
  return pattern.replace(/yyyy|MM|dd|HH|mm|ss/g, (token) => parts[token] ?? token);
}
