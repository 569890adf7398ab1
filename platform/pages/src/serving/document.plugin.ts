/**
 * Release maps, the files of releases and of the site, and the HTML document for every other address. Needs only the release store, so it
 * works while the product's API or database is down.
 */
import {
  type MapSource,
  mapSource,
  type ReleaseMap,
  type RouteContract,
  type Store,
  toPublicMap,
} from '@platform/releases';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentLanguage } from '../metadata/languages';
import type { DescribePage } from '../metadata/page-description';
import type { ServiceWorkerOptions } from '../offline/service-worker-script';
import { documentHeaders, siteFiles } from '../offline/site-files';
import type { PageRendering, RenderFault } from '../rendering';
import type { Site } from '../site/site';
import { readDocumentRequest, wantsDocument } from './document-request';
import { documentResponses } from './document-responses';
import { immutableFiles, styleSheets } from './immutable-files';
import { preparedResponses, prepareResponse, sendPrepared } from './prepared-response';
import { releaseFiles } from './release-files';
import type { GuestAnswers, Person } from './rendered-pages';

export interface DocumentOptions {
  site: Site;
  store: Store;
  serviceWorker?: ServiceWorkerOptions;
  /** The channel whose map the document shows. */
  channel?: string;
  /** What is known of a page besides its route. */
  describePage?: DescribePage;
  /** Of the site, such as 'https://site.example'; '' without one: documents hold no address that a request has named. */
  origin?: string;
  /** Whether search engines may list the pages; by default not. */
  indexed?: boolean;
  /** Beside the site's own: documents may show pictures of these. */
  pictureOrigins?: readonly string[];
  /** Renders public pages; without it documents carry skeletons. */
  rendering?: PageRendering;
  /** The answers that they are rendered with. */
  answers?: GuestAnswers;
  /**
   * Whose browser asks; undefined while that is not known. A signed-in person gets their own pages rendered with their answers, and these are
   * kept nowhere; a guest is asked to sign in there.
   */
  personOf?: (request: FastifyRequest, language: DocumentLanguage) => Promise<Person | 'guest' | undefined>;
  /** Open pages that show a person something of theirs, if only the header; those behind the guard always do. */
  isPersonal?: (route: RouteContract) => boolean;
  /** Receives each document whose page a release could not render. */
  onRenderFault?: (request: FastifyRequest, map: ReleaseMap, fault: RenderFault) => void;
  /** May add headers to the response of each document, also to a 304; its bytes and ETag stay. */
  onDocument?: (request: FastifyRequest, reply: FastifyReply, page: SentPage) => void;
}

/** What a document shows. */
export interface SentPage {
  map: ReleaseMap;
  visitor: number | null;
  route: RouteContract | null;
}

/** Documents and maps in memory. Nothing empties them: each key names all that the bytes depend on, and the least used go first. */
const PREPARED_BYTES = 48 * 1024 * 1024;
const CHANNELS = ['production', 'preview'];

export function documentPlugin(options: DocumentOptions): FastifyPluginAsync {
  const { site, store, channel = 'production', onDocument } = options;
  const givesVisitors = Boolean(options.rendering && options.answers);
  return async (app) => {
    const sources = new Map<string, MapSource>(
      [...new Set([channel, ...CHANNELS])].map((name) => [name, mapSource(store, name)]),
    );
    const prepared = preparedResponses(PREPARED_BYTES);
    const files = immutableFiles(store);
    const responseTo = documentResponses(options, prepared, styleSheets(files), app.log);

    app.get<{ Params: { file: string } }>('/releases/:file', async (request, reply) => {
      const source = sources.get(/^([a-z0-9-]+)\.json$/.exec(request.params.file)?.[1] ?? '');
      if (!source) return reply.callNotFound();
      const map = await source.get();
      const response = await prepared.prepare(`map|${map.channel}|${map.rev}`, () =>
        prepareResponse(JSON.stringify(toPublicMap(map)), 200, {
          ...documentHeaders,
          'content-type': 'application/json; charset=utf-8',
          'cache-control': 'no-cache',
          vary: 'accept-encoding',
        }),
      );
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
      const visit = await readDocumentRequest({ store, live, givesVisitors }, request, reply);
      const response = await responseTo(visit);
      onDocument?.(request, reply, visit);
      return sendPrepared(request, reply, response);
    });
  };
}
