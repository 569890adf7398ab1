/**
 * Release maps, the files of releases and of the site, and the HTML document for every other address. Needs only the release store, so it
 * works while the product's API or database is down.
 */
import {
  canaryEntry,
  type MapSource,
  mapSource,
  type ReleaseMap,
  type RouteContract,
  type Store,
  selectEntry,
  toPublicMap,
} from '@platform/releases';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { composeDocument, routeOfAddress } from '../compose/compose-document';
import { previewOf } from '../compose/preview';
import type { DocumentLanguage } from '../metadata/languages';
import { type DescribePage, NOTHING_KNOWN, type PageDescription, unlisted } from '../metadata/page-description';
import { HOME } from '../metadata/page-metadata';
import { documentHeaders, siteFiles } from '../offline/site-files';
import type { DrawnPage } from '../render/rendered-page';
import type { PageRendering, RenderFault } from '../rendering';
import { drawnPages, LONGEST_PATH, shownPath } from './drawn-pages';
import type { GuestAnswers } from './guest-answers';
import { immutableFiles } from './immutable-files';
import { drawPersonalPage, type Person } from './personal-pages';
import { preferencesOf, rememberAsked } from './preferences';
import { type PreparedResponse, preparedResponses, prepareResponse, sendPrepared } from './prepared-response';
import { releaseFiles } from './release-files';
import { styleSheets } from './style-sheets';
import { giveVisitor, visitorOf } from './visitor';

export interface DocumentOptions {
  store: Store;
  /** The channel whose map the document shows. */
  channel?: string;
  /** What is known of a page besides its route. */
  describePage?: DescribePage;
  /** Of the site, such as 'https://site.example'; '' without one: documents hold no address that whoever asks has named. */
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
   * Whose browser asks; undefined while that is not known. What a person gets is drawn for them where the page is theirs, and kept nowhere; a
   * guest is asked to sign in where it is.
   */
  personOf?: (request: FastifyRequest, language: DocumentLanguage) => Promise<Person | 'guest' | undefined>;
  /** Open pages that show a person something of theirs, if only the header; those behind the guard always do. */
  isPersonal?: (route: RouteContract) => boolean;
  /** Hears of each document whose page a release could not render. */
  onRenderFault?: (request: FastifyRequest, map: ReleaseMap, fault: RenderFault) => void;
  /** Of documents and maps in memory. */
  preparedBytes?: number;
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
const MOST_PAGES = 5_000;

/**
 * What the page of an address was drawn with in one language and theme. Nothing empties these: one is used while the map and the
 * description are the same objects and every answer has its tag, and else replaced.
 */
interface DrawnDocument {
  map: ReleaseMap;
  description: PageDescription;
  /** Of its prepared response. */
  key: string;
  isCurrent: () => boolean;
  calls?: readonly string[];
}
/** What a document shows: the page of its address, or the one where whoever may not enter is asked to sign in. */
interface AskedPage {
  route: RouteContract | null;
  /** Path and query. */
  address: string;
  /** As the shell shows it. */
  path: string;
  description: PageDescription;
  asksToSignIn: boolean;
}

/** Not written where it is used: it would keep all that is known there, the request too. */
const always = () => true;
const CHANNELS = ['production', 'preview'];
/** An open page that is not drawn for the person by then goes out as everybody gets it. */
const OPEN_PAGE_MS = 1_000;

export function documentPlugin(options: DocumentOptions): FastifyPluginAsync {
  const { store, channel = 'production', onDocument } = options;
  const { rendering, answers, personOf, isPersonal, onRenderFault, describePage = async () => NOTHING_KNOWN } = options;
  const { origin = '', indexed = false, pictureOrigins } = options;
  return async (app) => {
    const sources = new Map<string, MapSource>(
      [...new Set([channel, ...CHANNELS])].map((name) => [name, mapSource(store, name)]),
    );
    const prepared = preparedResponses(options.preparedBytes ?? PREPARED_BYTES);
    const documents = new LRUCache<string, DrawnDocument>({ max: MOST_PAGES });
    const drawPage = rendering && answers && drawnPages(rendering, answers);
    const files = immutableFiles(store);
    const sheetsAt = styleSheets(files);
    const noPage = (error: unknown): undefined => {
      app.log.error({ err: error }, 'a page could not be drawn');
    };

    app.get<{ Params: { file: string } }>('/releases/:file', async (request, reply) => {
      const source = sources.get(/^([a-z0-9-]+)\.json$/.exec(request.params.file)?.[1] ?? '');
      if (!source) return reply.callNotFound();
      const map = await source.get();
      const response = await prepared(`map|${map.channel}|${map.rev}`, () =>
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
    for (const { path, headers, content } of siteFiles())
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
      const wanted = await previewOf(store, live, request.query.release);
      const map = wanted && !wanted.refusal ? wanted.map : live;
      const visitor = visitorOf(request) ?? (hasCanary(map) && drawPage ? giveVisitor(request, reply) : null);
      const { language, theme } = preferencesOf(request);
      rememberAsked(request, reply);
      const route = routeOfAddress(map, request.url, visitor);
      const askedPage = async (
        route: RouteContract | null,
        address: string,
        asksToSignIn = false,
      ): Promise<AskedPage> => {
        const known = await describePage({ route, address, language });
        return {
          route,
          address,
          path: shownPath(route, address),
          description: asksToSignIn ? unlisted(known) : known,
          asksToSignIn,
        };
      };
      const compose = (asked: AskedPage, drawn?: DrawnPage) => {
        const { address, description } = asked;
        const document = composeDocument(map, {
          path: address,
          visitor,
          language,
          dark: theme === 'dark',
          drawn,
          description,
          origin,
          pictureOrigins,
          refusedPreview: wanted?.refusal ? { release: wanted.release, why: wanted.refusal } : undefined,
        });
        const prepare = () =>
          prepareResponse(document.html, document.status, {
            ...documentHeaders,
            ...document.headers,
            'cache-control': cacheControl({
              isPreview: wanted !== null,
              isPersonal: Boolean(drawn?.person),
              isForEverybody:
                document.status === 200 &&
                !asked.asksToSignIn &&
                !asked.route?.flags?.requiresLogin &&
                releasesOf(map, visitor) === releasesOf(map, null),
            }),
            ...((wanted || !indexed) && { 'x-robots-tag': 'noindex' }),
            ...(document.status === 503 && { 'retry-after': '5' }),
            vary: 'accept-encoding, cookie',
          });
        return { key: `${document.key}|${document.status}`, prepare, sheets: document.sheets };
      };
      const onFault = (fault: RenderFault) => onRenderFault?.(request, map, fault);
      /** What everybody gets: `otherwise` where the page is not drawn now, by default its skeleton. */
      const everybodys = async (
        asked: AskedPage,
        otherwise?: () => Promise<PreparedResponse>,
      ): Promise<PreparedResponse> => {
        const { route, path, description, asksToSignIn } = asked;
        const place =
          wanted || path.length > LONGEST_PATH
            ? undefined
            : [
                releasesOf(map, visitor),
                language,
                theme,
                asksToSignIn,
                route?.flags?.requiresLogin ? route.path : path,
              ].join('|');
        const known = place === undefined ? undefined : documents.get(place);
        const before = known?.map === map ? known : undefined;
        if (before?.description === description && before.isCurrent()) {
          const response = prepared.known(before.key);
          if (response) return response;
        }
        const skeleton = compose(asked);
        const page = await drawPage?.({
          key: skeleton.key,
          map,
          visitor,
          route,
          path,
          asksToSignIn,
          calls: before?.calls,
          language,
          theme,
          onFault,
        }).catch(noPage);
        const remember = (key: string, isCurrent: () => boolean, calls?: readonly string[]) => {
          if (place !== undefined) documents.set(place, { map, description, key, isCurrent, calls });
          return key;
        };
        if (typeof page === 'object') {
          const key = `${skeleton.key}|${page.key}`;
          const response = prepared.known(key);
          if (response) {
            remember(key, page.isCurrent, page.calls);
            return response;
          }
          const drawn = await page.draw().catch(noPage);
          if (drawn) {
            const sheets = await sheetsAt(skeleton.sheets);
            return prepared(
              remember(`${skeleton.key}|${drawn.key}`, drawn.isCurrent, drawn.calls),
              compose(asked, { ...drawn.page, sheets }).prepare,
            );
          }
        }
        if (otherwise) return otherwise();
        if (!drawPage || page === 'never') remember(skeleton.key, always);
        return prepared(skeleton.key, skeleton.prepare);
      };
      const respond = async () => {
        const isGuarded = route?.flags?.requiresLogin === true;
        const asksWho = personOf && rendering && route && (isGuarded || isPersonal?.(route));
        const person = asksWho ? await personOf(request, language) : undefined;
        const asked = await askedPage(route, request.url);
        if (person === 'guest' && isGuarded) {
          // Where the shell leads a guest.
          const page = await askedPage(routeOfAddress(map, HOME, visitor), HOME, true);
          return everybodys(page, () => everybodys(asked));
        }
        if (typeof person === 'object' && asksWho && namesAll(route, request.url)) {
          const question = { map, visitor, route, path: asked.path, language, theme, onFault };
          const drawing = drawPersonalPage(rendering, { ...question, person }).catch(noPage);
          const own = await (isGuarded ? drawing : withinTime(drawing, OPEN_PAGE_MS));
          if (own) return compose(asked, { ...own, sheets: await sheetsAt(compose(asked).sheets) }).prepare();
        }
        return everybodys(asked);
      };
      const response = await respond();
      onDocument?.(request, reply, { map, visitor, route });
      return sendPrepared(request, reply, response);
    });
  };
}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const OTHER_PATHS = ['/api/', '/r/', '/releases/'];

/** A browser that opens an address, or a tool that accepts anything and asks for no file. */
function wantsDocument({ url, headers }: FastifyRequest): boolean {
  const pathname = url.split('?')[0] ?? '/';
  if (OTHER_PATHS.some((path) => pathname.startsWith(path))) return false;
  const accept = headers.accept ?? '*/*';
  return accept.includes('text/html') || (accept.includes('*/*') && !/\.[A-Za-z0-9]{1,5}$/.test(pathname));
}

/** What a document may be asked for besides what the page shows. */
const ASKED = ['release', 'lang', 'theme'];

/** Whether the route names every parameter of the address: another one may change what the page shows first. */
function namesAll({ query = [] }: RouteContract, address: string): boolean {
  const given = new URLSearchParams((address.split('#')[0] as string).split('?')[1]);
  return [...given.keys()].every((name) => query.includes(name) || ASKED.includes(name));
}

/** A shared cache asks for each document again, and may send one that is for everybody for a day while no server answers. */
function cacheControl(document: { isPreview: boolean; isPersonal: boolean; isForEverybody: boolean }): string {
  if (document.isPreview) return 'no-store';
  if (document.isPersonal) return 'private, no-store';
  return document.isForEverybody ? 'public, max-age=0, stale-if-error=86400' : 'no-cache';
}

const hasCanary = (map: ReleaseMap) => Object.keys(map.microFrontends).some((name) => canaryEntry(map, name));

/** Those that this visitor gets; '' where everybody gets the same. */
const releasesOf = (map: ReleaseMap, visitor: number | null): string =>
  hasCanary(map)
    ? Object.values(map.microFrontends)
        .map((entries) => selectEntry(entries, visitor)?.metadata.version)
        .join()
    : '';
