/**
 * Sets theme and language on `<html>` before the first paint, so that neither flashes. They are mirrored in cookies for the next
 * document. A document that was drawn in another language (`data-rendered`) is marked to be drawn anew by the shell.
 */
export function applyThemeAndLanguage(): void {
  const root = document.documentElement;
  const drawnIn = root.lang;
  try {
    const theme = localStorage.getItem('theme');
    const language = localStorage.getItem('language');
    const deviceTheme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    const chosen = theme === 'dark' || theme === 'light' ? theme : '';
    root.dataset.theme = chosen || deviceTheme();
    mirror('theme', chosen);
    if (language === 'en' || language === 'zh-CN') {
      root.lang = language;
      mirror('language', language);
    }
  } catch {
    // Storage is blocked.
    root.dataset.theme = 'light';
  }
  if (root.dataset.rendered && root.lang !== drawnIn) root.dataset.redraw = '';
}

function mirror(name: string, value: string): void {
  const stored = new RegExp(`(?:^|;\\s*)${name}=([^;]*)`).exec(document.cookie);
  if ((stored ? stored[1] : '') === value) return;
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox ESR
  document.cookie = `${name}=${value}; path=/; max-age=${value ? 31536000 : 0}; samesite=lax`;
}
