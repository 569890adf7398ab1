import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { Type } from 'typebox';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import { ListedArticleSchema, StaffArticleSchema } from './articles.schemas';
import { articleEditable, listArticles } from './articles.service';

export function articleRoutes(app: App, options: DomainOptions): void {
  const { get } = callsFor(app, 'stock');
  get('articles', { answer: Type.Array(ListedArticleSchema) }, () => listArticles(options.reads));
  editRoutes(app, options, { path: 'articles', schema: StaffArticleSchema, editable: articleEditable });
}
