import { type ReleaseMap, type RouteContract, type Store, selectEntry } from '@platform/releases';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { composeDocument, routeOfAddress } from '../compose/compose-document';
import type { DocumentPage } from '../compose/page-elements';
import type { DocumentLanguage } from '../metadata/languages';
import { type DescribePage, NOTHING_KNOWN, type PageDescription, unlisted } from '../metadata/page-description';
import { HOME } from '../metadata/page-metadata';
import type { ServiceWorkerOptions } from '../offline/service-worker-script';
import { documentHeaders } from '../offline/site-files';
import type { PageRendering, RenderFault } from '../rendering';
import { withinTime } from '../rendering/within-time';
import type { Site } from '../site/site';
import { type DocumentRequest, hasCanary } from './document-request';
import type { styleSheets } from './immutable-files';
import { type PreparedResponse, type PreparedResponses, prepareResponse } from './prepared-response';
import {
  type GuestAnswers,
  type PageRequest,
  type PageSource,
  publicPages,
  renderPersonalPage,
  shownPath,
  type User,
} from './rendered-pages';

export interface DocumentOptions {
  site: Site;
  store: Store;
  serviceWorker?: ServiceWorkerOptions;
  channel?: string;
  describePage?: DescribePage;
  /** The site's origin, such as 'https://site.example'; '' without one. Documents never use an origin from a request. */
  origin?: string;
  indexed?: boolean;
  pictureOrigins?: readonly string[];
  rendering?: PageRendering;
  answers?: GuestAnswers;
  /**
   * Resolves to the user of the browser, or undefined while that is unknown. A signed-in user gets personal pages rendered with
   * their answers, which are never cached; a guest is asked to sign in there.
   */
  userOf?: (request: FastifyRequest, language: DocumentLanguage) => Promise<User | 'guest' | undefined>;
  /** Whether an open page shows data of the user, if only in the header. Pages behind the guard always do. */
  isPersonal?: (route: RouteContract) => boolean;
  onRenderFault?: (request: FastifyRequest, map: ReleaseMap, fault: RenderFault) => void;
  /** May add headers to the response of each document, also to a 304; its bytes and ETag stay the same. */
  onDocument?: (request: FastifyRequest, reply: FastifyReply, page: SentPage) => void;
}

export type SentPage = Pick<DocumentRequest, 'map' | 'visitor' | 'route'>;

/** The page that a document shows: that of its address, or the one where guests are asked to sign in. */
interface DescribedPage {
  route: RouteContract | null;
  address: string;
  path: string;
  description: PageDescription;
  asksToSignIn: boolean;
}

/**
 * The public document of an address in one language and theme. Entries need no invalidation: an entry is used while the map and
 * the description are the same objects and every answer has the same tag, and is replaced otherwise.
 */
interface CachedDocument {
  map: ReleaseMap;
  description: PageDescription;
  key: string;
  /** The source of its page; undefined for a skeleton, which depends on no answer. */
  source?: PageSource;
}

const MAX_DOCUMENTS = 5_000;
/** No link is longer. Pages with longer paths are neither rendered nor cached. */
const MAX_PATH_LENGTH = 300;
/** An open page that is not rendered for the user within this time is sent in its public form. */
const OPEN_PAGE_MS = 1_000;

export function documentResponses(
  options: DocumentOptions,
  prepared: PreparedResponses,
  sheetsAt: ReturnType<typeof styleSheets>,
  log: { error(context: object, message: string): void },
) {
  const { site, rendering, answers, userOf, isPersonal, origin = '', indexed = false, pictureOrigins } = options;
  const { describePage = async () => NOTHING_KNOWN } = options;
  const cache = new LRUCache<string, CachedDocument>({ max: MAX_DOCUMENTS });
  const pages = rendering && answers && publicPages(rendering, answers);
  const logFailure = (error: unknown): undefined => {
    log.error({ err: error }, 'a page could not be rendered');
  };

  async function describedPage(
    { language }: { language: DocumentLanguage },
    route: RouteContract | null,
    address: string,
    asksToSignIn = false,
  ): Promise<DescribedPage> {
    const description = await describePage({ route, address, language });
    return {
      route,
      address,
      path: shownPath(route, address),
      description: asksToSignIn ? unlisted(description) : description,
      asksToSignIn,
    };
  }

  function compose(visit: DocumentRequest, described: DescribedPage, page?: DocumentPage) {
    const { map, visitor, language, theme, refusedPreview, isPreview } = visit;
    const { address, description } = described;
    const document = composeDocument(map, {
      site,
      origin,
      pictureOrigins,
      path: address,
      description,
      page,
      visitor,
      language,
      dark: theme === 'dark',
      refusedPreview,
    });
    const prepare = () =>
      prepareResponse(document.html, document.status, {
        ...documentHeaders,
        ...document.headers,
        'cache-control': cacheControl({
          isPreview,
          isPersonal: Boolean(page?.user),
          isPublic:
            document.status === 200 &&
            !described.asksToSignIn &&
            !described.route?.flags?.requiresLogin &&
            releasesOf(map, visitor) === releasesOf(map, null),
        }),
        ...((isPreview || !indexed) && { 'x-robots-tag': 'noindex' }),
        ...(document.status === 503 && { 'retry-after': '5' }),
        vary: 'accept-encoding, cookie',
      });
    return { key: `${document.key}|${document.status}`, prepare, sheets: document.sheets };
  }

  function pageRequest(visit: DocumentRequest, { route, path, asksToSignIn }: DescribedPage): PageRequest {
    const { request, map, visitor, language, theme } = visit;
    const onFault: PageRequest['onFault'] = (fault) => options.onRenderFault?.(request, map, fault);
    return { map, visitor, route, path, asksToSignIn, language, theme, onFault };
  }

  /** Returns the public document. `otherwise` replaces it when the page cannot be rendered now; the default is the skeleton. */
  async function publicResponse(
    visit: DocumentRequest,
    described: DescribedPage,
    otherwise?: () => Promise<PreparedResponse>,
  ): Promise<PreparedResponse> {
    const { map, language } = visit;
    const { route, path, description } = described;
    const isGuarded = route?.flags?.requiresLogin === true;
    const cacheKey = cacheKeyOf(visit, described);
    const cached = cacheKey === undefined ? undefined : cache.get(cacheKey);
    const before = cached?.map === map ? cached : undefined;
    const isCurrent = !before?.source || pages?.isCurrent(before.source, language);
    if (before?.description === description && isCurrent) {
      const response = prepared.get(before.key);
      if (response) return response;
    }
    const remember = (key: string, source?: PageSource) => {
      if (cacheKey !== undefined) cache.set(cacheKey, { map, description, key, source });
      return key;
    };

    const skeleton = compose(visit, described);
    const isRendered = pages && !isGuarded && path.length <= MAX_PATH_LENGTH;
    const loaded = isRendered
      ? await pages.load(pageRequest(visit, described), skeleton.key, before?.source?.calls).catch(logFailure)
      : undefined;
    const response = loaded && prepared.get(`${skeleton.key}|${loaded.key}`);
    if (response) {
      const { key, calls, tags } = loaded;
      remember(`${skeleton.key}|${key}`, { key, calls, tags });
      return response;
    }
    const rendered = loaded && (await pages?.render(loaded).catch(logFailure));
    if (rendered) {
      const { page, ...source } = rendered;
      const document = compose(visit, described, { ...page, sheets: await sheetsAt(skeleton.sheets) });
      return prepared.prepare(remember(`${skeleton.key}|${source.key}`, source), document.prepare);
    }
    if (otherwise) return otherwise();
    if (!isRendered) remember(skeleton.key);
    return prepared.prepare(skeleton.key, skeleton.prepare);
  }

  /** Resolves to undefined when the page is not rendered for the user now. The response is never cached. */
  async function personalResponse(
    visit: DocumentRequest,
    described: DescribedPage,
    user: User,
  ): Promise<PreparedResponse | undefined> {
    if (!rendering || !described.route || !namesAllParameters(described.route, described.address)) return undefined;
    const rendered = renderPersonalPage(rendering, pageRequest(visit, described), user).catch(logFailure);
    const isGuarded = described.route.flags?.requiresLogin === true;
    const page = await (isGuarded ? rendered : withinTime(rendered, OPEN_PAGE_MS));
    if (!page) return undefined;
    const { sheets } = compose(visit, described);
    return compose(visit, described, { ...page, sheets: await sheetsAt(sheets) }).prepare();
  }

  return async function responseTo(visit: DocumentRequest): Promise<PreparedResponse> {
    const { request, map, visitor, language, route } = visit;
    const isGuarded = route?.flags?.requiresLogin === true;
    const showsUserData = rendering && route && (isGuarded || isPersonal?.(route));
    const user = showsUserData ? await userOf?.(request, language) : undefined;
    const described = await describedPage(visit, route, request.url);
    if (user === 'guest' && isGuarded) {
      // The shell redirects a guest to this page.
      const home = await describedPage(visit, routeOfAddress(map, HOME, visitor), HOME, true);
      return publicResponse(visit, home, () => publicResponse(visit, described));
    }
    const personal = typeof user === 'object' && (await personalResponse(visit, described, user));
    return personal || publicResponse(visit, described);
  };
}

function cacheKeyOf({ map, visitor, language, theme, isPreview }: DocumentRequest, page: DescribedPage) {
  const { route, path, asksToSignIn } = page;
  if (isPreview || path.length > MAX_PATH_LENGTH) return undefined;
  const place = route?.flags?.requiresLogin ? route.path : path;
  return [releasesOf(map, visitor), language, theme, asksToSignIn, place].join('|');
}

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
function cacheControl(document: { isPreview: boolean; isPersonal: boolean; isPublic: boolean }): string {
  if (document.isPreview) return 'no-store, no-transform';
  if (document.isPersonal) return 'private, no-store, no-transform';
  return document.isPublic ? 'public, max-age=0, stale-if-error=86400, no-transform' : 'no-cache, no-transform';
}
