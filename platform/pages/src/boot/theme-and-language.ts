import type { DocumentFlags } from '@platform/releases/contract';

/**
 * Sets theme and language on `<html>` before the first paint, so that neither flashes. Local storage is authoritative; cookies
 * mirror it for the next document. A document whose page was rendered (`data-rendered`) in another language is reloaded in the
 * stored one, prices included: the language is in the address, so that it works without cookies too. Returns whether the reload
 * was started. When even the reloaded document is in another language, as from a cache that ignores the query, `data-redraw`
 * makes the shell render the page again; boot.css hides the page meanwhile, for a limited time.
 */
export function applyThemeAndLanguage(): boolean {
  storeParameter('theme', 'theme', /^(dark|light)$/);
  const hasAddressLanguage = storeParameter('lang', 'language', /^(en|zh-CN)$/);
  const root = document.documentElement;
  const flags: DocumentFlags = root.dataset;
  const renderedLanguage = root.lang;
  const theme = stored('theme');
  const language = stored('language');
  const chosen = theme === 'dark' || theme === 'light' ? theme : '';
  flags.theme = chosen || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  mirror('theme', chosen);
  if (language === 'en' || language === 'zh-CN') {
    root.lang = language;
    mirror('language', language);
  }
  if (!flags.rendered || root.lang === renderedLanguage) return false;
  flags.redraw = '';
  return !hasAddressLanguage && reloadIn(root.lang);
}

/**
 * Stores `?lang=en` or `?theme=dark` as the switches of the page do, and removes the parameter: otherwise a reload would undo the
 * visitor's next choice. Returns whether the address has a valid value.
 */
function storeParameter(parameter: string, key: string, allowed: RegExp): boolean {
  let value: string | null = null;
  try {
    const address = new URL(location.href);
    value = address.searchParams.get(parameter);
    if (value === null || !allowed.test(value)) return false;
    localStorage.setItem(key, value);
    address.searchParams.delete(parameter);
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  } catch {
    // Storage is blocked, so the parameter stays in the address.
    if (value && key === 'language') document.documentElement.lang = value;
  }
  return value !== null;
}

/** Keeps the history entry with its state. The boot script removes the parameter after the reload. */
function reloadIn(language: string): boolean {
  try {
    const address = new URL(location.href);
    address.searchParams.set('lang', language);
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
    location.reload();
    return true;
  } catch {
    return false;
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function mirror(name: string, value: string): void {
  try {
    const cookie = new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(document.cookie);
    if ((cookie ? cookie[1] : '') === value) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox ESR
    document.cookie = `${name}=${value}; path=/; max-age=${value ? 31536000 : 0}; samesite=lax`;
  } catch {
    // A sandboxed document has no cookies.
  }
}
