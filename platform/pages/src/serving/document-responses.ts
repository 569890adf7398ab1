import { isDeepStrictEqual } from 'node:util';
import { type ReleaseMap, type RouteContract, type Store, selectEntry } from '@platform/releases';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { composeDocument, routeOfAddress } from '../compose/compose-document';
import type { DocumentPage } from '../compose/page-elements';
import type { DocumentLanguage } from '../metadata/languages';
import { type DescribePage, HOME, NOTHING_KNOWN, type PageDescription } from '../metadata/page-metadata';
import { documentHeaders, type ServiceWorkerOptions } from '../offline/site-files';
import type { PageRendering, RenderFault } from '../rendering';
import { withinTime } from '../rendering/within-time';
import type { Site } from '../site/site';
import { type DocumentRequest, hasCanary } from './document-request';
import type { styleSheets } from './immutable-files';
import { type PreparedResponse, prepareResponse } from './prepared-response';
import {
  type Guest,
  loadAnswers,
  type PageRequest,
  type PageSource,
  renderPage,
  shownPath,
  type User,
} from './rendered-pages';

export interface DocumentOptions {
  site: Site;
  store: Store;
  serviceWorker?: ServiceWorkerOptions;
  describePage?: DescribePage;
  /** The site's origin, such as 'https://site.example'; '' without one. Documents never use an origin from a request. */
  origin?: string;
  indexed?: boolean;
  pictureOrigins?: readonly string[];
  rendering?: PageRendering;
  guestIn?: (language: DocumentLanguage) => Guest;
  /**
   * Resolves to the user of the browser, or undefined while that is unknown. A signed-in user gets personal pages rendered with
   * their answers, which are never cached; a guest is asked to sign in there.
   */
  userOf?: (request: FastifyRequest, language: DocumentLanguage) => Promise<User | 'guest' | undefined>;
  onRenderFault?: (request: FastifyRequest, map: ReleaseMap, fault: RenderFault) => void;
  /** May add headers to the response of each document, also to a 304; its bytes and ETag stay the same. */
  onDocument?: (request: FastifyRequest, reply: FastifyReply, page: SentPage) => void;
}

export type SentPage = Pick<DocumentRequest, 'map' | 'visitor' | 'route'>;

/** The page that a document shows: that of its address, or the one where guests are asked to sign in. */
interface ShownPage extends DocumentRequest, PageRequest {
  address: string;
  description: PageDescription;
}

/**
 * The public document of an address in one language and theme. Entries need no invalidation: an entry is used while the map, the
 * description and the tags of all answers are the same, and is replaced otherwise.
 */
interface CachedDocument {
  map: ReleaseMap;
  description: PageDescription;
  /** Resolves to undefined when the page could not be rendered. Concurrent requests wait for the same one. */
  response: Promise<PreparedResponse | undefined>;
  /** The source of its page; until it is rendered, with the answers of its first calls only. A skeleton has none. */
  source?: PageSource;
  bytes: number;
}

const MAX_DOCUMENTS = 5_000;
const MAX_BYTES = 48 * 1024 * 1024;
/** No link is longer. Pages with longer paths are not rendered. */
const MAX_PATH_LENGTH = 300;
/** An open page that is not rendered for the user within this time is sent in its public form. */
const OPEN_PAGE_MS = 1_000;

export function documentResponses(
  options: DocumentOptions,
  sheetsAt: ReturnType<typeof styleSheets>,
  log: { error(context: object, message: string): void },
) {
  const { site, rendering, guestIn, userOf, origin = '', indexed = false, pictureOrigins } = options;
  const { describePage = async () => NOTHING_KNOWN } = options;
  const { calls } = site.boot;
  const cache = new LRUCache<string, CachedDocument>({
    max: MAX_DOCUMENTS,
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const logFailure = (error: unknown): undefined => {
    log.error({ err: error }, 'a page could not be rendered');
  };

  async function pageAt(visit: DocumentRequest, address: string, asksToSignIn = false): Promise<ShownPage> {
    const { request, map, visitor, language } = visit;
    const route = asksToSignIn ? routeOfAddress(map, address, visitor) : visit.route;
    const description = await describePage({ route, address, language });
    const onFault: PageRequest['onFault'] = (fault) => options.onRenderFault?.(request, map, fault);
    return { ...visit, route, address, path: shownPath(route, address), description, asksToSignIn, onFault };
  }

  /** Prepares a skeleton if there is no page. */
  async function prepare(shown: ShownPage, page?: DocumentPage): Promise<PreparedResponse> {
    const { map, address, description, asksToSignIn, visitor, language, theme, refusedPreview } = shown;
    const { status, sheets, write } = composeDocument(map, {
      site,
      origin,
      pictureOrigins,
      path: address,
      // Search engines must not list the page at an address where guests are asked to sign in.
      description: asksToSignIn ? { ...description, noindex: true, page: null } : description,
      visitor,
      language,
      dark: theme === 'dark',
      refusedPreview,
    });
    const { html, headers } = write(page && { ...page, sheets: await sheetsAt(sheets) });
    return prepareResponse(html, status, {
      ...documentHeaders,
      ...headers,
      'cache-control': cacheControl(shown, status, page),
      ...((shown.isPreview || !indexed) && { 'x-robots-tag': 'noindex' }),
      ...(status === 503 && { 'retry-after': '5' }),
      vary: 'accept-encoding, cookie',
    });
  }

  /** The entry for the releases of this map. Previews have none. */
  function cachedAt(key: string, { map, isPreview }: ShownPage): CachedDocument | undefined {
    const entry = isPreview ? undefined : cache.get(key);
    return entry?.map === map ? entry : undefined;
  }

  /** Resolves to undefined when the page cannot be rendered now. */
  async function renderedResponse(shown: ShownPage): Promise<PreparedResponse | undefined> {
    if (!rendering || !guestIn || isGuarded(shown) || shown.path.length > MAX_PATH_LENGTH) return undefined;
    const { map, description, isPreview } = shown;
    const guest = guestIn(shown.language);
    const key = cacheKeyOf(shown);
    const before = cachedAt(key, shown);
    const isCurrent = ({ tags }: PageSource) => tags.every(([address, tag]) => guest.tagOf(address) === tag);
    if (before?.source && before.description === description && isCurrent(before.source)) return before.response;
    const loaded = await loadAnswers(shown, guest, [calls.public], before?.source?.calls).catch(logFailure);
    if (!loaded) return undefined;
    const latest = cachedAt(key, shown);
    if (latest?.source && isSameDescription(latest, description) && isDeepStrictEqual(latest.source.tags, loaded.tags))
      return latest.response;

    const work = (async () => {
      const rendered = await renderPage(rendering, shown, guest, loaded);
      return rendered && { source: rendered.source, response: await prepare(shown, rendered.page) };
    })().catch(logFailure);
    const response = work.then((rendered) => rendered?.response);
    const entry: CachedDocument = { map, description, response, source: loaded, bytes: 1 };
    if (!isPreview) cache.set(key, entry);
    const rendered = await work;
    if (cache.peek(key) === entry) {
      if (rendered) cache.set(key, { ...entry, source: rendered.source, bytes: bytesOf(rendered.response) });
      else cache.delete(key);
    }
    return response;
  }

  async function skeletonResponse(shown: ShownPage): Promise<PreparedResponse> {
    const { map, description, isPreview } = shown;
    const key = `skeleton|${cacheKeyOf(shown)}`;
    const cached = cachedAt(key, shown);
    const known = cached && isSameDescription(cached, description) && (await cached.response);
    if (known) return known;
    const response = await prepare(shown);
    const entry = { map, description, response: Promise.resolve(response), bytes: bytesOf(response) };
    if (!isPreview) cache.set(key, entry);
    return response;
  }

  /** Resolves to undefined when the page is not rendered for the user now. The response is never cached. */
  async function personalResponse(shown: ShownPage, user: User): Promise<PreparedResponse | undefined> {
    if (!rendering || !shown.route || !namesAllParameters(shown.route, shown.address)) return undefined;
    const work = loadAnswers(shown, user, [calls.public, calls.user])
      .then((loaded) => loaded && renderPage(rendering, shown, user, loaded))
      .catch(logFailure);
    const rendered = await (isGuarded(shown) ? work : withinTime(work, OPEN_PAGE_MS));
    return rendered && prepare(shown, rendered.page);
  }

  return async function responseTo(visit: DocumentRequest): Promise<PreparedResponse> {
    const { request, language, route } = visit;
    // The header of the layout shows the user.
    const showsUserData = rendering && route && (isGuarded(visit) || route.flags?.layout !== false);
    const user = showsUserData ? await userOf?.(request, language) : undefined;
    const shown = await pageAt(visit, request.url);
    let response: PreparedResponse | undefined;
    // The shell redirects a guest to the home page.
    if (user === 'guest' && isGuarded(visit)) response = await renderedResponse(await pageAt(visit, HOME, true));
    else if (typeof user === 'object') response = await personalResponse(shown, user);
    return response ?? (await renderedResponse(shown)) ?? skeletonResponse(shown);
  };
}

const isGuarded = ({ route }: Pick<DocumentRequest, 'route'>): boolean => route?.flags?.requiresLogin === true;

/** The shop may have read the same description again; its object is compared first at the next request. */
function isSameDescription(cached: CachedDocument, description: PageDescription): boolean {
  if (!isDeepStrictEqual(cached.description, description)) return false;
  cached.description = description;
  return true;
}

/** The skeletons of a route differ only by their description. */
function cacheKeyOf({ map, visitor, language, theme, route, path, asksToSignIn }: ShownPage): string {
  const place = isGuarded({ route }) || path.length > MAX_PATH_LENGTH ? route?.path : path;
  return [releasesOf(map, visitor), language, theme, asksToSignIn, place].join('|');
}

/** Compressed, a text has at most half its bytes in both encodings together. */
const bytesOf = ({ headers, body }: PreparedResponse): number =>
  Math.ceil(1.5 * body.length) + JSON.stringify(headers).length + 1000;

/** The versions that this visitor gets; '' when all visitors get the same. */
const releasesOf = (map: ReleaseMap, visitor: number | null): string =>
  hasCanary(map)
    ? Object.values(map.microFrontends)
        .map((entries) => selectEntry(entries, visitor)?.metadata.version)
        .join()
    : '';

const DOCUMENT_PARAMETERS = ['release', 'lang', 'theme'];

/** Whether the route names every parameter of the address: another parameter may change the first state of the page. */
function namesAllParameters({ query = [] }: RouteContract, address: string): boolean {
  const parameters = new URLSearchParams((address.split('#')[0] as string).split('?')[1]);
  return [...parameters.keys()].every((name) => query.includes(name) || DOCUMENT_PARAMETERS.includes(name));
}

/**
 * A shared cache must revalidate each document, and may send a public one for a day while no server responds. It must not change
 * one: the policy refuses other scripts.
 */
function cacheControl(shown: ShownPage, status: number, page?: DocumentPage): string {
  const { map, visitor, isPreview, asksToSignIn } = shown;
  if (isPreview) return 'no-store, no-transform';
  if (page?.user) return 'private, no-store, no-transform';
  const isForAll = !asksToSignIn && !isGuarded(shown) && releasesOf(map, visitor) === releasesOf(map, null);
  return status === 200 && isForAll
    ? 'public, max-age=0, stale-if-error=86400, no-transform'
    : 'no-cache, no-transform';
}
