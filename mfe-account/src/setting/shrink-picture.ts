/** The largest side of an avatar in px: four times its displayed size, for dense screens. */
const side = 512;
const quality = 0.85;

/**
 * The middle square of a picture at most 512 px wide, as WebP or JPEG: a photo of ten megabytes goes up as some thirty
 * kilobytes, without the place and the camera that its file names. The file itself where this browser cannot do it.
 */
export async function shrinkPicture(file: Blob): Promise<Blob> {
  if (typeof createImageBitmap !== 'function') return file;
  try {
    const picture = await createImageBitmap(file);
    const square = Math.min(picture.width, picture.height);
    const width = Math.min(side, square);
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = width;
    const left = (picture.width - square) / 2;
    const top = (picture.height - square) / 2;
    canvas.getContext('2d')?.drawImage(picture, left, top, square, square, 0, 0, width, width);
    picture.close();
    const small = (await toBlob(canvas, 'image/webp')) ?? (await toBlob(canvas, 'image/jpeg'));
    return small && small.size < file.size ? small : file;
  } catch {
    // The server decides about a picture that this browser cannot decode.
    return file;
  }
}

/** Null if the browser encodes another type than the requested one (Safari and WebP). */
function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob((blob) => resolve(blob?.type === type ? blob : null), type, quality));
}
