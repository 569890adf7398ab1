/** The law of the mainland requires these names. */
const chineseNames: Record<string, string> = { HK: '中国香港', MO: '中国澳门', TW: '中国台湾' };

export function countryName(country: string, language: string): string {
  const requiredName = language === 'en' ? undefined : chineseNames[country];
  try {
    return requiredName ?? new Intl.DisplayNames([language], { type: 'region' }).of(country) ?? country;
  } catch {
    return country;
  }
}
