/**
 * Serves release maps, the files of releases and of the site, and the HTML document for every other address. It needs only the
 * release store, so it works while the product's API or database is down.
 */
import {
  contentTypeOf,
  isReleaseFile,
  isReleaseName,
  isReleaseVersion,
  isServerFile,
  mapSource,
  RELEASE_MAP_URL,
  type ReleaseMap,
  toPublicMap,
} from '@platform/releases';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import { documentHeaders, siteFiles } from '../offline/site-files';
import { readDocumentRequest, wantsDocument } from './document-request';
import { type DocumentOptions, documentResponses } from './document-responses';
import { type ImmutableFiles, immutableFiles, styleSheets } from './immutable-files';
import { acceptedEncoding, type PreparedResponse, prepareResponse, sendPrepared } from './prepared-response';

export function documentPlugin(options: DocumentOptions): FastifyPluginAsync {
  const { site, store, onDocument } = options;
  const assignsVisitors = Boolean(options.rendering && options.guestIn);
  return async (app) => {
    const source = mapSource(store);
    const maps = new WeakMap<ReleaseMap, PreparedResponse>();
    const files = immutableFiles(store);
    const responseTo = documentResponses(options, styleSheets(files), app.log);

    app.get(RELEASE_MAP_URL, async (request, reply) => {
      const map = await source.get();
      const prepare = () =>
        prepareResponse(JSON.stringify(toPublicMap(map)), 200, {
          ...documentHeaders,
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
          vary: 'accept-encoding',
        });
      const response = maps.get(map) ?? prepare();
      maps.set(map, response);
      return sendPrepared(request, reply, response);
    });

    releaseFiles(app, files);
    for (const { path, headers, content } of siteFiles(site, options.serviceWorker))
      app.get(path, async (_request, reply) => reply.headers(headers).send(content));

    app.get<{ Querystring: { release?: unknown } }>('/*', async (request, reply) => {
      if (!wantsDocument(request)) return reply.callNotFound();
      const live = await source.get();
      if (!live.microFrontends.shell) {
        return reply
          .code(503)
          .headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', 'retry-after': '5' })
          .send('No shell is live yet. Publish and promote one: npm run release -- promote shell\n');
      }
      const visit = await readDocumentRequest({ store, live, assignsVisitors }, request, reply);
      const response = await responseTo(visit);
      onDocument?.(request, reply, visit);
      return sendPrepared(request, reply, response);
    });
  };
}

function releaseFiles(app: FastifyInstance, files: ImmutableFiles): void {
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
