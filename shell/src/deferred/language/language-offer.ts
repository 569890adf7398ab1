import './language-offer.css';
import { natives } from '@platform/host/natives';
import { type Language, languages } from '@shop/shared/domain';
import { reaction } from '@shop/shared/state';
import type { PreferencesStore } from '../../preferences/preferences.store';

/** The shop's language that the browser prefers; English if it lists none of them. */
export function browserLanguage(tags: readonly string[] = navigator.languages ?? []): Language {
  for (const tag of tags) {
    const language = languages.find((candidate) => candidate.slice(0, 2) === tag.slice(0, 2).toLowerCase());
    if (language) return language;
  }
  return tags.length > 0 ? 'en' : languages[0];
}

/** True after a switch, an address with `?lang=`, or an answer to this offer. */
export const hasChosenLanguage = (): boolean =>
  natives.localStorage.read('language') !== '' || /(?:^|;\s*)language=[^;]/.test(document.cookie);

/** In the offered language, because its users may not read the other one. */
const texts: Record<Language, { line: string; accept: string; decline: string }> = {
  en: { line: 'Shop in English and US dollars?', accept: 'English · $', decline: 'No, thanks' },
  'zh-CN': { line: '用中文和人民币购物？', accept: '中文 · ¥', decline: '不用了' },
};

/**
 * Offers the language of the browser, unless it is shown or one was chosen. One line over the page, so that nothing moves and the document is the same for all visitors. Either answer is stored as the
 * visitor's choice, and the line closes when the language is switched elsewhere.
 */
export function offerLanguage(preferences: PreferencesStore, offered = browserLanguage()): void {
  if (hasChosenLanguage() || offered === preferences.language) return;
  const { line, accept, decline } = texts[offered];
  const offer = document.createElement('section');
  offer.className = 'shell-language-offer ui-row ui-gap-2';
  offer.lang = offered;
  offer.setAttribute('aria-label', accept);
  const text = document.createElement('p');
  text.setAttribute('role', 'status');
  const button = (label: string, kind: string, name: string, onClick: () => void) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.className = `ui-button ui-button--s ui-button--${kind}`;
    element.textContent = label;
    element.setAttribute('aria-label', name);
    element.addEventListener('click', onClick);
    return element;
  };
  const current = preferences.language;
  const stop = reaction(() => preferences.language, remove);
  function remove() {
    stop();
    offer.remove();
  }
  offer.append(
    text,
    button(accept, 'primary', accept, () => preferences.setLanguage(offered)),
    button('✕', 'ghost', decline, () => {
      natives.localStorage.write('language', current);
      remove();
    }),
  );
  document.body.append(offer);
  // A live region is announced when its text is added after it.
  text.textContent = line;
}
