/**
 * Defines which images the shop may show: its own, and those of origins that ops have listed. Stored data must comply, so that no
 * image stays empty.
 */

const PICTURE_FIELDS = new Set(['image', 'images', 'icon', 'logo', 'picture', 'avatar']);
const pictureInHtml = /<img\b[^>]*?\bsrc\s*=\s*["']?\s*([^"'\s>]+)/gi;

/**
 * The fields ("items.0.image") whose images a document would not show, because they have another origin. HTML texts are included.
 */
export function foreignPictures(value: unknown, origins: readonly string[]): string[] {
  const isForeign = (address: string) =>
    /^(https?:)?[\\/]{2}/i.test(address) &&
    !(URL.canParse(address) && origins.includes(new URL(address).origin) && /^https:/i.test(address));
  const find = (one: unknown, path: string, isPicture: boolean): string[] => {
    if (typeof one === 'string') {
      const addresses = isPicture ? [one] : Array.from(one.matchAll(pictureInHtml), ([, source = '']) => source);
      return addresses.some(isForeign) ? [path] : [];
    }
    if (typeof one !== 'object' || one === null) return [];
    return Object.entries(one).flatMap(([key, part]) =>
      find(part, path ? `${path}.${key}` : key, isPicture || PICTURE_FIELDS.has(key)),
    );
  };
  return find(value, '', false);
}
