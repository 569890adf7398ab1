import fs from 'node:fs/promises';
import path from 'node:path';
import { contentTypeOf } from '@platform/releases';
import type { DomainRoutes } from '../context';
import { avifBeside, readPicture } from './goods-picture';

const PICTURE = /^[\w.-]+\.(webp|avif|png|jpg|svg)$/;

/** AVIF must be named, and not with `q=0`: clients that send only a wildcard, such as crawlers, get WebP. */
const acceptsAvif = (accept = '') => /(^|,)\s*image\/avif\s*(?!;\s*q=0(\.0*)?\s*(,|$))(;|,|$)/i.test(accept);

/**
 * Pictures of the catalogue, from the seed and imported; their names contain a hash of the content. At the address of a WebP,
 * clients that accept AVIF get the AVIF if there is one.
 */
export const mediaRoutes: DomainRoutes = async (app, { context: { providers } }) => {
  const folder = path.join(__dirname, '../../seed/media');
  const ofSeed = (name: string) => fs.readFile(path.join(folder, name)).catch(() => undefined);
  const byTitle = new Map((await fs.readdir(folder)).map((name) => [withoutHash(name), name]));
  const ofStore = (name: string) => readPicture(providers.pictures, name);
  app.get('/media/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    if (!PICTURE.test(file)) return reply.callNotFound();
    const isWebp = path.extname(file) === '.webp';
    if (isWebp) reply.header('vary', 'Accept');
    const files = isWebp && acceptsAvif(request.headers.accept) ? [avifBeside(file), file] : [file];
    for (const read of [ofSeed, ofStore]) {
      for (const name of files) {
        const bytes = await read(name);
        if (!bytes) continue;
        reply.header('cache-control', 'public, max-age=31536000, immutable').type(contentTypeOf(name));
        return reply.send(bytes);
      }
    }
    // A database keeps the name that a demo picture had when it was seeded.
    const renamed = byTitle.get(withoutHash(file));
    if (!renamed) return reply.callNotFound();
    return reply.header('cache-control', 'public, max-age=300').redirect(`/media/${renamed}`, 302);
  });
};

/** `goods-psn-us.8ebc0a47b7.webp` becomes `goods-psn-us.webp`. */
function withoutHash(name: string): string {
  return name.replace(/\.[0-9a-f]{10}(?=\.\w+$)/, '');
}
