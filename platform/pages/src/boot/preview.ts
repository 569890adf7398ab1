/** Keeps a tab that previews a release (`?release=catalog@1.2.0-…`) in the preview after a reload; `?release=live` ends it. */
export function keepPreview(): void {
  try {
    const query = new URLSearchParams(location.search);
    const asked = query.get('release');
    if (asked === 'live') sessionStorage.removeItem('release');
    else if (asked) sessionStorage.setItem('release', asked);
    else {
      const kept = sessionStorage.getItem('release');
      if (!kept || document.documentElement.dataset.preview) return;
      query.set('release', kept);
      location.replace(`${location.pathname}?${query}${location.hash}`);
    }
  } catch {
    // Storage is blocked.
  }
}
