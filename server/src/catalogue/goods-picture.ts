import { createHash } from 'node:crypto';
import type { PictureStore } from '../providers/providers';
import { drawAnew, KEPT } from '../uploads/picture';

/** Where something stands that must stay in the picture: parts of its width and height, from the top left. */
export type Focus = [x: number, y: number];

/** Pixels of each kind, twice as many as it is shown at. */
export const pictureSizes = {
  goods: { width: 320, height: 320 },
  banners: { width: 1024, height: 448 },
  items: { width: 640, height: 400 },
} as const;
export type PictureKind = keyof typeof pictureSizes;

const QUALITY = 80;

/**
 * The shop's own art in the size and format of the page: the largest part of that shape around the focus. undefined for what is no
 * picture that can be read.
 */
export function cropPicture(bytes: Buffer, kind: PictureKind, [x, y]: Focus): Promise<Buffer | undefined> {
  const { width, height } = pictureSizes[kind];
  return drawAnew(bytes, async (image) => {
    // The size after the turn that a phone's camera asks for.
    const { autoOrient } = await image.metadata();
    const scale = Math.max(width / autoOrient.width, height / autoOrient.height);
    const whole = { width: Math.ceil(autoOrient.width * scale), height: Math.ceil(autoOrient.height * scale) };
    const from = (length: number, part: number, at: number) =>
      Math.round(Math.min(length - part, Math.max(0, length * at - part / 2)));
    return image
      .autoOrient()
      .resize({ ...whole, fit: 'fill' })
      .extract({ left: from(whole.width, width, x), top: from(whole.height, height, y), width, height })
      .webp({ quality: QUALITY, effort: 6 })
      .toBuffer();
  });
}

const folder = 'catalogue/';

/** Keeps a picture of the catalogue and returns its address, which carries a hash of the content. */
export async function keepPicture(pictures: PictureStore, picture: Buffer): Promise<string> {
  const file = `${createHash('sha256').update(picture).digest('hex').slice(0, 32)}.${KEPT.extension}`;
  await pictures.put(folder + file, picture, KEPT.mime);
  return `/media/${file}`;
}

export const readPicture = (pictures: PictureStore, file: string): Promise<Buffer | undefined> =>
  pictures.get(folder + file);
