/**
 * `?lang=en` chooses the language as the switch of the shop does. The parameter then goes: after the next choice a reload must
 * not take this one back.
 */
export function takeAskedLanguage(): void {
  let asked: string | null = null;
  try {
    const address = new URL(location.href);
    asked = address.searchParams.get('lang');
    if (asked !== 'en' && asked !== 'zh-CN') return;
    localStorage.setItem('language', asked);
    address.searchParams.delete('lang');
    history.replaceState(history.state, '', address.pathname + address.search + address.hash);
  } catch {
    // Storage is blocked: the address goes on saying it.
    if (asked) document.documentElement.lang = asked;
  }
}
