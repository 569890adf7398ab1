import { robotsText, routesOfMap } from '@platform/pages';
import type { MapSource } from '@platform/releases';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { preparedResponses, prepareResponse, sendPrepared } from '../document/prepared-response';
import type { Sql } from '../platform/db/sql';
import {
  PRODUCTS_IN_LIST,
  plainPages,
  productPages,
  productRanges,
  type SitemapPage,
  sitemapIndexXml,
  sitemapXml,
} from './sitemap';

export interface SearchEnginesOptions {
  source: MapSource;
  /** Of PUBLIC_URL; '' without one: then no address is absolute, and there is no sitemap. */
  origin: string;
  indexed: boolean;
  /** Absent without a database; then there is no sitemap. */
  sql?: Sql;
  productsInList?: number;
}

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
  const { source, origin, indexed, sql, productsInList: size = PRODUCTS_IN_LIST } = options;
  return async (app) => {
    app.get('/robots.txt', async (_request, reply) => {
      const sitemap = indexed && origin && sql ? `${origin}/sitemap.xml` : null;
      const text = robotsText(routesOfMap(await source.get()), sitemap);
      return reply.headers({ ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).send(text);
    });
    if (!sql) return;

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

    const pagesOfRoutes = async (): Promise<SitemapPage[]> => {
      const open = routesOfMap(await source.get()).filter(({ flags }) => !flags?.requiresLogin);
      return plainPages(
        sql,
        open.map(({ path }) => path),
      );
    };
    app.get('/sitemap.xml', (request, reply) =>
      send(request, reply, 'index', async () => {
        const ranges = await productRanges(sql, size);
        const products = ranges.reduce((sum, range) => sum + range.products, 0);
        if (products <= size) {
          const all = await productPages(sql, 1, (ranges.at(-1)?.first ?? 1) + size);
          return sitemapXml([...(await pagesOfRoutes()), ...all], origin);
        }
        const lists = ranges.map(({ first, modifiedAt }) => ({ path: `/sitemap-${first}.xml`, modifiedAt }));
        return sitemapIndexXml([{ path: '/sitemap-pages.xml' }, ...lists], origin);
      }),
    );
    app.get<{ Params: { list: string } }>('/sitemap-:list.xml', (request, reply) => {
      const { list } = request.params;
      if (list === 'pages') {
        return send(request, reply, list, async () => sitemapXml(await pagesOfRoutes(), origin));
      }
      const first = /^\d{1,15}$/.test(list) ? Number(list) : 0;
      if (first % size !== 1 % size) return reply.callNotFound();
      return send(request, reply, String(first), async () => {
        const pages = await productPages(sql, first, size);
        return pages.length > 0 ? sitemapXml(pages, origin) : null;
      });
    });
  };
}
