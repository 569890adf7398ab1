import { type Language, languages } from '@shop/shared/domain';

/** Of the shop's languages the one that the browser asks for first; English for whoever asks for none of them. */
export function browserLanguage(tags: readonly string[] = navigator.languages ?? []): Language {
  for (const tag of tags) {
    const language = languages.find((one) => one.slice(0, 2) === tag.slice(0, 2).toLowerCase());
    if (language) return language;
  }
  return tags.length > 0 ? 'en' : languages[0];
}

/** Whether the visitor has ever said in what to read: a switch, an address with `?lang=`, or the answer to this offer. */
export const hasChosenLanguage = (stored: string): boolean =>
  stored !== '' || /(?:^|;\s*)language=[^;]/.test(document.cookie);
