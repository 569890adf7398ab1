/**
 * Provides the metadata that documents and sitemaps have of a page, by its kind: a name in the route's contract, for which the
 * server has registered a description.
 */
import { type DescribePage, type DocumentLanguage, kindOf, NOTHING_KNOWN, type PageDescription } from '@platform/pages';
import type { ListedPage } from '@platform/pages/serving';
import { routeParameters } from '@platform/releases';
import type { FastifyBaseLogger } from 'fastify';
import { isDatabaseBusy } from '../platform/db/database-busy';
import type { PublicReads } from '../platform/response-cache/public-reads';
import type { CacheableResponse, ResponseCache } from '../platform/response-cache/response-cache';
import { DatabaseWait, DatabaseWaitError } from './database-wait';
import { guestLocale } from './page-answers';

interface PageOfKind {
  parameters: Readonly<Record<string, string>>;
  query: URLSearchParams;
  language: DocumentLanguage;
}

/** The API's response to a guest with this language, including business errors. */
export type AskPublicApi = (address: string, language: DocumentLanguage) => Promise<{ code: number; data: unknown }>;

/** Data from memory or from `load`, as fresh as the API's responses. It returns the same object until the data changes. */
type ReadData = <T extends object>(
  dependsOn: unknown[],
  load: (answer: AskPublicApi) => Promise<CacheableResponse<T>>,
) => T | Promise<T>;

export interface PageKind {
  /** Must return the same object until the data changes, because documents are cached by it. */
  describe?(page: PageOfKind, read: ReadData): PageDescription | Promise<PageDescription>;
  withoutData?: PageDescription;
  pages?(): Promise<ListedPage[]>;
}

export type PageKinds = Readonly<Record<string, PageKind>>;

/** An error that affects every document is logged at most once in this time. */
const LOG_AGAIN_MS = 10_000;

interface DescribeOptions {
  kinds: PageKinds;
  responseCache: ResponseCache;
  publicReads: PublicReads;
  log: Pick<FastifyBaseLogger, 'error'>;
  wait?: DatabaseWait;
}

export function pageDescriber(options: DescribeOptions): DescribePage {
  const { kinds, responseCache, publicReads, log, wait = new DatabaseWait() } = options;
  const answer: AskPublicApi = async (address, language) => {
    const publicAnswer = await publicReads.answer(address, guestLocale(language));
    if (!publicAnswer) throw new Error(`${address} is not a public call`);
    return JSON.parse(publicAnswer.body.toString());
  };
  const read: ReadData = (dependsOn, load) =>
    responseCache.readNow(dependsOn) ?? wait.for(() => responseCache.read(dependsOn, () => load(answer)));
  let loggedAt = Number.NEGATIVE_INFINITY;
  return async ({ route, address, language }) => {
    const kind = kindOf(kinds, route);
    if (!route || !kind?.describe) return NOTHING_KNOWN;
    const [path = '', search] = address.split('#')[0]?.split('?') ?? [];
    const parameters = { ...routeParameters(route.path, path), ...route.parameters };
    try {
      return await kind.describe({ parameters, query: new URLSearchParams(search), language }, read);
    } catch (error) {
      const isAway = isDatabaseBusy(error) || error instanceof DatabaseWaitError;
      if (!isAway && Date.now() - loggedAt >= LOG_AGAIN_MS) {
        loggedAt = Date.now();
        log.error({ err: error }, 'page not described');
      }
      return kind.withoutData ?? NOTHING_KNOWN;
    }
  };
}
