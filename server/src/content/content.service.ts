import { ErrorCode } from '@shop/shared/domain';
import { type Sql, upsert } from '../platform/db/sql';
import { bodyValidator } from '../platform/http/body-validator';
import type { Period } from '../platform/http/edit-schemas';
import { ShopError } from '../platform/http/errors';
import { fieldText } from '../platform/http/field-messages';
import { isPicture, isTextLink, isWebAddress } from '../platform/http/links';
import { suffixOf, type Texts, textOf } from '../platform/http/localised-text';
import { plainText } from '../platform/http/plain-text';
import type { Locale } from '../platform/http/schemas';
import type { CacheableResponse } from '../platform/response-cache/response-cache';
import { nextChange, shownAt } from '../platform/response-cache/shown';
import type { AppConfig, Article, ArticleList, BusinessAddBody } from './content.schemas';
import { sanitise, sanitiseBoth } from './sanitise';

export async function articles(sql: Sql, locale: Locale): Promise<CacheableResponse<ArticleList>> {
  const now = new Date(Date.now());
  const data = await sql.rows<ArticleList[number]>(
    `select id, title_${suffixOf(locale)} as title from articles a where published and ${shownAt('a', '$1')} order by sort, id`,
    [now],
  );
  return { data, ...(await nextChange(sql, 'articles', now)) };
}

/** Throws NotFound for an unknown article and for one that is not shown at this time. */
export async function article(sql: Sql, id: string, locale: Locale): Promise<CacheableResponse<Article>> {
  const now = new Date(Date.now());
  const to = suffixOf(locale);
  const row = await sql.row<Omit<Article, 'updated_at'> & { updated_at: Date }>(
    `select id, title_${to} as title, content_${to} as content, updated_at from articles a
      where id = $1 and published and ${shownAt('a', '$2')}`,
    [id, now],
  );
  if (!row) throw new ShopError(ErrorCode.NotFound);
  const data = { ...row, content: sanitise(row.content), updated_at: row.updated_at.toISOString() };
  return { data, ...(await nextChange(sql, 'articles', now)) };
}

export interface ArticleInput extends Partial<Period> {
  id: string;
  title: Texts;
  content: Texts;
  sort: number;
  published?: boolean;
  updated_at?: string;
}
export async function saveArticle(sql: Sql, { title, content, ...columns }: ArticleInput): Promise<void> {
  const html = await sanitiseBoth(content);
  const texts = { title_zh: title['zh-CN'], title_en: title.en, content_zh: html['zh-CN'], content_en: html.en };
  await upsert(sql, 'articles', { updated_at: new Date(), ...texts, ...columns }, 'id');
}

const configRules: Record<string, (text: string) => boolean> = {
  logo: isPicture,
  customer_qrcode: isPicture,
  customer_link: isTextLink,
  game_website_url: isWebAddress,
};

interface Social {
  key: string;
  name: Texts;
  url: string;
}

export async function appConfig(sql: Sql, locale: Locale): Promise<AppConfig> {
  const rows = await sql.rows<{ key: string; value: unknown }>('select key, value from app_config');
  const values = new Map(rows.map((row) => [row.key, row.value]));
  const text = (key: string) => {
    const value = values.get(key);
    const text = typeof value === 'object' && value ? textOf(value as Texts, locale) : String(value ?? '');
    // A value that an older version stored may break the rule.
    return configRules[key]?.(text) === false ? '' : text;
  };
  return {
    logo: text('logo'),
    brand: text('brand'),
    customerQrcode: text('customer_qrcode'),
    customer_qrcode: text('customer_qrcode'),
    workTime: text('work_time'),
    work_time: text('work_time'),
    customerLink: text('customer_link'),
    customer_link: text('customer_link'),
    icp: text('icp'),
    copyright: text('copyright'),
    sms: text('sms'),
    game_website_url: text('game_website_url'),
    social: ((values.get('social') as Social[] | undefined) ?? [])
      .filter((account) => isWebAddress(account.url))
      .map((account) => ({ name: textOf(account.name, locale), icon: account.key, url: account.url })),
    appId: text('app_id'),
  };
}

export function configFault(key: string, value: unknown): string | undefined {
  if (!isPlainConfig(value)) return 'it holds control characters';
  const text = String(value);
  const rule = configRules[key];
  if (rule && text && !rule(text))
    return rule === isPicture ? 'a picture is /media/…, /uploads/… or https://…' : fieldText('link', 'en');
  if (
    key === 'social' &&
    !(Array.isArray(value) && value.every((account: Partial<Social>) => isWebAddress(account?.url ?? '')))
  )
    return 'each needs a url that begins with https://';
  return undefined;
}

const isPlainConfig = bodyValidator({});

export async function saveConfig(sql: Sql, key: string, value: unknown): Promise<void> {
  await sql.run(
    'insert into app_config (key, value) values ($1, $2) on conflict (key) do update set value = excluded.value',
    [key, JSON.stringify(value)],
  );
}

export async function addEnquiry(sql: Sql, body: BusinessAddBody, address: string): Promise<void> {
  const { company, contact, phone, email = '', type, content } = body;
  const values = [company, contact, phone, email, type, content].map(plainText);
  if ([values[0], values[1], values[5]].some((value) => !value))
    throw new ShopError(ErrorCode.InvalidInput, { errors: {} });
  await sql.run(
    'insert into business_enquiries (company, contact, phone, email, type, content, address) values ($1, $2, $3, $4, $5, $6, $7)',
    [...values, address],
  );
}
