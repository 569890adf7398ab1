import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import { insert, type Sql, upsert } from '../platform/db/sql';
import { EditKeySchema, exact, inBoth, oneOf, type Period, period, text } from '../platform/http/edit-schemas';
import { ShopError } from '../platform/http/errors';
import { isListQuery, type Linked, PICTURE_PATTERN, sentLink } from '../platform/http/links';
import { suffixOf, textIn } from '../platform/http/localised-text';
import { wireAmount } from '../platform/http/money';
import type { View } from '../platform/http/request';
import { type Locale, Nullable } from '../platform/http/schemas';
import type { CacheableResponse } from '../platform/response-cache/response-cache';
import { nextChange, shownAt } from '../platform/response-cache/shown';
import type { Category, CustomModule, Swiper } from './catalogue.schemas';
import { pricesDiffer } from './goods-list.service';
import { onShelf } from './low-stock';

/** Channels of the mobile shop in the specification: carousel 4 and zones 3, both "new mobile". */
export const SWIPER_CHANNEL = 4;
export const MODULE_CHANNEL = 3;

const HOUR_MS = 3_600_000;

const PictureSchema = Type.String({ pattern: PICTURE_PATTERN, maxLength: 500 });
export const MOST_SORT = 1_000_000;
const SortSchema = Type.Integer({ minimum: 0, maximum: MOST_SORT });
const QuerySchema = Type.String({ pattern: '^[\\w=&+.%-]*$', maxLength: 300 });

/** Pages of the shop only: 0 none, 1 a product by its key, 2 a list by its query ("category=mobile"), 3 an article by its key. */
const link = { link_type: oneOf([0, 1, 2, 3] as const), link_value: QuerySchema };

export const StaffBannerSchema = exact({
  title: inBoth(100, 1),
  image: PictureSchema,
  image_alt: inBoth(200, 1),
  ...link,
  sort: SortSchema,
  shown: Type.Boolean(),
  ...period,
});
export type StaffBanner = Static<typeof StaffBannerSchema>;

const ItemSchema = exact({
  kind: oneOf(['goods', 'category', 'link'] as const),
  goods: Nullable(EditKeySchema),
  category: Nullable(EditKeySchema),
  /** null: the title of the product or category. */
  title: Nullable(inBoth(100)),
  image: Nullable(PictureSchema),
  tag: Nullable(inBoth(20)),
  /** 4, an https address, is allowed only if the item has it already: staff who edit the page cannot link to another site. */
  link_type: oneOf([0, 1, 2, 3, 4] as const),
  link_value: text(500),
});
export type StaffModuleItem = Static<typeof ItemSchema>;

export const StaffModuleSchema = exact({
  title: inBoth(100, 1),
  subtitle: inBoth(200),
  template: oneOf([1, 2, 3, 4, 5, 6] as const),
  /** Query of the list; null: no link. */
  more_link: Nullable(QuerySchema),
  countdown_hours: Nullable(Type.Integer({ minimum: 1, maximum: 8760 })),
  items: Type.Array(ItemSchema, { maxItems: 60 }),
  sort: SortSchema,
  shown: Type.Boolean(),
  ...period,
});
export type StaffModule = Static<typeof StaffModuleSchema>;

const placeAndPeriod = ({ sort, shown, starts_at, ends_at }: Period & { sort: number; shown: boolean }) => ({
  sort,
  status: shown ? 1 : 2,
  starts_at,
  ends_at,
});

/** Throws LinkLeadsNowhere. */
export async function saveBanner(sql: Sql, key: string, banner: StaffBanner): Promise<void> {
  const { title, image, image_alt, link_type } = banner;
  const texts = { title_zh: title['zh-CN'], title_en: title.en, alt_zh: image_alt['zh-CN'], alt_en: image_alt.en };
  const target = { link_type, link_value: await linkValue(sql, banner) };
  await upsert(sql, 'swipers', { key, channel: SWIPER_CHANNEL, ...texts, image, ...target, ...placeAndPeriod(banner) });
}

/** Replaces the items of the module. Throws LinkLeadsNowhere. */
export async function saveModule(sql: Sql, key: string, module: StaffModule): Promise<void> {
  const { template, title, subtitle, more_link, countdown_hours: hours, items } = module;
  // A countdown continues unless its length changes.
  const running = await sql.row<{ countdown_end: Date }>(
    'select countdown_end from custom_modules where key = $1 and countdown_hours = $2',
    [key, hours],
  );
  const query = more_link ? await linkValue(sql, { link_type: 2, link_value: more_link }) : more_link;
  const id = await upsert(sql, 'custom_modules', {
    key,
    channel: MODULE_CHANNEL,
    template,
    title,
    subtitle,
    more_link: query === null ? '' : `/goods${query ? `?${query}` : ''}`,
    countdown_hours: hours,
    countdown_end: running?.countdown_end ?? (hours && new Date(Date.now() + hours * HOUR_MS)),
    ...placeAndPeriod(module),
  });
  await sql.run('delete from custom_module_items where module_id = $1', [id]);
  for (const [sort, { goods, category, ...item }] of items.entries())
    await insert(sql, 'custom_module_items', {
      ...item,
      module_id: id,
      goods_id: goods && (await idOf(sql, 'goods', goods)),
      category_id: category && (await idOf(sql, 'categories', category)),
      link_value: await linkValue(sql, item),
      sort,
    });
}

async function linkValue(sql: Sql, { link_type, link_value }: Linked): Promise<string> {
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
  if (!row) throw new ShopError(StaffErrorCode.LinkLeadsNowhere);
  return row.id;
}

export async function swipers(sql: Sql, channel: number, locale: Locale): Promise<CacheableResponse<Swiper[]>> {
  const to = suffixOf(locale);
  const now = new Date(Date.now());
  const data = await sql.rows<Swiper>(
    `select id, title_${to} as title, image, alt_${to} as image_alt, link_type, link_value, sort
       from swipers s where channel = $1 and status = 1 and ${shownAt('s', '$2')} order by sort, id`,
    [channel, now],
  );
  return { data: data.map(sentLink), ...(await nextChange(sql, 'swipers', now)) };
}

export function categories(sql: Sql, locale: Locale): Promise<Category[]> {
  return sql.rows<Category>(
    `select id, name_${suffixOf(locale)} as name, icon, sort from categories order by sort, id`,
  );
}

const minPrice = `(select min(case when p.spec_id is null then p.price * g.custom_min else p.price end)
  from prices p left join goods_specs s on s.id = p.spec_id
 where p.goods_id = g.id and p.currency = $1 and (p.spec_id is null or s.active))`;

const minOriginal = `(select min(case when p.spec_id is null then p.original_price * g.custom_min else p.original_price end)
  from prices p where p.goods_id = g.id and p.currency = $1)`;

/** SQL of the items of the module `m`, without goods that the viewer cannot buy. */
const itemsOf = (locale: Locale) => `coalesce((
  select json_agg(json_strip_nulls(json_build_object('id', i.id, 'kind', i.kind, 'image', coalesce(i.image, g.image, c.icon, ''),
           'title', coalesce(${textIn('i.title', locale)}, g.name_${suffixOf(locale)}, c.name_${suffixOf(locale)}, ''),
           'price', ${wireAmount('lowest.price')}, 'prices_differ', case when lowest.price is not null then ${pricesDiffer('$1')} end,
           'original_price', case when lowest.original > lowest.price then ${wireAmount('lowest.original')} end,
           'tag', coalesce(${textIn('i.tag', locale)}, ${textIn('g.tags -> 0', locale)}),
           'link_type', i.link_type, 'link_value', i.link_value)) order by i.sort, i.id)
    from custom_module_items i
    left join goods g on g.id = i.goods_id
    left join categories c on c.id = i.category_id
    cross join lateral (select ${minPrice} as price, ${minOriginal} as original) lowest
   where i.module_id = m.id and (i.goods_id is null or (lowest.price is not null and ${onShelf('$3')}))), '[]')`;

interface ModuleRow extends Omit<CustomModule, 'countdown_end'> {
  countdown_hours: number | null;
  countdown_end: Date | null;
}

/** The response expires with the first countdown, and when a module appears or disappears. */
export async function customModules(sql: Sql, channel: number, view: View): Promise<CacheableResponse<CustomModule[]>> {
  const now = new Date(Date.now());
  const modules = await sql.rows<ModuleRow>(
    `select m.id, coalesce(${textIn('m.title', view.locale)}, '') as title, coalesce(${textIn('m.subtitle', view.locale)}, '') as subtitle,
            m.template, m.sort, m.more_link, m.countdown_hours, m.countdown_end, ${itemsOf(view.locale)} as items
       from custom_modules m where m.channel = $4 and m.status = 1 and ${shownAt('m', '$2')} order by m.sort, m.id`,
    [view.currency, now, view.viewer?.isVip ?? false, channel],
  );
  const data = modules.map(({ countdown_hours, countdown_end, ...module }) => ({
    ...module,
    more_link: isListQuery(module.more_link) ? module.more_link : '',
    ...(countdown_hours && countdown_end ? { countdown_end: renewed(countdown_end, countdown_hours) } : {}),
    items: module.items.map(sentLink),
  }));
  const ends = data.flatMap(({ countdown_end }) => (countdown_end ? [Date.parse(countdown_end)] : []));
  const { expiresAt: change = Number.POSITIVE_INFINITY } = await nextChange(sql, 'custom_modules', now);
  const expiresAt = Math.min(change, ...ends);
  return { data, ...(Number.isFinite(expiresAt) && { expiresAt }) };
}

/** A countdown that has ended starts again, so that the demo data stays current. */
function renewed(end: Date, hours: number): string {
  const step = hours * HOUR_MS;
  const late = Math.max(0, Math.ceil((Date.now() - end.getTime()) / step));
  return new Date(end.getTime() + late * step).toISOString();
}
