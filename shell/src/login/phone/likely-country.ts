/** Of whoever reads Chinese the mainland; of others the first region that the browser names. */
export function likelyCountry(language: string, browserLanguages: readonly string[] = navigator.languages): string {
  if (language !== 'en') return 'CN';
  for (const tag of browserLanguages) {
    const region = /-([A-Z]{2})\b/.exec(tag)?.[1];
    if (region) return region;
  }
  return 'US';
}
