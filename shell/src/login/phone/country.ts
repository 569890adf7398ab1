/** The law of the mainland requires these names. */
const chineseNames: Record<string, string> = { HK: '中国香港', MO: '中国澳门', TW: '中国台湾' };

/** The list has 245 countries in two languages, and each `DisplayNames` takes longer to create than the list to render. */
const displayNames = new Map<string, Intl.DisplayNames>();

export function countryName(country: string, language: string): string {
  const requiredName = language === 'en' ? undefined : chineseNames[country];
  try {
    const names = displayNames.get(language) ?? new Intl.DisplayNames([language], { type: 'region' });
    displayNames.set(language, names);
    return requiredName ?? names.of(country) ?? country;
  } catch {
    return country;
  }
}

/** The mainland in Chinese; in English the first region in the browser's languages. */
export function likelyCountry(language: string, browserLanguages: readonly string[] = navigator.languages): string {
  if (language !== 'en') return 'CN';
  for (const tag of browserLanguages) {
    const region = /-([A-Z]{2})\b/.exec(tag)?.[1];
    if (region) return region;
  }
  return 'US';
}
