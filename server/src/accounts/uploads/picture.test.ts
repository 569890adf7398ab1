import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { reencodePicture } from './picture';

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 40 } } });

/** A decompression bomb: a PNG of one colour whose rows of zeros deflate to a thousandth. */
function bomb(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const size = Buffer.alloc(4);
    size.writeUInt32BE(data.length);
    const sum = Buffer.alloc(4);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const row = 1 + Math.ceil(width / 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(row * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
describe('uploaded pictures', () => {
  it.each(['jpeg', 'png', 'webp', 'gif'] as const)(
    'an uploaded picture is re-encoded from %s as a small WebP',
    async (format) => {
      const reencoded = await reencodePicture(await plain(1600, 800).toFormat(format).toBuffer());
      expect(await sharp(reencoded).metadata()).toMatchObject({ format: 'webp', width: 1024, height: 512 });
    },
  );

  it('an uploaded picture loses its metadata and trailing bytes, and is rotated upright', async () => {
    const photo = await plain(40, 20)
      .withExif({ IFD0: { Artist: 'somebody' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sharp(photo).metadata()).exif).toBeDefined();
    const reencoded = await reencodePicture(Buffer.concat([photo, Buffer.from('<script>alert(1)</script>PK\x03\x04')]));
    const metadata = await sharp(reencoded).metadata();
    expect(metadata).toMatchObject({ width: 20, height: 40 });
    for (const name of ['exif', 'icc', 'xmp']) expect(metadata).not.toHaveProperty(name);
    for (const left of ['script', 'somebody', 'Exif']) expect(reencoded?.includes(left)).toBe(false);
  });

  it('an uploaded animation keeps its first frame', async () => {
    const frames = await sharp([await plain(20, 20).png().toBuffer(), await plain(20, 20).negate().png().toBuffer()], {
      join: { animated: true },
    })
      .gif()
      .toBuffer();
    expect((await sharp(frames).metadata()).pages).toBe(2);
    const reencoded = await reencodePicture(frames);
    const { width, height, pages } = await sharp(reencoded).metadata();
    expect({ width, height, pages }).toEqual({ width: 20, height: 20, pages: undefined });
  });

  it('an upload is refused when it is no picture, is broken, or has too many pixels', async () => {
    const huge = bomb(30_000, 30_000);
    expect(huge.length).toBeLessThan(2_097_152);
    const whole = await plain(300, 300).jpeg().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
    const disguised = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), svg]);
    const tiff = await plain(10, 10).tiff().toBuffer();
    for (const bytes of [huge, whole.subarray(0, 60), svg, disguised, tiff, Buffer.from('GIF89a'), Buffer.alloc(0)])
      expect(await reencodePicture(bytes)).toBeUndefined();
  });
});
