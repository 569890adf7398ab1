const isOrigin = (text: string): boolean =>
  /^https:\/\/[a-z0-9.-]+(:\d{1,5})?$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Parses MEDIA_ORIGINS: origins separated by commas. `faulty` contains the invalid ones. */
export function readPictureOrigins(text = ''): { origins: string[]; faulty: string[] } {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  return {
    origins: [...new Set(entries.filter(isOrigin))].sort(),
    faulty: entries.filter((entry) => !isOrigin(entry)),
  };
}
