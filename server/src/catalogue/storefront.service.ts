import type { Sql } from '../platform/db/sql';
import { isListQuery, sentLink } from '../platform/http/links';
import { suffixOf, type Texts, textOf } from '../platform/http/localised-text';
import { toWire } from '../platform/http/money';
import type { View } from '../platform/http/request';
import type { Locale } from '../platform/http/schemas';
import type { CacheableResponse } from '../platform/response-cache/response-cache';
import { nextChange, shownAt } from '../platform/response-cache/shown';
import type { Category, CustomModule, ModuleItem, Swiper } from './catalogue.schemas';
import { pricesDiffer } from './goods-list.service';
import { onShelf } from './low-stock';

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

interface ModuleRow extends Pick<CustomModule, 'id' | 'template' | 'sort' | 'more_link'> {
  title: Texts;
  subtitle: Texts;
  countdown_hours: number | null;
  countdown_end: Date | null;
}
interface ModuleItemRow extends Pick<ModuleItem, 'id' | 'kind' | 'link_type' | 'link_value'> {
  module_id: number;
  title: Texts | null;
  image: string | null;
  tag: Texts | null;
  goods_id: number | null;
  name: string | null;
  goods_image: string | null;
  price: number | null;
  prices_differ: boolean | null;
  original: number | null;
  tags: Texts[] | null;
  category_name: string | null;
  category_icon: string | null;
}

/** The response expires with the first countdown, and when a module appears or disappears. */
export async function customModules(sql: Sql, channel: number, view: View): Promise<CacheableResponse<CustomModule[]>> {
  const to = suffixOf(view.locale);
  const now = new Date(Date.now());
  const modules = await sql.rows<ModuleRow>(
    `select id, title, subtitle, template, sort, more_link, countdown_hours, countdown_end
       from custom_modules m where channel = $1 and status = 1 and ${shownAt('m', '$2')} order by sort, id`,
    [channel, now],
  );
  const items = await sql.rows<ModuleItemRow>(
    `select i.id, i.module_id, i.kind, i.title, i.image, i.tag, i.link_type, i.link_value, i.goods_id,
            g.name_${to} as name, g.image as goods_image, g.tags, ${minPrice} as price,
            ${pricesDiffer('$1')} as prices_differ,
            (select min(case when p.spec_id is null then p.original_price * g.custom_min else p.original_price end)
               from prices p where p.goods_id = g.id and p.currency = $1) as original,
            c.name_${to} as category_name, c.icon as category_icon
       from custom_module_items i
       left join goods g on g.id = i.goods_id
       left join categories c on c.id = i.category_id
      where i.module_id = any($2) and (i.goods_id is null or ${onShelf('$3')})
      order by i.module_id, i.sort, i.id`,
    [view.currency, modules.map((module) => module.id), view.viewer?.isVip ?? false],
  );
  const data = modules.map(({ countdown_hours, countdown_end, title, subtitle, ...plain }) => ({
    ...plain,
    title: textOf(title, view.locale),
    subtitle: textOf(subtitle, view.locale),
    more_link: isListQuery(plain.more_link) ? plain.more_link : '',
    ...(countdown_hours && countdown_end ? { countdown_end: renewed(countdown_end, countdown_hours) } : {}),
    items: items
      .filter((item) => item.module_id === plain.id && (item.goods_id === null || item.price !== null))
      .map((item) => moduleItem(item, view.locale)),
  }));
  const ends = data.flatMap(({ countdown_end }) => (countdown_end ? [Date.parse(countdown_end)] : []));
  const { expiresAt: change = Number.POSITIVE_INFINITY } = await nextChange(sql, 'custom_modules', now);
  const expiresAt = Math.min(change, ...ends);
  return { data, ...(Number.isFinite(expiresAt) && { expiresAt }) };
}

function moduleItem(row: ModuleItemRow, locale: Locale): ModuleItem {
  const tag = textOf(row.tag, locale) || textOf(row.tags?.[0], locale);
  return sentLink({
    id: row.id,
    kind: row.kind,
    image: row.image ?? row.goods_image ?? row.category_icon ?? '',
    title: textOf(row.title, locale) || row.name || row.category_name || '',
    ...(row.price === null ? {} : { price: toWire(row.price), prices_differ: row.prices_differ === true }),
    ...(row.price === null || row.original === null || row.original <= row.price
      ? {}
      : { original_price: toWire(row.original) }),
    ...(tag ? { tag } : {}),
    link_type: row.link_type,
    link_value: row.link_value,
  });
}

/** A countdown that has ended starts again, so that the demo data stays current. */
function renewed(end: Date, hours: number): string {
  const step = hours * 3_600_000;
  const late = Math.max(0, Math.ceil((Date.now() - end.getTime()) / step));
  return new Date(end.getTime() + late * step).toISOString();
}
