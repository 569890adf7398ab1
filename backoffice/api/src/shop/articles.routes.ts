import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { StaffArticleSchema } from './articles.schemas';
import { articleEditable, listArticles } from './articles.service';

export const articleCalls = (options: DomainOptions) => ({
  'GET articles': callFor('articles')({}, () => listArticles(options.reads)),
  ...editCalls(options, { path: 'articles', area: 'articles', schema: StaffArticleSchema, editable: articleEditable }),
});
