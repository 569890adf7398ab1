import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import { insert, type Sql, upsert } from '../platform/db/sql';
import { EditKeySchema, exact, inBoth, oneOf, type Period, period, text } from '../platform/http/edit-schemas';
import { ShopError } from '../platform/http/errors';
import { type Linked, PICTURE_PATTERN } from '../platform/http/links';
import { Nullable } from '../platform/http/schemas';

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
