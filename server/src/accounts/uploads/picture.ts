import type Sharp from 'sharp';
import { lazy } from '../../providers/lazy';

export const STORED_FORMAT = { mime: 'image/webp', extension: 'webp' } as const;
/** Longest side in pixels; an avatar is shown at 96. */
const MAX_SIDE = 1024;
/**
 * A picture with more pixels is refused by its header, before anything is decoded: 2 MB can expand to gigabytes. A phone's camera
 * has 12 to 24 million by default; decoded, this is at most 100 MB, and one picture is decoded at a time.
 */
const MAX_PIXELS = 25_000_000;
const MAX_SECONDS = 10;

/** sharp (about 30 MB of memory) is loaded with the first picture. */
const library = lazy(() => {
  const sharp = require('sharp') as typeof Sharp;
  // Only the decoders of accepted types can run.
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadNsgifBuffer',
    ],
  });
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp;
});

/** Returns the result of `draw`; undefined for bytes that are not a JPEG, PNG, WebP or GIF, are broken, or have too many pixels. */
export async function transformPicture<Result>(
  bytes: Buffer,
  transform: (image: ReturnType<typeof Sharp>) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    const image = library()(bytes, { limitInputPixels: MAX_PIXELS, sequentialRead: true, failOn: 'error', pages: 1 });
    return await transform(image.timeout({ seconds: MAX_SECONDS }));
  } catch {
    return undefined;
  }
}

let previous: Promise<unknown> = Promise.resolve();

/**
 * Re-encodes a picture: decoded, rotated upright, scaled down, written as WebP. Everything except pixels is removed: metadata (such as the
 * place of the photo), colour profiles, trailing data. An animation keeps its first frame. Returns undefined for bytes that are not a JPEG,
 * PNG, WebP or GIF, are broken, or have too many pixels. Pictures are decoded one after the other.
 */
export function reencodePicture(bytes: Buffer): Promise<Buffer | undefined> {
  const work = previous.then(() =>
    transformPicture(bytes, (image) =>
      image
        .autoOrient()
        .resize({ width: MAX_SIDE, height: MAX_SIDE, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 84 })
        .toBuffer(),
    ),
  );
  previous = work;
  return work;
}
