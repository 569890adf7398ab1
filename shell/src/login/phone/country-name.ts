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
