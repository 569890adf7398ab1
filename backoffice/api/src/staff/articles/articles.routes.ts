import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { Type } from 'typebox';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import {
  ArticlePreviewBodySchema,
  ArticlePreviewSchema,
  ListedArticleSchema,
  StaffArticleSchema,
} from './articles.schemas';
import { articleEditable, listArticles, previewOf } from './articles.service';

const limit = 320 * 1024;

export function articleRoutes(app: App, options: DomainOptions): void {
  const { get, post } = callsFor(app, 'stock');
  get('articles', { answer: Type.Array(ListedArticleSchema) }, () => listArticles(options.reads));
  post(
    'articles/preview',
    { body: ArticlePreviewBodySchema, answer: ArticlePreviewSchema, limit },
    async ({ body }) => ({
      nodes: previewOf(body.content),
    }),
  );
  editRoutes(app, options, { path: 'articles', schema: StaffArticleSchema, editable: articleEditable });
}
