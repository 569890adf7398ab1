/** Sets theme and language on `<html>` before the first paint, so that neither flashes. */
export function applyThemeAndLanguage(): void {
  const root = document.documentElement;
  try {
    const theme = localStorage.getItem('theme');
    const language = localStorage.getItem('language');
    const deviceTheme = () => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
    root.dataset.theme = theme === 'dark' || theme === 'light' ? theme : deviceTheme();
    if (language === 'en' || language === 'zh-CN') root.lang = language;
  } catch {
    // Storage is blocked.
    root.dataset.theme = 'light';
  }
}
