import { LANGUAGES, pageAddress, robotsText, routesOfMap } from '@platform/pages';
import type { MapSource, RouteContract } from '@platform/releases';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { type ListedPage, type PageKinds, plainRoutes } from './page-kinds';
import { preparedResponses, prepareResponse, sendPrepared } from './prepared-response';
import { type SitemapPage, sitemapIndexXml, sitemapXml } from './sitemap';

export interface SearchEnginesOptions {
  source: MapSource;
  /** Of PUBLIC_URL; '' without one: then no address is absolute, and there is no sitemap. */
  origin: string;
  indexed: boolean;
  /** Absent without a database; then there is no sitemap. */
  kinds?: PageKinds;
  pagesInList?: number;
}

/** An address for each language: 10,000 addresses and 5 MB, of the 50,000 and 50 MB that the protocol allows. */
const PAGES_IN_LIST = 5_000;
const PREPARED_BYTES = 16 * 1024 * 1024;
/** How old robots.txt and sitemap may be. */
const FRESH_SECONDS = 600;
const HEADERS = {
  'cache-control': `public, max-age=${FRESH_SECONDS}`,
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
};
const XML = { ...HEADERS, 'content-type': 'application/xml; charset=utf-8' };

/** /robots.txt and /sitemap.xml. */
export function searchEngines(options: SearchEnginesOptions): FastifyPluginAsync {
  const { source, origin, indexed, kinds, pagesInList: size = PAGES_IN_LIST } = options;
  return async (app) => {
    const routesNow = async () => routesOfMap(await source.get());
    app.get('/robots.txt', async (_request, reply) => {
      const sitemap = indexed && origin && kinds ? `${origin}/sitemap.xml` : null;
      const text = robotsText(await routesNow(), sitemap);
      return reply.headers({ ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).send(text);
    });
    if (!kinds) return;

    const prepared = preparedResponses(PREPARED_BYTES);
    type Write = () => Promise<string | null>;
    const send = async (request: FastifyRequest, reply: FastifyReply, name: string, write: Write) => {
      const period = Math.floor(Date.now() / (FRESH_SECONDS * 1000));
      const response = await prepared(`${name}|${period}`, async () => {
        const text = origin ? await write() : null;
        return prepareResponse(text ?? '', text === null ? 404 : 200, text === null ? {} : XML);
      });
      return response.status === 404 ? reply.callNotFound() : sendPrepared(request, reply, response);
    };

    const numbered = Object.entries(kinds).flatMap(([kind, { numberedPages }]) =>
      numberedPages ? [{ kind, numberedPages }] : [],
    );
    const fewPages = async (): Promise<SitemapPage[]> => {
      const routes = await routesNow();
      const plain = plainRoutes(routes, kinds).map(({ path }) => ({ path, languages: LANGUAGES }));
      const listed = await Promise.all(
        Object.entries(kinds).map(async ([kind, { pages }]) => inSitemap(routes, kind, (await pages?.()) ?? [])),
      );
      return [...plain, ...listed.flat()];
    };
    app.get('/sitemap.xml', (request, reply) =>
      send(request, reply, 'index', async () => {
        const lists = await Promise.all(
          numbered.map(async (one) => ({ ...one, ranges: await one.numberedPages.lists(size) })),
        );
        const most = lists.flatMap(({ ranges }) => ranges).reduce((sum, { pages }) => sum + pages, 0);
        if (most > size) {
          const addresses = lists.flatMap(({ kind, ranges }) =>
            ranges.map(({ first, modifiedAt }) => ({ path: `/sitemap-${kind}-${first}.xml`, modifiedAt })),
          );
          return sitemapIndexXml([{ path: '/sitemap-pages.xml' }, ...addresses], origin);
        }
        const routes = await routesNow();
        const all = lists.flatMap(({ kind, numberedPages, ranges }) =>
          ranges.map(async ({ first }) => inSitemap(routes, kind, await numberedPages.pages(first, size))),
        );
        return sitemapXml([...(await fewPages()), ...(await Promise.all(all)).flat()], origin);
      }),
    );
    app.get<{ Params: { list: string } }>('/sitemap-:list.xml', (request, reply) => {
      const { list } = request.params;
      if (list === 'pages') return send(request, reply, list, async () => sitemapXml(await fewPages(), origin));
      const [, kind, number] = /^(.+)-(\d{1,15})$/.exec(list) ?? [];
      const found = numbered.find((one) => one.kind === kind);
      const first = Number(number);
      if (!found || first % size !== 1 % size) return reply.callNotFound();
      return send(request, reply, list, async () => {
        const pages = inSitemap(await routesNow(), found.kind, await found.numberedPages.pages(first, size));
        return pages.length > 0 ? sitemapXml(pages, origin) : null;
      });
    });
  };
}

/** Those that a route shows. */
const inSitemap = (routes: readonly RouteContract[], kind: string, pages: readonly ListedPage[]): SitemapPage[] =>
  pages.flatMap(({ parameters, query, languages = LANGUAGES, modifiedAt }) => {
    const path = pageAddress(routes, { kind, parameters, query });
    return path === null ? [] : [{ path, languages, modifiedAt }];
  });
