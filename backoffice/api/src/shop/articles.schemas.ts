import { MAX_HTML_LENGTH } from '@shop/server/content/sanitise';
import { exact, inBoth, linesInBoth, period } from '@shop/server/platform/http/edit-schemas';
import { type Static, Type } from 'typebox';

export const StaffArticleSchema = exact({
  title: inBoth(100, 1),
  /** HTML; it is stored without elements that the shop does not show. */
  content: linesInBoth(MAX_HTML_LENGTH),
  sort: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  published: Type.Boolean(),
  ...period,
});
export type StaffArticle = Static<typeof StaffArticleSchema>;
