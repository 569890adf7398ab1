import type { Article } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import type { PageKey } from '@shop/shared/query';

export type { Article };
export type ArticleId = 'agreement' | 'guide' | 'privacy';

export const articleKey = (id: ArticleId): PageKey => ['content', 'article', id];
export const getArticle = (id: ArticleId) => get<Article>('/api/front/article/info', { id }, { quiet: true });
