const RETRY_MS = 5_000;
const root = document.documentElement;

root.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'dark' || theme === 'light') root.dataset.theme = theme;
  if (localStorage.getItem('language') === 'en') root.lang = 'en';
} catch {
  // Storage is blocked.
}
if (root.lang === 'en') document.title = root.dataset.englishTitle || document.title;

let checking = false;
function check(isByUser = false): void {
  if (checking) return;
  checking = true;
  if (isByUser) root.dataset.busy = '';
  fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' })
    .then(
      ({ ok }) => {
        if (!ok) return;
        if (location.pathname === '/offline.html') location.replace('/home');
        else location.reload();
      },
      () => {},
    )
    .then(() => {
      checking = false;
      delete root.dataset.busy;
      if (isByUser) root.dataset.tried = '';
    });
}

addEventListener('online', () => check());
setInterval(() => {
  if (document.visibilityState === 'visible') check();
}, RETRY_MS);
document.querySelector('button')?.addEventListener('click', () => check(true));
