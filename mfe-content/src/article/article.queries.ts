import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

export const articleIds = ['agreement', 'guide', 'privacy'] as const;
export type ArticleId = (typeof articleIds)[number];

/** Quiet: the page shows a failure in place of the article. */
export const articleQuery = (id: string) =>
  queryOptions({
    queryKey: ['content', 'article', id],
    queryFn: () => get('/api/front/article/info', { id }, { quiet: true }),
  });
