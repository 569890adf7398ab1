/** /sitemap.xml by the protocol of sitemaps.org: one list of addresses, or an index of lists. */
import { addressIn, DEFAULT_LANGUAGE, type DocumentLanguage, LANGUAGES } from '@platform/pages';
import { currencyOf } from '@shop/shared/domain';
import type { Sql } from '../platform/db/sql';
import { escapeHtml } from '../platform/http/html';
import type { Currency } from '../platform/http/schemas';
import { shownAt } from '../platform/response-cache/shown';

export interface SitemapPage {
  path: string;
  languages: readonly DocumentLanguage[];
  modifiedAt?: Date;
}

/** An address for each language: 10,000 addresses and 5 MB, of the 50,000 and 50 MB that the protocol allows. */
export const PRODUCTS_IN_LIST = 5_000;

/** Shows an article that has no route of its own. */
export const OTHER_ARTICLE = '/article/:id';

/** Those of the routes and articles, and of the categories of goods. `paths` are those of the routes, with their parameters. */
export async function plainPages(sql: Sql, paths: readonly string[]): Promise<SitemapPage[]> {
  const articles = await sql.rows<{ id: string; updated_at: Date }>(
    `select id, updated_at from articles a where published and ${shownAt('a', '$1')}`,
    [new Date(Date.now())],
  );
  const categories = await sql.rows<{ id: number; updated_at: Date }>(
    `select c.id, max(g.updated_at) as updated_at from categories c
       join goods g on g.category_id = c.id and g.status = 1 group by c.id, c.sort order by c.sort, c.id`,
  );
  const dates = new Map(articles.map(({ id, updated_at }) => [`/article/${id}`, updated_at]));
  const isShown = (path: string) => !/[:*]/.test(path) && (!path.startsWith('/article/') || dates.has(path));
  const shown = new Set([...paths.filter(isShown), ...(paths.includes(OTHER_ARTICLE) ? dates.keys() : [])]);
  return [
    ...Array.from(shown, (path) => ({ path, languages: LANGUAGES, modifiedAt: dates.get(path) })),
    ...categories.map(({ id, updated_at }) => ({
      path: `/goods?category_id=${id}`,
      languages: LANGUAGES,
      modifiedAt: updated_at,
    })),
  ];
}

export interface ProductRange {
  /** Products with ids from here on, up to the next range. */
  first: number;
  products: number;
  modifiedAt: Date;
}

/** Ranges of ids, so that a list needs no count of those before it and stays the same while products are added. */
export function productRanges(sql: Sql, size: number): Promise<ProductRange[]> {
  return sql.rows<ProductRange>(
    `select (g.id - 1) / $1 * $1 + 1 as first, count(*) as products, max(g.updated_at) as "modifiedAt"
       from goods g where g.status = 1 and exists (select 1 from shelf f where f.goods_id = g.id)
      group by 1 order by 1`,
    [size],
  );
}

export async function productPages(sql: Sql, first: number, size: number): Promise<SitemapPage[]> {
  const rows = await sql.rows<{ id: number; updated_at: Date; currencies: Currency[] }>(
    `select g.id, g.updated_at, array_agg(f.currency::text) as currencies
       from goods g join shelf f on f.goods_id = g.id
      where g.status = 1 and g.id >= $1 and g.id < $2 group by g.id order by g.id`,
    [first, first + size],
  );
  return rows.map(({ id, updated_at, currencies }) => ({
    path: `/goods/${id}`,
    languages: LANGUAGES.filter((language) => currencies.includes(currencyOf(language))),
    modifiedAt: updated_at,
  }));
}

const HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const modified = (at: Date | undefined) => (at ? `<lastmod>${at.toISOString()}</lastmod>` : '');

export function sitemapXml(pages: readonly SitemapPage[], origin: string): string {
  return `${HEADER}<urlset ${NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${pages
    .map((page) => pageXml(page, origin))
    .join('')}</urlset>\n`;
}

/** An address for each language, each with all of them. */
function pageXml({ path, languages, modifiedAt }: SitemapPage, origin: string): string {
  const address = (language: DocumentLanguage) => escapeHtml(origin + addressIn(path, language));
  const link = (language: string, href: string) =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`;
  const links = languages.map((language) => link(language, address(language))).join('');
  const other = languages.includes(DEFAULT_LANGUAGE) ? link('x-default', address(DEFAULT_LANGUAGE)) : '';
  return languages
    .map((language) => `<url><loc>${address(language)}</loc>${modified(modifiedAt)}${links}${other}</url>\n`)
    .join('');
}

export function sitemapIndexXml(lists: ReadonlyArray<{ path: string; modifiedAt?: Date }>, origin: string): string {
  const items = lists.map(
    ({ path, modifiedAt }) => `<sitemap><loc>${escapeHtml(origin + path)}</loc>${modified(modifiedAt)}</sitemap>\n`,
  );
  return `${HEADER}<sitemapindex ${NAMESPACE}>\n${items.join('')}</sitemapindex>\n`;
}
