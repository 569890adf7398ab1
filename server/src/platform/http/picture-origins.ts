/**
 * Defines which images the shop may show: its own, and those of origins that ops have listed. Stored data must comply, so that no
 * image stays empty.
 */

const PICTURE_FIELDS = new Set(['image', 'images', 'icon', 'logo', 'picture', 'avatar']);
const pictureInHtml = /<img\b[^>]*?\bsrc\s*=\s*["']?\s*([^"'\s>]+)/gi;

/** The fields ("items.0.image") whose images a document would not show, because they have another origin. HTML texts are included. */
export function foreignPictures(value: unknown, origins: readonly string[]): string[] {
  const isForeign = (address: string) =>
    /^(https?:)?[\\/]{2}/i.test(address) &&
    !(URL.canParse(address) && origins.includes(new URL(address).origin) && /^https:/i.test(address));
  const find = (node: unknown, path: string, isPicture: boolean): string[] => {
    if (typeof node === 'string') {
      const addresses = isPicture ? [node] : Array.from(node.matchAll(pictureInHtml), ([, source = '']) => source);
      return addresses.some(isForeign) ? [path] : [];
    }
    if (typeof node !== 'object' || node === null) return [];
    return Object.entries(node).flatMap(([key, part]) =>
      find(part, path ? `${path}.${key}` : key, isPicture || PICTURE_FIELDS.has(key)),
    );
  };
  return find(value, '', false);
}
