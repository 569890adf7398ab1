import type { Sql } from '../platform/db/sql';
import { isListQuery, sentLink } from '../platform/http/links';
import { suffixOf, textIn } from '../platform/http/localised-text';
import { wireAmount } from '../platform/http/money';
import type { View } from '../platform/http/request';
import type { Locale } from '../platform/http/schemas';
import type { CacheableResponse } from '../platform/response-cache/response-cache';
import { nextChange, shownAt } from '../platform/response-cache/shown';
import type { Category, CustomModule, Swiper } from './catalogue.schemas';
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
  const step = hours * 3_600_000;
  const late = Math.max(0, Math.ceil((Date.now() - end.getTime()) / step));
  return new Date(end.getTime() + late * step).toISOString();
}
