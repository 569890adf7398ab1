import { ErrorCode } from '@shop/shared/domain';
import type { FastifyBaseLogger } from 'fastify';
import { categories } from '../catalogue/storefront.service';
import { article } from '../content/content.service';
import { isDatabaseBusy } from '../db/database-busy';
import type { Sql } from '../db/sql';
import type { DescribePage, PageDescription, RequestedPage } from '../document/describe-page';
import { ShopError } from '../http/errors';
import type { Locale } from '../http/schemas';
import type { ResponseCache } from '../response-cache/response-cache';
import { describeList } from './list-page';
import { plainDescription } from './plain-description';
import { describeProduct, productPage } from './product-page';

/** A database that answers later than its limits for reads must not hold up documents. */
const LONGEST_WAIT_MS = 3_000;

interface DescribeOptions {
  /** With the limits of calls that only read. */
  sql: Sql;
  responseCache: ResponseCache;
  log: Pick<FastifyBaseLogger, 'error'>;
  maxWaitMs?: number;
}

/**
 * What the shop knows of each public page, as fresh as its API. While the database is away, a page whose existence it decides is
 * answered with 503 and the document that works for any product; the others go out with what their route says.
 */
export function pageDescriber(options: DescribeOptions): DescribePage {
  const { sql, responseCache, log, maxWaitMs = LONGEST_WAIT_MS } = options;
  return async (page) => {
    try {
      return await withinTime(describe(page, sql, responseCache), maxWaitMs);
    } catch (error) {
      if (!isDatabaseBusy(error) && !(error instanceof TimeoutError)) log.error({ err: error }, 'page not described');
      return page.route?.path === PRODUCT ? { status: 503 } : {};
    }
  };
}

const PRODUCT = '/goods/:id';

async function describe(page: RequestedPage, sql: Sql, cache: ResponseCache): Promise<PageDescription> {
  const { route, language } = page;
  const [path = '', search = ''] = page.address.split('#')[0]?.split('?') ?? [];
  const query = new URLSearchParams(search);
  switch (route?.path) {
    case PRODUCT: {
      const id = goodsIdOf(path);
      if (id === null) return describeProduct({ state: 'unknown' }, 0, language);
      const product = await cache.read(['product', id], () => productPage(sql, id));
      return describeProduct(product, id, language);
    }
    case '/goods': {
      const known = await cache.read(['categories', language], async () => ({ data: await categories(sql, language) }));
      return { metadata: describeList(query, known, language) };
    }
    case '/search':
      return query.get('keyword')?.trim() ? { metadata: { noindex: true, path: null } } : {};
    default:
      return route?.path.startsWith('/article/') ? describeArticle(route.path, language, sql, cache) : {};
  }
}

async function describeArticle(
  path: string,
  language: Locale,
  sql: Sql,
  cache: ResponseCache,
): Promise<PageDescription> {
  const id = path.slice('/article/'.length);
  const found = await cache.read(['article', id, language], async () => ({
    data: await articleText(sql, id, language),
  }));
  if (!found) return { status: 404, metadata: { noindex: true, path: null, breadcrumbs: [] } };
  const { title, description, modifiedAt } = found;
  return {
    metadata: {
      title,
      ...(description && { description }),
      kind: 'article',
      modifiedAt,
      breadcrumbs: [{ name: title, path }],
    },
  };
}

async function articleText(sql: Sql, id: string, language: Locale) {
  const found = await article(sql, id, language).catch((error: unknown) => {
    if (error instanceof ShopError && error.code === ErrorCode.NotFound) return null;
    throw error;
  });
  return found && { title: found.title, description: plainDescription(found.content), modifiedAt: found.updated_at };
}

/** As the page reads it; null for what is no number of a product. */
function goodsIdOf(path: string): number | null {
  const id = Number(path.replace(/\/+$/, '').split('/').at(-1));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

class TimeoutError extends Error {}

async function withinTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError()), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
