import { ErrorCode } from '@shop/shared/domain';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';
import { categories } from '../catalogue/storefront.service';
import { article } from '../content/content.service';
import { DatabaseWait, DatabaseWaitError } from '../document/database-wait';
import type { DescribePage, PageDescription, RequestedPage } from '../document/describe-page';
import { isDatabaseBusy } from '../platform/db/database-busy';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import type { Locale } from '../platform/http/schemas';
import type { CacheableResponse, ResponseCache } from '../platform/response-cache/response-cache';
import { nextChange } from '../platform/response-cache/shown';
import { describeList } from './list-page';
import { plainDescription } from './plain-description';
import { describeProduct, productPage } from './product-page';
import { OTHER_ARTICLE } from './sitemap';

interface DescribeOptions {
  /** With the limits of calls that only read. */
  sql: Sql;
  responseCache: ResponseCache;
  log: Pick<FastifyBaseLogger, 'error'>;
  wait?: DatabaseWait;
  now?: () => number;
}

const MOST_DESCRIPTIONS = 5_000;
/** An error that every document has is logged once in this time. */
const LOG_AGAIN_MS = 10_000;

/**
 * What the shop knows of each public page, as fresh as its API, and the same object until it changes. While the database is away, a page
 * whose existence it decides is answered with 503 and the document that works for any product; the others go out with what their route
 * says.
 */
export function pageDescriber(options: DescribeOptions): DescribePage {
  const { sql, responseCache, log, wait = new DatabaseWait(), now = Date.now } = options;
  const read: Read = (dependsOn, load) =>
    responseCache.readNow(dependsOn) ?? wait.for(() => responseCache.read(dependsOn, load));
  const known = new LRUCache<string, { source: unknown; description: PageDescription }>({ max: MOST_DESCRIPTIONS });
  const remember = (page: RequestedPage, source: unknown, describe: () => PageDescription): PageDescription => {
    const key = `${page.language} ${page.address}`;
    const before = known.get(key);
    if (before && before.source === source) return before.description;
    const description = describe();
    known.set(key, { source, description });
    return description;
  };
  let loggedAt = Number.NEGATIVE_INFINITY;
  return async (page) => {
    try {
      return await describe(page, sql, read, remember);
    } catch (error) {
      const isAway = isDatabaseBusy(error) || error instanceof DatabaseWaitError;
      if (!isAway && now() - loggedAt >= LOG_AGAIN_MS) {
        loggedAt = now();
        log.error({ err: error }, 'page not described');
      }
      return page.route?.path === PRODUCT ? UNKNOWN_NOW : NOTHING;
    }
  };
}

const PRODUCT = '/goods/:id';
/** Tried where a run of slashes begins only, so that an address of slashes takes no time. */
const TRAILING_SLASHES = /(?<!\/)\/+$/;
const UNKNOWN_NOW: PageDescription = { status: 503 };
const NOTHING: PageDescription = {};
const OF_A_SEARCH: PageDescription = { metadata: { noindex: true, path: null } };

type Read = <T extends object>(dependsOn: unknown[], load: () => Promise<CacheableResponse<T>>) => T | Promise<T>;
type Remember = (page: RequestedPage, source: unknown, describe: () => PageDescription) => PageDescription;

async function describe(page: RequestedPage, sql: Sql, read: Read, remember: Remember): Promise<PageDescription> {
  const { route, language } = page;
  const [path = '', search = ''] = page.address.split('#')[0]?.split('?') ?? [];
  switch (route?.path) {
    case PRODUCT: {
      const id = goodsIdOf(path);
      if (id === null) return describeProduct({ state: 'unknown' }, 0, language);
      const product = await read(['product', id], () => productPage(sql, id));
      return remember(page, product, () => describeProduct(product, id, language));
    }
    case '/goods': {
      const known = await read(['categories', language], async () => ({ data: await categories(sql, language) }));
      return remember(page, known, () => ({ metadata: describeList(new URLSearchParams(search), known, language) }));
    }
    case '/search':
      return new URLSearchParams(search).get('keyword')?.trim() ? OF_A_SEARCH : NOTHING;
    default:
      return route?.path.startsWith('/article/')
        ? describeArticle(
            page,
            route.path === OTHER_ARTICLE ? path.replace(TRAILING_SLASHES, '') : route.path,
            sql,
            read,
            remember,
          )
        : NOTHING;
  }
}

async function describeArticle(
  page: RequestedPage,
  path: string,
  sql: Sql,
  read: Read,
  remember: Remember,
): Promise<PageDescription> {
  const id = path.slice('/article/'.length);
  const { language } = page;
  const found = await read(['article', id, language], () => articleText(sql, id, language));
  return remember(page, found, () => articleDescription(found.text, path));
}

function articleDescription(
  text: Awaited<ReturnType<typeof articleText>>['data']['text'],
  path: string,
): PageDescription {
  if (!text) return { status: 404, metadata: { noindex: true, path: null, breadcrumbs: [] } };
  const { title, description, modifiedAt } = text;
  return {
    metadata: {
      title,
      ...(description && { description }),
      kind: 'article',
      path,
      modifiedAt,
      breadcrumbs: [{ name: title, path }],
    },
  };
}

interface ArticleText {
  text: { title: string; description: string; modifiedAt: string } | null;
}

async function articleText(sql: Sql, id: string, language: Locale): Promise<CacheableResponse<ArticleText>> {
  const found = await article(sql, id, language).catch((error: unknown) => {
    if (!(error instanceof ShopError && error.code === ErrorCode.NotFound)) throw error;
  });
  if (!found) return { data: { text: null }, ...(await nextChange(sql, 'articles', new Date(Date.now()))) };
  const { data, ...expiry } = found;
  const description = plainDescription(data.content);
  return { ...expiry, data: { text: { title: data.title, description, modifiedAt: data.updated_at } } };
}

/** As the page reads it; null for what is no number of a product. */
function goodsIdOf(path: string): number | null {
  const id = Number(path.replace(TRAILING_SLASHES, '').split('/').at(-1));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
