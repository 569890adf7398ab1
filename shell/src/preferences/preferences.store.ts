import { natives } from '@platform/host/natives';
import { type Currency, currencyOf, defaultLanguage, type Language, languages } from '@shop/shared/domain';
import { changeLanguage } from '@shop/shared/i18n';
import type { Theme, ThemeChoice } from '@shop/shared/session';
import { makeAutoObservable } from '@shop/shared/state';

const languageKey = 'language';
const themeKey = 'theme';

/** Language and theme, stored on this device and shared by its tabs. */
export class PreferencesStore {
  language: Language = defaultLanguage;
  themeChoice: ThemeChoice = 'system';
  private systemTheme: Theme = 'light';

  constructor() {
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Browser only: reads local storage. Without a stored choice the language is the document's, which follows `?lang=`. */
  restore(): void {
    const language = storedLanguage() ?? languageOf(document.documentElement.lang) ?? this.language;
    this.startWith({ language, theme: storedTheme() });
  }

  /** The language and theme in which the document was rendered; `restore` follows. */
  startWith({ language, theme }: { language: Language; theme: ThemeChoice }): void {
    this.language = language;
    this.themeChoice = theme;
    void changeLanguage(language);
  }

  get currency(): Currency {
    return currencyOf(this.language);
  }

  get theme(): Theme {
    return this.themeChoice === 'system' ? this.systemTheme : this.themeChoice;
  }

  setSystemTheme(theme: Theme): void {
    this.systemTheme = theme;
  }

  setTheme(choice: ThemeChoice): void {
    this.themeChoice = choice;
    store(themeKey, choice === 'system' ? '' : choice);
  }

  toggleTheme(): void {
    this.setTheme(this.theme === 'dark' ? 'light' : 'dark');
  }

  setLanguage(language: Language): void {
    if (language === this.language) return;
    this.language = language;
    store(languageKey, language);
    void changeLanguage(language);
  }

  toggleLanguage(): void {
    this.setLanguage(this.language === 'en' ? 'zh-CN' : 'en');
  }

  /** Applies a change of another tab. `key` is a StorageEvent's: null when the storage was cleared. */
  followStorage(key: string | null): void {
    if (key === languageKey || key === null) this.setLanguage(storedLanguage() ?? this.language);
    if (key === themeKey || key === null) this.themeChoice = storedTheme();
  }
}

const yearSeconds = 365 * 24 * 60 * 60;

/** The server renders the next document by the cookie (platform/pages/src/boot/theme-and-language.ts also sets it). */
function store(name: string, value: string): void {
  natives.localStorage.write(name, value);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox ESR
  document.cookie = `${name}=${value}; path=/; max-age=${value ? yearSeconds : 0}; samesite=lax`;
}

const languageOf = (text: string | null): Language | undefined => languages.find((language) => language === text);
const storedLanguage = () => languageOf(natives.localStorage.read(languageKey));

function storedTheme(): ThemeChoice {
  const stored = natives.localStorage.read(themeKey);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}
