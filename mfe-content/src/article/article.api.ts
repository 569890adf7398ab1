import type { Article } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import type { PageKey } from '@shop/shared/query';

export const articleIds = ['agreement', 'guide', 'privacy'] as const;
export type ArticleId = (typeof articleIds)[number];

export function articleKey(id: ArticleId): PageKey {
  return ['content', 'article', id];
}

/** Quiet: the page shows the failure in the article's place. */
export function fetchArticle(id: ArticleId): Promise<Article> {
  return get('/api/front/article/info', { id }, { quiet: true });
}
