import type { MapSource, RouteContract } from '@platform/releases';
import type { FastifyPluginAsync } from 'fastify';
import { routesOfMap } from '../compose/compose-document';
import { addressIn, DEFAULT_LANGUAGE, type DocumentLanguage, LANGUAGES } from '../metadata/languages';
import { kindOf, type PageReference, pageAddress } from '../metadata/page-metadata';
import { escapeHtml } from '../site/html';
import type { Site } from '../site/site';
import { type PreparedResponse, prepareResponse, sendPrepared } from './prepared-response';

export interface ListedPage extends Omit<PageReference, 'kind'> {
  /** Default: all. */
  languages?: readonly DocumentLanguage[];
  modifiedAt?: Date;
}

/** By the kind in a route's contract: the pages of that kind, which replace the kind's routes. */
export type ListedKinds = Readonly<Record<string, { pages?(): Promise<ListedPage[]> }>>;

interface SearchEnginesOptions {
  site: Pick<Site, 'publicCalls'>;
  source: MapSource;
  /** Origin of PUBLIC_URL, or ''. Without it no address is absolute, and there is no sitemap. */
  origin: string;
  indexed: boolean;
  /** Absent when the pages are unknown; then there is no sitemap. */
  kinds?: ListedKinds;
}

/** Each language has an address, and the protocol allows 50,000 addresses. */
const MOST_PAGES = 25_000;
const FRESH_SECONDS = 600;
const HEADERS = {
  'cache-control': `public, max-age=${FRESH_SECONDS}`,
  'x-content-type-options': 'nosniff',
  vary: 'accept-encoding',
};
const XML = { ...HEADERS, 'content-type': 'application/xml; charset=utf-8' };

export function searchEngines(options: SearchEnginesOptions): FastifyPluginAsync {
  const { site, source, origin, indexed, kinds } = options;
  return async (app) => {
    const routesNow = async () => routesOfMap(await source.get());
    app.get('/robots.txt', async (_request, reply) => {
      const sitemap = indexed && origin && kinds ? `${origin}/sitemap.xml` : null;
      const text = robotsText(site, await routesNow(), sitemap);
      return reply.headers({ ...HEADERS, 'content-type': 'text/plain; charset=utf-8' }).send(text);
    });
    if (!kinds) return;

    const pages = async (): Promise<SitemapPage[]> => {
      const routes = await routesNow();
      const listed = await Promise.all(
        Object.entries(kinds).map(async ([kind, { pages }]) =>
          ((await pages?.()) ?? []).flatMap(({ parameters, query, ...page }) => {
            const path = pageAddress(routes, { kind, parameters, query });
            return path === null ? [] : [{ ...page, path }];
          }),
        ),
      );
      return [...plainRoutes(routes, kinds), ...listed.flat()].slice(0, MOST_PAGES);
    };
    let sitemap: { period: number; response: Promise<PreparedResponse> } | undefined;
    app.get('/sitemap.xml', async (request, reply) => {
      if (!origin) return reply.callNotFound();
      const period = Math.floor(Date.now() / (FRESH_SECONDS * 1000));
      if (sitemap?.period !== period) {
        const response = pages().then((listed) => prepareResponse(sitemapXml(listed, origin), 200, XML));
        response.catch(() => {
          sitemap = undefined;
        });
        sitemap = { period, response };
      }
      return sendPrepared(request, reply, await sitemap.response);
    });
  };
}

const plainRoutes = (routes: readonly RouteContract[], kinds: ListedKinds): RouteContract[] =>
  routes.filter((route) => !route.flags?.requiresLogin && !/[:*]/.test(route.path) && !kindOf(kinds, route)?.pages);

/** /robots.txt allows everything public, and no page behind the guard, no other call and no preview of a release. */
function robotsText(
  { publicCalls }: Pick<Site, 'publicCalls'>,
  routes: readonly RouteContract[],
  sitemap: string | null,
): string {
  const guarded = routes
    .filter(({ flags }) => flags?.requiresLogin)
    .map(({ path }) => path.replace(/:.*$/, ''))
    .sort();
  const shortest = guarded.filter((path) => !guarded.some((candidate) => path.startsWith(`${candidate}/`)));
  return [
    'User-agent: *',
    ...publicCalls.map((path) => `Allow: ${path}`),
    'Disallow: /api/',
    'Disallow: /*?release=',
    'Disallow: /*&release=',
    ...shortest.flatMap((path) => [`Disallow: ${path}$`, `Disallow: ${path}?`, `Disallow: ${path}/`]),
    ...(sitemap ? [`Sitemap: ${sitemap}`] : []),
    '',
  ].join('\n');
}

interface SitemapPage extends Pick<ListedPage, 'languages' | 'modifiedAt'> {
  path: string;
}

const XML_HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const modified = (date: Date | undefined) => (date ? `<lastmod>${date.toISOString()}</lastmod>` : '');

/** By the protocol of sitemaps.org. */
function sitemapXml(pages: readonly SitemapPage[], origin: string): string {
  return `${XML_HEADER}<urlset ${NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${pages
    .map((page) => pageXml(page, origin))
    .join('')}</urlset>\n`;
}

function pageXml({ path, languages = LANGUAGES, modifiedAt }: SitemapPage, origin: string): string {
  const address = (language: DocumentLanguage) => escapeHtml(origin + addressIn(path, language));
  const link = (language: string, href: string) =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`;
  const links = languages.map((language) => link(language, address(language))).join('');
  const defaultLink = languages.includes(DEFAULT_LANGUAGE) ? link('x-default', address(DEFAULT_LANGUAGE)) : '';
  return languages
    .map((language) => `<url><loc>${address(language)}</loc>${modified(modifiedAt)}${links}${defaultLink}</url>\n`)
    .join('');
}
