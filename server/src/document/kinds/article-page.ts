import type { PageDescription } from '@platform/pages';
import { SUCCESS_CODE } from '@shop/shared/domain';
import type { Article } from '../../content/content.schemas';
import type { Sql } from '../../platform/db/sql';
import { nextChange, shownAt } from '../../platform/response-cache/shown';
import type { PageKind } from '../page-describer';
import { plainDescription } from './plain-description';

const UNKNOWN: PageDescription = { status: 404, noindex: true, page: null, breadcrumbs: [] };

export const articleKind = (sql: Sql): PageKind => ({
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
