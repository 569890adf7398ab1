/** The mainland in Chinese; in English the first region in the browser's languages. */
export function likelyCountry(language: string, browserLanguages: readonly string[] = navigator.languages): string {
  if (language !== 'en') return 'CN';
  for (const tag of browserLanguages) {
    const region = /-([A-Z]{2})\b/.exec(tag)?.[1];
    if (region) return region;
  }
  return 'US';
}
