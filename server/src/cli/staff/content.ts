import { saveArticle, saveConfig } from '../../content/content.service';
import { hasBadLinks } from '../../content/sanitise';
import type { AppContext } from '../../context';
import { fieldText } from '../../platform/http/field-messages';
import { audit, StaffError } from './common';

export async function setArticle(
  { db }: AppContext,
  id: string,
  texts: { titleZh: string; titleEn: string; zh: string; en: string; sort: number },
) {
  if (!/^[a-z0-9-]{1,60}$/.test(id)) throw new StaffError(`"${id}" is not a word for an address (a-z, 0-9, -).`);
  for (const html of [texts.zh, texts.en])
    if (hasBadLinks(html)) throw new StaffError(`${fieldText('link', 'en')}, one in this text does not.`);
  await db.withTransaction(async (sql) => {
    const title = { 'zh-CN': texts.titleZh, en: texts.titleEn };
    await saveArticle(sql, { id, title, content: { 'zh-CN': texts.zh, en: texts.en }, sort: texts.sort });
    await audit(sql, 'article.set', id);
  });
}

export async function setConfig({ db }: AppContext, key: string, text: string): Promise<void> {
  let value: unknown = text;
  if (/^[[{"]/.test(text)) {
    try {
      value = JSON.parse(text);
    } catch {
      throw new StaffError('The value looks like JSON but is not.');
    }
  }
  await db.withTransaction(async (sql) => {
    await saveConfig(sql, key, value);
    await audit(sql, 'config.set', key);
  });
}
