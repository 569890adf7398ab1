import {
  MODULE_CHANNEL,
  MOST_SORT,
  type StaffBanner,
  type StaffModule,
  SWIPER_CHANNEL,
  saveBanner,
  saveModule,
} from '@shop/server/catalogue/storefront.store';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { EditKeySchema, exact, type Period, periodFaults, shownState } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { isLink, type Linked } from '@shop/server/platform/http/links';
import type { Texts } from '@shop/server/platform/http/localised-text';
import { plainText } from '@shop/server/platform/http/plain-text';
import { ErrorCode, LinkType, languages } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import { type Editable, lockEdits } from '../edits/edits.service';
import { record } from '../people/record';
import { instant, textsOf, update } from '../sql';

const KeysSchema = Type.Array(EditKeySchema, { maxItems: 1000 });
/** `keys` has the keys of all banners, or of all modules, in the new order; `before` is the order that the user saw. */
export const HomeOrderBodySchema = exact({ keys: KeysSchema, before: KeysSchema });

/** SQL of a link's value with keys instead of ids, as saveBanner and saveModule expect it. */
const linkWithKeys = (row: string) => `case ${row}.link_type
  when 1 then coalesce((select key from goods where id::text = ${row}.link_value), ${row}.link_value)
  when 2 then ${queryWithKeys(`${row}.link_value`)}
  else ${row}.link_value end`;

/** SQL of a list's query with the category's key instead of its id. */
function queryWithKeys(query: string): string {
  const id = `substring(${query} from '(?:^|[?&])category_id=(\\d+)')`;
  return `coalesce(replace(${query}, 'category_id=' || ${id}, 'category=' || (select key from categories where id::text = ${id})), ${query})`;
}

const placeAndPeriod = (row: string) => `'sort', ${row}.sort, 'shown', ${row}.status = 1,
  'starts_at', ${instant(`${row}.starts_at`)}, 'ends_at', ${instant(`${row}.ends_at`)}`;
const banners = `select s.key, json_build_object('title', ${textsOf('s.title')}, 'image', s.image, 'image_alt', ${textsOf('s.alt')},
    'link_type', s.link_type, 'link_value', ${linkWithKeys('s')}, ${placeAndPeriod('s')}) as value
  from swipers s where s.channel = ${SWIPER_CHANNEL}`;
const items = `coalesce((
  select json_agg(json_build_object('kind', i.kind, 'goods', g.key, 'category', c.key, 'title', i.title, 'image', i.image, 'tag', i.tag,
           'link_type', i.link_type, 'link_value', ${linkWithKeys('i')}) order by i.sort, i.id)
    from custom_module_items i left join goods g on g.id = i.goods_id left join categories c on c.id = i.category_id
   where i.module_id = m.id), '[]')`;
const modules = `select m.key, json_build_object('title', m.title, 'subtitle', m.subtitle, 'template', m.template,
    'more_link', case when m.more_link <> '' then regexp_replace(${queryWithKeys('m.more_link')}, '^/goods\\??', '') end,
    'countdown_hours', m.countdown_hours, 'items', ${items}, ${placeAndPeriod('m')}) as value
  from custom_modules m where m.channel = ${MODULE_CHANNEL}`;

async function listed<T extends Period & { shown: boolean }>(sql: Sql, query: string) {
  const rows = await sql.rows<{ key: string; value: T }>(query);
  return rows.map(({ key, value }) => ({ key, state: shownState(value, value.shown, Date.now()), value }));
}
export const listBanners = (sql: Sql) => listed<StaffBanner>(sql, `${banners} order by s.sort, s.id`);
export const listModules = (sql: Sql) => listed<StaffModule>(sql, `${modules} order by m.sort, m.id`);

/** Faults of a title and of the period in which it is shown. */
export function titleFaults({ title, starts_at, ends_at }: Period & { title: Texts }): Record<string, string> {
  const faults = periodFaults(['starts_at', starts_at], ['ends_at', ends_at]);
  for (const language of languages) if (!plainText(title[language])) faults[`title.${language}`] = 'required';
  return faults;
}

/** A link to another site stays; the console cannot set one. */
function linkFaults(link: Linked, at = '', before: Linked[] = []): Record<string, string> {
  const isNew = !before.some(
    (existing) => existing.link_type === link.link_type && existing.link_value === link.link_value,
  );
  if (link.link_type === LinkType.Web && isNew) return { [`${at}link_value`]: 'webLink' };
  return isLink(link.link_type, link.link_value) ? {} : { [`${at}link_value`]: 'link' };
}

export const bannerEditable: Editable<StaffBanner> = {
  kind: 'banner',
  read: async (sql, key) => (await sql.row<{ value: StaffBanner }>(`${banners} and s.key = $1`, [key]))?.value,
  faults: async (_sql, value) => ({ ...titleFaults(value), ...linkFaults(value) }),
  write: saveBanner,
};

export const moduleEditable: Editable<StaffModule> = {
  kind: 'module',
  read: async (sql, key) => (await sql.row<{ value: StaffModule }>(`${modules} and m.key = $1`, [key]))?.value,
  faults: async (_sql, value, before) => {
    const faults = titleFaults(value);
    for (const [index, item] of value.items.entries()) {
      const { kind, goods, category } = item;
      if ((kind === 'goods' && !goods) || (kind === 'category' && !category)) faults[`items.${index}`] = 'required';
      Object.assign(faults, linkFaults(item, `items.${index}.`, before?.items));
    }
    return faults;
  },
  write: saveModule,
};

interface Placed {
  key: string;
  value: { sort: number };
}

/**
 * The sort numbers of the new order, ascending. Items that stay keep their number, so that swapping two neighbours changes two
 * items. Equal numbers are ordered by age, so they may remain only if both items stay.
 */
function placesOf(listed: readonly Placed[], keys: readonly string[]): number[] {
  let last = -1;
  let hasStayed = false;
  const places = listed.map(({ key, value: { sort } }, index) => {
    hasStayed = keys[index] === key && (sort > last || (sort === last && hasStayed));
    last = hasStayed ? sort : Math.max(sort, last + 1);
    return last;
  });
  return last > MOST_SORT ? listed.map((_, index) => index + 1) : places;
}

const ordered = {
  banner: { table: 'swipers', list: listBanners },
  module: { table: 'custom_modules', list: listModules },
};

/**
 * Puts all banners, or all modules, in this order; each moved item gets an entry in its history. Throws EditConflict if the order
 * is not the one that the user saw, and InvalidInput if the keys differ.
 */
export const saveOrder = (
  db: Database,
  kind: keyof typeof ordered,
  { keys, before }: Static<typeof HomeOrderBodySchema>,
): Promise<void> =>
  db.withTransaction(async (sql) => {
    const { table, list } = ordered[kind];
    await lockEdits(sql, 'order of', kind);
    for (const key of keys) await lockEdits(sql, kind, key);
    const listed: Placed[] = await list(sql);
    const current = listed.map(({ key }) => key);
    if (current.join() !== before.join()) throw new ShopError(StaffErrorCode.EditConflict);
    if ([...current].sort().join() !== [...keys].sort().join()) throw new ShopError(ErrorCode.InvalidInput);
    const places = placesOf(listed, keys);
    for (const [index, key] of keys.entries()) {
      const after = { sort: places[index] };
      const from = listed.find((placed) => placed.key === key)?.value.sort;
      if (from === after.sort) continue;
      await update(sql, table, 'key', key, after);
      await record(sql, { action: `${kind}.edit`, subject: key, detail: { before: { sort: from }, after } });
    }
  });
