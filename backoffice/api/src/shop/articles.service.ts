import { saveArticle } from '@shop/server/content/content.service';
import { hasBadLinks, MAX_HTML_LENGTH } from '@shop/server/content/sanitise';
import type { Sql } from '@shop/server/platform/db/sql';
import { exact, inBoth, linesInBoth, type Period, period, shownState } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import type { Texts } from '@shop/server/platform/http/localised-text';
import { plainText } from '@shop/server/platform/http/plain-text';
import { languages } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import type { Editable } from '../edits/edits.service';
import { instant, textsOf } from '../sql';
import { titleFaults } from './home.service';

export const StaffArticleSchema = exact({
  title: inBoth(100, 1),
  /** HTML; it is stored without elements that the shop does not show. */
  content: linesInBoth(MAX_HTML_LENGTH),
  sort: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  published: Type.Boolean(),
  ...period,
});
export type StaffArticle = Static<typeof StaffArticleSchema>;

/** Pages of the shop link to them, and the law requires them. */
const alwaysShown = ['agreement', 'guide', 'privacy'];

const times = `${instant('starts_at')} as starts_at, ${instant('ends_at')} as ends_at`;

export async function listArticles(sql: Sql) {
  const rows = await sql.rows<Period & { key: string; title: Texts; published: boolean; updated_at: Date }>(
    `select id as key, ${textsOf('title')} as title, published, ${times}, updated_at from articles order by sort, id`,
  );
  return rows.map(({ published, ...row }) => ({ ...row, state: shownState(row, published, Date.now()) }));
}

export const articleEditable: Editable<StaffArticle> = {
  kind: 'article',
  read: (sql, key) =>
    sql.row<StaffArticle>(
      `select ${textsOf('title')} as title, ${textsOf('content')} as content, sort, published, ${times} from articles where id = $1`,
      [key],
    ),
  faults: async (_sql, article) => {
    const faults = titleFaults(article);
    for (const language of languages)
      if (hasBadLinks(article.content[language])) faults[`content.${language}`] = 'link';
    return faults;
  },
  write: async (sql, key, { title, ...article }) => {
    const { published, starts_at, ends_at } = article;
    if (!/^[a-z0-9-]+$/.test(key)) throw new ShopError(StaffErrorCode.ArticleAddress);
    if (alwaysShown.includes(key) && (!published || starts_at || ends_at))
      throw new ShopError(StaffErrorCode.ArticleNeeded);
    const name = { 'zh-CN': plainText(title['zh-CN']), en: plainText(title.en) };
    await saveArticle(sql, { id: key, title: name, ...article });
  },
};
