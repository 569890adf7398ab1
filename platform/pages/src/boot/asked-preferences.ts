/**
 * Applies `?lang=en` and `?theme=dark` as the switches of the page do, and removes the parameters: otherwise a reload would undo
 * the visitor's next choice. Returns whether the address has a language.
 */
export function takeAskedPreferences(): boolean {
  take('theme', 'theme', /^(dark|light)$/);
  return take('lang', 'language', /^(en|zh-CN)$/);
}

function take(parameter: string, key: string, known: RegExp): boolean {
  let asked: string | null = null;
  try {
    const address = new URL(location.href);
    asked = address.searchParams.get(parameter);
    if (asked === null || !known.test(asked)) return false;
    localStorage.setItem(key, asked);
    address.searchParams.delete(parameter);
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  } catch {
    // Storage is blocked, so the parameter stays in the address.
    if (asked && key === 'language') document.documentElement.lang = asked;
  }
  return asked !== null;
}
