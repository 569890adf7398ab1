/** Keeps a tab that previews a release (`?release=catalog@1.2.0-…`) in the preview after a reload; `?release=live` ends it. */
export function keepPreview(): void {
  try {
    const query = new URLSearchParams(location.search);
    const requested = query.get('release');
    if (requested === 'live') sessionStorage.removeItem('release');
    else if (requested) sessionStorage.setItem('release', requested);
    else {
      const stored = sessionStorage.getItem('release');
      if (!stored || document.documentElement.dataset.preview) return;
      query.set('release', stored);
      location.replace(`${location.pathname}?${query}${location.hash}`);
    }
  } catch {
    // Storage is blocked.
  }
}
