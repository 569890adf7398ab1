/**
 * Serves release maps, the files of releases and of the site, and the HTML document for every other address. It needs only the
 * release store, so it works while the product's API or database is down.
 */
import { type MapSource, mapSource, type ReleaseMap, toPublicMap } from '@platform/releases';
import type { FastifyPluginAsync } from 'fastify';
import { documentHeaders, siteFiles } from '../offline/site-files';
import { readDocumentRequest, wantsDocument } from './document-request';
import { type DocumentOptions, documentResponses } from './document-responses';
import { immutableFiles, styleSheets } from './immutable-files';
import { type PreparedResponse, prepareResponse, sendPrepared } from './prepared-response';
import { releaseFiles } from './release-files';

const CHANNELS = ['production', 'preview'];

export function documentPlugin(options: DocumentOptions): FastifyPluginAsync {
  const { site, store, channel = 'production', onDocument } = options;
  const assignsVisitors = Boolean(options.rendering && options.answers);
  return async (app) => {
    const sources = new Map<string, MapSource>(
      [...new Set([channel, ...CHANNELS])].map((name) => [name, mapSource(store, name)]),
    );
    const maps = new WeakMap<ReleaseMap, PreparedResponse>();
    const files = immutableFiles(store);
    const responseTo = documentResponses(options, styleSheets(files), app.log);

    app.get<{ Params: { file: string } }>('/releases/:file', async (request, reply) => {
      const source = sources.get(/^([a-z0-9-]+)\.json$/.exec(request.params.file)?.[1] ?? '');
      if (!source) return reply.callNotFound();
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
      const live = await (sources.get(channel) as MapSource).get();
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
