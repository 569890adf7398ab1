import { saveArticle } from '@shop/server/content/content.service';
import { hasBadLinks } from '@shop/server/content/sanitise';
import type { Sql } from '@shop/server/platform/db/sql';
import { periodFaults, shownState, timeOrNull } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { plainText } from '@shop/server/platform/http/plain-text';
import { languages } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { Editable } from '../edits/edits.service';
import type { StaffArticle } from './articles.schemas';

interface ArticleRow {
  id: string;
  title_zh: string;
  title_en: string;
  content_zh: string;
  content_en: string;
  sort: number;
  published: boolean;
  starts_at: Date | null;
  ends_at: Date | null;
  updated_at: Date;
}

/** Pages of the shop link to them, and the law requires them. */
const alwaysShown = ['agreement', 'guide', 'privacy'];

export async function listArticles(sql: Sql) {
  const rows = await sql.rows<Omit<ArticleRow, 'content_zh' | 'content_en'>>(
    'select id, title_zh, title_en, published, starts_at, ends_at, updated_at from articles order by sort, id',
  );
  return rows.map((row) => {
    const period = { starts_at: timeOrNull(row.starts_at), ends_at: timeOrNull(row.ends_at) };
    return {
      key: row.id,
      title: { 'zh-CN': row.title_zh, en: row.title_en },
      state: shownState(period, row.published, Date.now()),
      ...period,
      updated_at: row.updated_at,
    };
  });
}

export const articleEditable: Editable<StaffArticle> = {
  kind: 'article',
  lock: (sql, key) => sql.row('select 1 from articles where id = $1 for update', [key]),
  read: async (sql, key) => {
    const row = await sql.row<ArticleRow>('select * from articles where id = $1', [key]);
    return (
      row && {
        title: { 'zh-CN': row.title_zh, en: row.title_en },
        content: { 'zh-CN': row.content_zh, en: row.content_en },
        sort: row.sort,
        published: row.published,
        starts_at: timeOrNull(row.starts_at),
        ends_at: timeOrNull(row.ends_at),
      }
    );
  },
  faults: async (_sql, { title, content, starts_at, ends_at }) => {
    const faults = periodFaults(['starts_at', starts_at], ['ends_at', ends_at]);
    for (const language of languages) {
      if (!plainText(title[language])) faults[`title.${language}`] = 'required';
      if (hasBadLinks(content[language])) faults[`content.${language}`] = 'link';
    }
    return faults;
  },
  write: async (sql, key, { title, content, sort, published, starts_at, ends_at }) => {
    if (!/^[a-z0-9-]+$/.test(key)) throw new ShopError(StaffErrorCode.ArticleAddress);
    if (alwaysShown.includes(key) && (!published || starts_at || ends_at))
      throw new ShopError(StaffErrorCode.ArticleNeeded);
    const name = { 'zh-CN': plainText(title['zh-CN']), en: plainText(title.en) };
    await saveArticle(sql, { id: key, title: name, content, sort });
    await sql.run('update articles set published = $2, starts_at = $3, ends_at = $4 where id = $1', [
      key,
      published,
      starts_at,
      ends_at,
    ]);
  },
};
