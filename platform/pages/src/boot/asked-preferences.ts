/**
 * `?lang=en` and `?theme=dark` choose language and theme as the switches of the page do. The parameters then go: after the next
 * choice a reload must not take this one back. Returns whether a language was asked for.
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
    // Storage is blocked: the address goes on saying it.
    if (asked && key === 'language') document.documentElement.lang = asked;
  }
  return asked !== null;
}
