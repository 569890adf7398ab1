interface PictureType {
  mime: string;
  extension: string;
}

const starts: Array<[bytes: number[], type: PictureType]> = [
  [[0xff, 0xd8, 0xff], { mime: 'image/jpeg', extension: 'jpg' }],
  [[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], { mime: 'image/png', extension: 'png' }],
  [[0x47, 0x49, 0x46, 0x38], { mime: 'image/gif', extension: 'gif' }],
];

/** The type by the bytes' signature; undefined for anything else, such as SVG, which can carry script. */
export function pictureType(bytes: Buffer): PictureType | undefined {
  if (bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP') {
    return { mime: 'image/webp', extension: 'webp' };
  }
  return starts.find(([start]) => start.every((byte, index) => bytes[index] === byte))?.[1];
}
