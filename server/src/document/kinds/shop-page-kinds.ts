import { NOTHING_KNOWN, type PageDescription } from '@platform/pages';
import { SUCCESS_CODE } from '@shop/shared/domain';
import type { Article } from '../../content/content.schemas';
import type { Sql } from '../../platform/db/sql';
import { nextChange, shownAt } from '../../platform/response-cache/shown';
import type { PageKind, PageKinds } from '../page-describer';
import { listKind, UNLISTED } from './list-page';
import { plainDescription } from './plain-description';
import { productKind } from './product-page';

const HOME = { search: { kind: 'search', query: 'keyword={search_term_string}' } };

/** The page kinds that a remote.json of this shop may name (docs/guides/external-remotes.md). `sql` has the limits of read-only calls. */
export const shopPageKinds = (sql: Sql): PageKinds => ({
  home: { describe: () => HOME },
  list: listKind(sql),
  product: productKind(sql),
  article: articleKind(sql),
  invitation: { describe: () => UNLISTED, pages: async () => [] },
  search: { describe: ({ query }) => (query.get('keyword')?.trim() ? UNLISTED : NOTHING_KNOWN) },
});

const UNKNOWN: PageDescription = { status: 404, noindex: true, page: null, breadcrumbs: [] };

const articleKind = (sql: Sql): PageKind => ({
  describe: ({ parameters: { id = '' }, language }, read) =>
    read<PageDescription>(['article', id, language], async (answer) => {
      const { code, data } = await answer(`/api/front/article/info?id=${encodeURIComponent(id)}`, language);
      const expiry = await nextChange(sql, 'articles', new Date(Date.now()));
      return { data: code === SUCCESS_CODE ? described(data as Article) : UNKNOWN, ...expiry };
    }),
  pages: async () => {
    const articles = await sql.rows<{ id: string; updated_at: Date }>(
      `select id, updated_at from articles a where published and ${shownAt('a', '$1')}`,
      [new Date(Date.now())],
    );
    return articles.map(({ id, updated_at }) => ({ parameters: { id }, modifiedAt: updated_at }));
  },
});

function described({ id, title, content, updated_at }: Article): PageDescription {
  const description = plainDescription(content);
  const page = { kind: 'article', parameters: { id } };
  return {
    title,
    ...(description && { description }),
    type: 'article',
    page,
    modifiedAt: updated_at,
    breadcrumbs: [{ name: title, page }],
  };
}
