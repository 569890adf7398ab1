import type { Sql } from '../platform/db/sql';
import { upsert } from '../platform/db/upsert';
import type { Texts } from '../platform/http/localised-text';

/** Channels of the mobile shop in the specification: carousel 4 and zones 3, both "new mobile". */
export const SWIPER_CHANNEL = 4;
export const MODULE_CHANNEL = 3;

const HOUR_MS = 3_600_000;

export class UnknownKeyError extends Error {}

/**
 * `link_value` by `link_type`, with keys that are resolved to ids: 1 goods, 2 a query of the list ("category=mobile"), 3 an
 * article's id, 4 an address, 0 nothing.
 */
export interface LinkInput {
  link_type: number;
  link_value: string;
}
export interface BannerInput extends LinkInput {
  key: string;
  channel: number;
  title: Texts;
  image: string;
  image_alt: Texts;
  sort: number;
  /** 1 shown, 2 hidden */
  status: number;
}
interface ModuleItemInput extends LinkInput {
  kind: string;
  goods?: string | null;
  category?: string | null;
  title?: Texts | null;
  image?: string | null;
  tag?: Texts | null;
}
export interface ModuleInput {
  key: string;
  channel: number;
  template: number;
  title: Texts;
  subtitle: Texts;
  sort: number;
  /** A query of the list; null: no link. */
  more_link: string | null;
  countdown_hours?: number | null;
  items: ModuleItemInput[];
}

/** Throws UnknownKeyError. */
export async function saveBanner(sql: Sql, banner: BannerInput): Promise<void> {
  const { key, channel, title, image, image_alt, link_type, sort, status } = banner;
  const texts = { title_zh: title['zh-CN'], title_en: title.en, alt_zh: image_alt['zh-CN'], alt_en: image_alt.en };
  const link_value = await linkValue(sql, banner);
  await upsert(sql, 'swipers', { key, channel, ...texts, image, link_type, link_value, sort, status });
}

/** Replaces the items of the module. Throws UnknownKeyError. */
export async function saveModule(sql: Sql, module: ModuleInput): Promise<void> {
  const { key, channel, template, title, subtitle, sort, more_link, countdown_hours: hours, items } = module;
  const query = more_link ? await linkValue(sql, { link_type: 2, link_value: more_link }) : more_link;
  const id = await upsert(sql, 'custom_modules', {
    key,
    channel,
    template,
    title,
    subtitle,
    sort,
    more_link: query === null ? '' : `/goods${query ? `?${query}` : ''}`,
    countdown_hours: hours ?? null,
    countdown_end: hours ? new Date(Date.now() + hours * HOUR_MS) : null,
  });
  await sql.run('delete from custom_module_items where module_id = $1', [id]);
  for (const [sort, item] of items.entries()) {
    await sql.run(
      `insert into custom_module_items (module_id, kind, goods_id, category_id, title, image, tag, link_type, link_value, sort)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
      [
        id,
        item.kind,
        item.goods ? await idOf(sql, 'goods', item.goods) : null,
        item.category ? await idOf(sql, 'categories', item.category) : null,
        item.title ?? null,
        item.image ?? null,
        item.tag ?? null,
        item.link_type,
        await linkValue(sql, item),
        sort,
      ],
    );
  }
}

async function linkValue(sql: Sql, { link_type, link_value }: LinkInput): Promise<string> {
  if (link_type === 1) return String(await idOf(sql, 'goods', link_value));
  if (link_type === 3) return idOf(sql, 'articles', link_value);
  const category = link_type === 2 ? /(?<=^|&)category=([\w.+-]+)/.exec(link_value) : null;
  if (!category) return link_value;
  return link_value.replace(category[0], `category_id=${await idOf(sql, 'categories', category[1] as string)}`);
}

async function idOf(sql: Sql, table: 'goods' | 'categories' | 'articles', key: string): Promise<string> {
  const row = await sql.row<{ id: string }>(
    `select id::text as id from ${table} where ${table === 'articles' ? 'id' : 'key'} = $1`,
    [key],
  );
  if (!row) throw new UnknownKeyError(`no row of ${table} has the key "${key}"`);
  return row.id;
}
