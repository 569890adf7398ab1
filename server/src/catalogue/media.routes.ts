import fs from 'node:fs/promises';
import path from 'node:path';
import type { DomainRoutes } from '../context';
import { readPicture } from './goods-picture';

const types: Record<string, string> = {
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.svg': 'image/svg+xml',
};

/** The catalogue's pictures, those of the seed and those imported; their names carry a hash of the content. */
export const mediaRoutes: DomainRoutes = async (app, { context: { providers } }) => {
  const folder = path.join(__dirname, '../../seed/media');
  app.get('/media/:file', async (request, reply) => {
    const { file } = request.params as { file: string };
    const type = types[path.extname(file)];
    if (!type || !/^[\w.-]+$/.test(file)) return reply.callNotFound();
    const bytes =
      (await fs.readFile(path.join(folder, file)).catch(() => undefined)) ??
      (await readPicture(providers.pictures, file));
    if (!bytes) return reply.callNotFound();
    return reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(bytes);
  });
};
