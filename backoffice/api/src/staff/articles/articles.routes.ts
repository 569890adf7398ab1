import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { Type } from 'typebox';
import { editRoutes } from '../edits/edits.routes';
import { serves } from '../staff-access';
import {
  ArticlePreviewBodySchema,
  ArticlePreviewSchema,
  ListedArticleSchema,
  StaffArticleSchema,
} from './articles.schemas';
import { articleEditable, listArticles, previewOf } from './articles.service';

const stock = serves('stock');
const BODY_LIMIT = 320 * 1024;

export function articleRoutes(app: App, options: Pick<DomainOptions, 'context' | 'reads'>): void {
  app.get(
    '/staff/api/articles',
    { ...stock, schema: { response: answer(Type.Array(ListedArticleSchema)) } },
    async (request) => ok(request, await listArticles(options.reads)),
  );
  app.post(
    '/staff/api/articles/preview',
    {
      ...stock,
      bodyLimit: BODY_LIMIT,
      schema: { body: ArticlePreviewBodySchema, response: answer(ArticlePreviewSchema) },
    },
    async (request) => ok(request, { nodes: previewOf(request.body.content) }),
  );
  editRoutes(app, options, {
    path: 'articles',
    schema: StaffArticleSchema,
    roles: ['stock'],
    editable: articleEditable,
  });
}
