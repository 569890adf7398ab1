/**
 * The app's only i18next instance. Each area registers its namespace with both languages when its code loads, so that a change of
 * language needs no request.
 */
import i18next, { type i18n } from 'i18next';
import { useSyncExternalStore } from 'react';
import { defaultLanguage, type Language, languages } from '../domain';
import { useHydrating } from '../routing';

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
export type Texts = Readonly<Record<Language, TextTree>>;
/**
 * Each text with its translations side by side: a text without one of the languages does not compile. A text with `count` has its
 * English singular as the third.
 */
export type TextPairs = {
  readonly [key: string]: readonly [chinese: string, english: string, englishOne?: string] | TextPairs;
};
/** Every key of a tree of texts, for example 'login.title'. */
export type TextKey<P> = {
  [K in keyof P & string]: P[K] extends readonly string[] ? K : `${K}.${TextKey<P[K]>}`;
}[keyof P & string];

const current = new Map<string, Texts>();

/**
 * A remote's namespace is its name in the release map. The shell keeps the texts of each release separately (`currentTexts`), so
 * that a rollback in an open tab restores the texts together with the code.
 */
export function registerTexts(namespace: string, texts: Texts): void {
  current.set(namespace, texts);
  for (const language of languages) i18nInstance.addResourceBundle(language, namespace, texts[language], true, true);
  translations.delete(namespace);
  notify();
}

/** The current texts of a namespace, to be registered again when that release is shown again. */
export function currentTexts(namespace: string): Texts | undefined {
  return current.get(namespace);
}

function inLanguage(tree: TextPairs, index: 0 | 1): TextTree {
  const texts: Record<string, string | TextTree> = {};
  for (const [key, text] of Object.entries(tree)) {
    const isText = Array.isArray(text);
    texts[key] = isText ? text[index] : inLanguage(text as TextPairs, index);
    // i18next finds the singular by this name.
    if (isText && index && text[2]) texts[`${key}_one`] = text[2];
  }
  return texts;
}

type Values = Record<string, string | number>;
export type Translate<Key extends string> = (key: Key, values?: Values) => string;

export interface Translation<Key extends string> {
  t: Translate<Key>;
  language: Language;
}

export interface NamespaceTexts<Key extends string> {
  /** Texts in the current language; the component renders again when the language or the texts change. */
  useTexts: () => Translation<Key>;
  /** For code outside components, for example a toast. `lng` among the values selects another language. */
  t: Translate<Key>;
  /** A message of a yup schema: a key with optional values, for example `tooLong?max=40`. */
  messageKey: (key: Key | `${Key}?${string}`) => string;
}

/**
 * Registers the texts of a namespace. A misspelt key and a text without one of the languages do not compile. It replaces
 * i18next's React binding, which copies its whole instance for every component.
 */
export function createTexts<const P extends TextPairs>(namespace: string, texts: P): NamespaceTexts<TextKey<P>> {
  registerTexts(namespace, { 'zh-CN': inLanguage(texts, 0), en: inLanguage(texts, 1) });
  return {
    useTexts: () => {
      const translation = () => translationOf(namespace);
      return useSyncExternalStore(subscribe, translation, translation);
    },
    t: (key, values) => i18nInstance.t(key, { ...values, ns: namespace }),
    messageKey: (key) => key,
  };
}

/** The same object for every component until the texts or the language change. */
const translations = new Map<string, Translation<string>>();
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}
function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
i18nInstance.on('languageChanged', () => {
  translations.clear();
  notify();
});

function translationOf(namespace: string): Translation<string> {
  const cached = translations.get(namespace);
  if (cached) return cached;
  const language = i18nInstance.language as Language;
  const translation = { t: i18nInstance.getFixedT(null, namespace), language };
  translations.set(namespace, translation);
  return translation;
}

export async function changeLanguage(language: Language): Promise<void> {
  // i18next reports a change to the current language too, and every component with texts would render again.
  if (language !== i18nInstance.language) await i18nInstance.changeLanguage(language);
}

/** In the form of `Date.getTimezoneOffset`: UTC+8, in which the server renders times. */
const serverOffset = -480;
let offsetAt = (date: Date): number => date.getTimezoneOffset();

/** Shows times in another time zone than the device's. `offset` is in the form of `Date.getTimezoneOffset`, for each time. */
export function setTimeZoneOffset(offset: (date: Date) => number): void {
  offsetAt = offset;
}

/** First letters of a pattern's parts, in the order of an ISO time. */
const partLetters = 'yMdHm';

const dateFormats = new Map<string, Intl.DateTimeFormat>();

/** A list shows a date in each row, and a formatter takes longer to create than a row to render. */
function dateFormat(language: string, isDay: boolean): Intl.DateTimeFormat {
  const key = `${language} ${isDay}`;
  const timeStyle = isDay ? undefined : 'short';
  // The English of New Zealand has the day first and twelve hours.
  const locale = language.replace('en', 'en-NZ');
  const format =
    dateFormats.get(key) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle, timeZone: 'UTC' });
  dateFormats.set(key, format);
  return format;
}

/**
 * Formats an ISO time in the device's time zone and the current language: "23 Nov 2026, 4:52 pm" or "2026年11月23日 16:52"; 'day'
 * leaves out the time; other patterns use yyyy MM dd HH mm (docs/product.md). Empty for an unreadable time.
 */
export function formatDate(
  iso: string | null | undefined,
  pattern?: string,
  /** Time zone, as `Date.getTimezoneOffset` returns it; by default that of `setTimeZoneOffset`, or the device's. */
  offset?: number,
): string {
  const date = new Date(iso ?? '');
  if (Number.isNaN(date.getTime())) return '';
  const local = new Date(date.getTime() - (offset ?? offsetAt(date)) * 60_000);
  if (!pattern || pattern === 'day') {
    // Engines write different spaces before "pm"; a no-break space makes the server's page equal to the browser's.
    return dateFormat(i18nInstance.language, pattern === 'day')
      .format(local)
      .replace(/\s(?=.m$)/, '\u00a0');
  }
  const parts = local.toISOString().split(/\D/);
  return pattern.replace(/[a-z]+/gi, (token) => parts[partLetters.indexOf(token.charAt(0))] ?? token);
}

/**
 * `formatDate` in the server's time zone during hydration, because the server does not know the device's, and in the device's
 * afterwards.
 */
export function useFormatDate(): (iso: string | null | undefined, pattern?: string) => string {
  const hydrating = useHydrating();
  return (iso, pattern) => formatDate(iso, pattern, hydrating ? serverOffset : undefined);
}
