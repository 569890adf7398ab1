import { randomBytes } from 'node:crypto';
import { fastify } from 'fastify';
import sharp from 'sharp';
import media from '../../seed/media/manifest.json';
import type { AppContext } from '../context';
import type { PictureStore } from '../providers/providers';
import { type CataloguePicture, cropPicture, storePicture } from './goods-picture';
import { mediaRoutes } from './media.routes';

const stored = new Map<string, Buffer>();
const pictures: PictureStore = {
  put: async (name, bytes) => void stored.set(name, bytes),
  get: async (name) => stored.get(name),
  remove: async (name) => void stored.delete(name),
};
const app = fastify();
app.register((scope) => mediaRoutes(scope as never, { context: { providers: { pictures } } as AppContext } as never));
afterAll(() => app.close());

const chrome = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
async function load(url: string, accept?: string) {
  const { statusCode, headers, rawPayload } = await app.inject({ url, headers: accept ? { accept } : {} });
  const { 'content-type': type, 'cache-control': cache, vary } = headers;
  return { statusCode, type, cache, vary, bytes: rawPayload };
}
const isAvif = (bytes: Buffer) => bytes.subarray(4, 12).toString('latin1') === 'ftypavif';

describe('catalogue pictures', () => {
  const cover = `/media/${media['goods/genshin-card'].file}`;

  it('a demo picture is WebP for every browser, and never changes', async () => {
    const { cache, bytes, ...answer } = await load(cover, chrome);
    expect(answer).toEqual({ statusCode: 200, type: 'image/webp', vary: 'Accept' });
    expect(cache).toContain('immutable');
    expect(bytes).toHaveLength(media['goods/genshin-card'].bytes);
  });

  it('an uploaded picture is served as AVIF at the address of the WebP to clients that name AVIF only', async () => {
    stored.set('catalogue/both.webp', Buffer.from('webp')).set('catalogue/both.avif', Buffer.from('avif'));
    for (const accept of [chrome, 'IMAGE/AVIF', 'text/html, image/avif ;q=0.5']) {
      const { cache, ...answer } = await load('/media/both.webp', accept);
      expect(answer).toEqual({ statusCode: 200, type: 'image/avif', vary: 'Accept', bytes: Buffer.from('avif') });
      expect(cache).toContain('immutable');
    }
    const others = ['*/*', 'image/*', 'image/webp,*/*', 'image/avif;q=0, */*', 'image/avif; q=0.00', 'image/avifs'];
    for (const accept of [undefined, ...others])
      expect([accept, await load('/media/both.webp', accept)]).toMatchObject([
        accept,
        { statusCode: 200, type: 'image/webp', vary: 'Accept' },
      ]);
  });

  it('a demo picture is found under the name that it had when the database was seeded', async () => {
    const { statusCode, headers } = await app.inject({ url: '/media/goods-genshin-card.0123456789.webp' });
    expect({ statusCode, location: headers.location }).toEqual({ statusCode: 302, location: cover });
    expect(headers['cache-control']).not.toContain('immutable');
    expect(await load('/media/goods-no-such-card.0123456789.webp')).toMatchObject({ statusCode: 404 });
  });

  it('a picture of staff is stored in both formats, and as WebP alone if AVIF is no smaller', async () => {
    const noise = { raw: { width: 90, height: 60, channels: 3 } } as const;
    const photo = await sharp(randomBytes(90 * 60 * 3), noise)
      .resize(320, 320)
      .jpeg()
      .toBuffer();
    const picture = (await cropPicture(photo, 'goods', [0.5, 0.5])) as CataloguePicture;
    expect(await sharp(picture.webp).metadata()).toMatchObject({ format: 'webp', width: 320, height: 320 });
    expect(isAvif(picture.avif)).toBe(true);
    expect(picture.avif.length).toBeLessThan(picture.webp.length);
    const url = await storePicture(pictures, picture);
    expect(await load(url)).toMatchObject({ statusCode: 200, type: 'image/webp', bytes: picture.webp });
    expect(await load(url, chrome)).toMatchObject({ statusCode: 200, type: 'image/avif', bytes: picture.avif });
    const other = await storePicture(pictures, { ...picture, avif: Buffer.concat([picture.avif, picture.webp]) });
    expect(other).not.toBe(url);
    expect(await load(other, chrome)).toMatchObject({ statusCode: 200, type: 'image/webp', bytes: picture.webp });
    expect((await load('/media/none.webp', chrome)).statusCode).toBe(404);
  });
});
