import { type Language, languages } from '@shop/shared/domain';

/** The shop's language that the browser prefers; English if it lists none of them. */
export function browserLanguage(tags: readonly string[] = navigator.languages ?? []): Language {
  for (const tag of tags) {
    const language = languages.find((candidate) => candidate.slice(0, 2) === tag.slice(0, 2).toLowerCase());
    if (language) return language;
  }
  return tags.length > 0 ? 'en' : languages[0];
}

/** True after a switch, an address with `?lang=`, or an answer to this offer. */
export const hasChosenLanguage = (stored: string): boolean =>
  stored !== '' || /(?:^|;\s*)language=[^;]/.test(document.cookie);
