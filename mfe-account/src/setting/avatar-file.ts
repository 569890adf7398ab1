/** The largest side of an avatar in px: four times its displayed size, for dense screens. */
const side = 512;
const quality = 0.85;

/**
 * The centre square of the picture, at most 512 px wide, as WebP or JPEG: it shrinks ten megabytes to about thirty kilobytes and
 * drops the location and the camera from the metadata. Returns the file itself where this browser cannot resize it.
 */
async function shrinkPicture(file: Blob): Promise<Blob> {
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

/** The server's limit in bytes (API contract, getStsToken: max_size). */
export const maxAvatarBytes = 2_097_152;
/** In bytes; reading a larger file for shrinking would strain a phone. */
const maxReadBytes = 30 * 1024 * 1024;

type AvatarProblem = 'setting.errors.fileType' | 'setting.errors.fileSize' | 'setting.errors.fileEmpty';
type AvatarExtension = 'jpg' | 'png' | 'webp';

const mimeOf: Record<AvatarExtension, string> = { jpg: 'image/jpeg', png: 'image/png', webp: 'image/webp' };

/** Reads the type from the first bytes: names and declared types can lie, and an SVG can contain script. */
function sniff(bytes: Uint8Array): AvatarExtension | undefined {
  const starts = (offset: number, ...expected: number[]) => expected.every((byte, at) => bytes[offset + at] === byte);
  if (starts(0, 0xff, 0xd8, 0xff)) return 'jpg';
  if (starts(0, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return 'png';
  if (starts(0, 0x52, 0x49, 0x46, 0x46) && starts(8, 0x57, 0x45, 0x42, 0x50)) return 'webp';
  return undefined;
}

/** FileReader, because older phones have no Blob.arrayBuffer. */
function firstBytes(file: Blob): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(new Uint8Array(reader.result as ArrayBuffer));
    reader.onerror = () => reject(reader.error);
    reader.readAsArrayBuffer(file.slice(0, 16));
  });
}

export async function checkAvatar(
  file: File,
): Promise<{ problem: AvatarProblem } | { problem?: undefined; blob: Blob; extension: AvatarExtension }> {
  if (file.size === 0) return { problem: 'setting.errors.fileEmpty' };
  if (!sniff(await firstBytes(file))) return { problem: 'setting.errors.fileType' };
  if (file.size > maxReadBytes) return { problem: 'setting.errors.fileSize' };
  const small = await shrinkPicture(file);
  // Shrinking may change the file type, so it is read again.
  const extension = sniff(await firstBytes(small));
  if (!extension) return { problem: 'setting.errors.fileType' };
  if (small.size > maxAvatarBytes) return { problem: 'setting.errors.fileSize' };
  const type = mimeOf[extension];
  return { blob: small.type === type ? small : small.slice(0, small.size, type), extension };
}
