import { contentTypeOf, isReleaseFile, isReleaseName, isReleaseVersion, isServerFile } from '@platform/releases';
import type { FastifyInstance } from 'fastify';
import type { ImmutableFiles } from './immutable-files';
import { acceptedEncoding } from './prepared-response';

export function releaseFiles(app: FastifyInstance, files: ImmutableFiles): void {
  app.get<{ Params: { name: string; version: string; '*': string } }>('/r/:name/:version/*', async (request, reply) => {
    const { name, version, '*': file } = request.params;
    const isForBrowsers = isReleaseFile(file) && !isServerFile(file);
    if (!isReleaseName(name) || !isReleaseVersion(version) || !isForBrowsers) return reply.callNotFound();
    const match = await files.read(name, version, file, acceptedEncoding(request));
    if (!match) return reply.header('cache-control', 'no-store').callNotFound();
    const etag = `"${version}-${match.encoding}"`;
    reply.headers({
      'content-type': contentTypeOf(file),
      'cache-control': 'public, max-age=31536000, immutable, no-transform',
      'x-content-type-options': 'nosniff',
      // The code is public, and a CDN may serve it from another origin.
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      vary: 'accept-encoding',
      etag,
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    if (match.encoding !== 'identity') reply.header('content-encoding', match.encoding);
    return reply.send(match.content);
  });
}
