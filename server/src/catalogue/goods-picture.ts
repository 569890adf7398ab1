import { createHash } from 'node:crypto';
import { STORED_FORMAT, transformPicture } from '../accounts/uploads/picture';
import type { PictureStore } from '../providers/providers';

/** Centre of the part that must stay in the picture, as fractions of width and height from the top left. */
export type Focus = [x: number, y: number];

/** Pixels by kind, twice the displayed size. */
const pictureSizes = {
  goods: { width: 320, height: 320 },
  banners: { width: 1024, height: 448 },
  items: { width: 640, height: 400 },
} as const;
export type PictureKind = keyof typeof pictureSizes;

export type CataloguePicture = Record<'webp' | 'avif', Buffer>;

const QUALITY = { webp: 80, avif: 50 };

/**
 * Crops to the size and formats of the page: the largest part of that shape around the focus. Returns undefined for bytes that
 * are not a readable picture.
 */
export function cropPicture(bytes: Buffer, kind: PictureKind, [x, y]: Focus): Promise<CataloguePicture | undefined> {
  const { width, height } = pictureSizes[kind];
  return transformPicture(bytes, async (image) => {
    // Size after the rotation that the EXIF orientation asks for.
    const { autoOrient } = await image.metadata();
    const scale = Math.max(width / autoOrient.width, height / autoOrient.height);
    const whole = { width: Math.ceil(autoOrient.width * scale), height: Math.ceil(autoOrient.height * scale) };
    const from = (length: number, part: number, at: number) =>
      Math.round(Math.min(length - part, Math.max(0, length * at - part / 2)));
    const cropped = image
      .autoOrient()
      .resize({ ...whole, fit: 'fill' })
      .extract({ left: from(whole.width, width, x), top: from(whole.height, height, y), width, height });
    return {
      webp: await cropped.clone().webp({ quality: QUALITY.webp, effort: 6 }).toBuffer(),
      avif: await cropped.avif({ quality: QUALITY.avif }).toBuffer(),
    };
  });
}

const folder = 'catalogue/';

export async function storePicture(pictures: PictureStore, { webp, avif }: CataloguePicture): Promise<string> {
  const file = `${createHash('sha256').update(webp).update(avif).digest('hex').slice(0, 32)}.${STORED_FORMAT.extension}`;
  if (avif.length < webp.length) await pictures.put(folder + avifBeside(file), avif, 'image/avif');
  await pictures.put(folder + file, webp, STORED_FORMAT.mime);
  return `/media/${file}`;
}

/** The AVIF file exists only if it is smaller than the WebP. */
export const avifBeside = (webp: string): string => webp.replace(/\.webp$/, '.avif');

export const readPicture = (pictures: PictureStore, file: string): Promise<Buffer | undefined> =>
  pictures.get(folder + file);
