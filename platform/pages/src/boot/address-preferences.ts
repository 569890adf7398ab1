/**
 * Applies `?lang=en` and `?theme=dark` as the switches of the page do, and removes the parameters: otherwise a reload would undo
 * the visitor's next choice. Returns whether the address has a language.
 */
export function applyAddressPreferences(): boolean {
  applyParameter('theme', 'theme', /^(dark|light)$/);
  return applyParameter('lang', 'language', /^(en|zh-CN)$/);
}

function applyParameter(parameter: string, key: string, allowed: RegExp): boolean {
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
