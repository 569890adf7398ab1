import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { seal, sha256, unseal } from '../crypto/tokens';
import type { Sql } from '../db/sql';
import { fieldError, ShopError } from '../http/errors';
import { fieldText } from '../http/field-messages';
import { suffixOf, type Texts, textOf } from '../http/localised-text';
import { toWire } from '../http/money';
import { pageOf, pagingOf } from '../http/paging';
import type { Viewer } from '../http/request';
import type { Currency, Locale, Page } from '../http/schemas';
import type { CacheableResponse, StockChange } from '../response-cache/response-cache';
import type {
  Category,
  CustomModule,
  FieldValues,
  GoodsField,
  GoodsInfo,
  GoodsListItem,
  GoodsListQuery,
  ModuleItem,
  SearchSuggest,
  Swiper,
} from './catalogue.schemas';
import { normalise } from './search-text';

/** Who looks, and how: what every catalogue answer depends on. */
export interface View {
  locale: Locale;
  currency: Currency;
  viewer: Viewer | undefined;
}

const VALIDATION_SECONDS = 600;

export function swipers(sql: Sql, channel: number, locale: Locale): Promise<Swiper[]> {
  const to = suffixOf(locale);
  return sql.rows<Swiper>(
    `select id, title_${to} as title, image, alt_${to} as image_alt, link_type, link_value, sort
       from swipers where channel = $1 and status = 1 order by sort, id`,
    [channel],
  );
}

export function categories(sql: Sql, locale: Locale): Promise<Category[]> {
  return sql.rows<Category>(
    `select id, name_${suffixOf(locale)} as name, icon, sort from categories order by sort, id`,
  );
}

/** The least that an order of the goods can cost in the currency $1: of `g`, a row of goods. */
const minPrice = `(select min(case when p.spec_id is null then p.price * g.custom_min else p.price end)
  from prices p left join goods_specs s on s.id = p.spec_id
 where p.goods_id = g.id and p.currency = $1 and (p.spec_id is null or s.active))`;
const soldOut = `(g.spec_type = 1 and not exists (
  select 1 from goods_specs s where s.goods_id = g.id and s.active and spec_stock_mark(g.recharge_type, s.id, s.stock) > 0))`;

interface ModuleRow {
  id: number;
  title: Texts;
  subtitle: Texts;
  template: number;
  sort: number;
  more_link: string;
  countdown_hours: number | null;
  countdown_end: Date | null;
}
interface ModuleItemRow {
  id: number;
  module_id: number;
  kind: string;
  title: Texts | null;
  image: string | null;
  tag: Texts | null;
  link_type: number;
  link_value: string;
  goods_id: number | null;
  name: string | null;
  goods_image: string | null;
  price: number | null;
  original: number | null;
  tags: Texts[] | null;
  category_name: string | null;
  category_icon: string | null;
}

/** Ends when a countdown does. */
export async function customModules(sql: Sql, channel: number, view: View): Promise<CacheableResponse<CustomModule[]>> {
  const to = suffixOf(view.locale);
  const modules = await sql.rows<ModuleRow>(
    `select id, title, subtitle, template, sort, more_link, countdown_hours, countdown_end
       from custom_modules where channel = $1 order by sort, id`,
    [channel],
  );
  const items = await sql.rows<ModuleItemRow>(
    `select i.id, i.module_id, i.kind, i.title, i.image, i.tag, i.link_type, i.link_value, i.goods_id,
            g.name_${to} as name, g.image as goods_image, g.tags, ${minPrice} as price,
            (select min(case when p.spec_id is null then p.original_price * g.custom_min else p.original_price end)
               from prices p where p.goods_id = g.id and p.currency = $1) as original,
            c.name_${to} as category_name, c.icon as category_icon
       from custom_module_items i
       left join goods g on g.id = i.goods_id
       left join categories c on c.id = i.category_id
      where i.module_id = any($2) and (i.goods_id is null or g.status = 1 or (g.status = 3 and $3))
      order by i.module_id, i.sort, i.id`,
    [view.currency, modules.map((one) => one.id), view.viewer?.isVip ?? false],
  );
  const data = modules.map(({ countdown_hours, countdown_end, title, subtitle, ...plain }) => ({
    ...plain,
    title: textOf(title, view.locale),
    subtitle: textOf(subtitle, view.locale),
    ...(countdown_hours && countdown_end ? { countdown_end: renewed(countdown_end, countdown_hours) } : {}),
    items: items
      .filter((item) => item.module_id === plain.id && (item.goods_id === null || item.price !== null))
      .map((item) => moduleItem(item, view.locale)),
  }));
  const ends = data.flatMap(({ countdown_end }) => (countdown_end ? [Date.parse(countdown_end)] : []));
  return { data, ...(ends.length ? { until: Math.min(...ends) } : {}) };
}

function moduleItem(row: ModuleItemRow, locale: Locale): ModuleItem {
  const tag = textOf(row.tag, locale) || textOf(row.tags?.[0], locale);
  return {
    id: row.id,
    kind: row.kind,
    image: row.image ?? row.goods_image ?? row.category_icon ?? '',
    title: textOf(row.title, locale) || row.name || row.category_name || '',
    ...(row.price === null ? {} : { price: toWire(row.price) }),
    ...(row.original === null || row.original === row.price ? {} : { original_price: toWire(row.original) }),
    ...(tag ? { tag } : {}),
    link_type: row.link_type,
    link_value: row.link_value,
  };
}

/** A countdown that has passed begins anew, so that the demonstration never goes stale. */
function renewed(end: Date, hours: number): string {
  const step = hours * 3_600_000;
  const late = Math.max(0, Math.ceil((Date.now() - end.getTime()) / step));
  return new Date(end.getTime() + late * step).toISOString();
}

interface GoodsRow {
  id: number;
  name: string;
  image: string;
  initial: string;
  category_id: number;
  recharge_type: number;
  min_price: number;
  tags: Texts[];
  sold_out: boolean;
}

/** Each is an index of the table shelf. */
const orders: Record<string, string> = {
  default: 'sort, goods_id',
  hot: 'sales desc, sort, goods_id',
  new: 'goods_id desc',
  price_asc: 'min_price, goods_id',
  price_desc: 'min_price desc, goods_id desc',
  name: 'initial, sort, goods_id',
};
/** A list is looked through from its start; nobody reads further than this, and a robot must not make the shop count. */
const DEEPEST_ROW = 10_000;
/** A word that more goods carry than this finds so many of them: ten pages. */
const MOST_FOUND = 200;

/** What a list depends on beside the view, in one spelling. */
export function listKey(query: GoodsListQuery) {
  const { page, limit } = pagingOf(query);
  const sort = query.sort && Object.hasOwn(orders, query.sort) ? query.sort : 'default';
  const { letter, category_id = null, recharge_type = null } = query;
  return [normalise(query.keyword ?? ''), letter?.toUpperCase() || null, category_id, recharge_type, sort, page, limit];
}

/** Whether the keyword says anything that could be found. */
export const isEmptySearch = ({ keyword }: GoodsListQuery) => Boolean(keyword?.trim()) && !normalise(keyword ?? '');

/**
 * SQL of the goods that a keyword finds: (goods_id, rank). A word that is found whole comes first ("ys" is 原神 before it is the middle
 * of PlayStation), then one found at a start. No goods are of two ranks, so the ranks are read in turn and no further than what is
 * found at most: a word that all goods carry costs no more in a larger shop, and a later rank nothing when the better ones suffice.
 */
function foundBy(keyword: string, value: (one: unknown) => string): string {
  const letters = [...keyword];
  const pieces =
    letters.length <= 3 ? [keyword] : letters.slice(2).map((_one, at) => letters.slice(at, at + 3).join(''));
  const word = value(keyword);
  const whole = `strpos(search_text, '|' || ${word} || '|') > 0`;
  const atStart = `strpos(search_text, '|' || ${word}) > 0`;
  const tier = (rank: number, grams: string[], holds: string) =>
    `(select id as goods_id, ${rank} as rank from goods where search_grams @> ${value(grams)}::text[]
         and status <> 2 and ${holds} limit ${MOST_FOUND})`;
  const tiers = [
    tier(0, [`=${keyword}`], whole),
    tier(1, [`^${letters.slice(0, 3).join('')}`, ...pieces], `${atStart} and not (${whole})`),
    tier(2, pieces, `strpos(search_text, ${word}) > 0 and not (${atStart})`),
  ];
  return `(${tiers.join(' union all ')} limit ${MOST_FOUND}) found`;
}

export async function goodsList(
  sql: Sql,
  query: GoodsListQuery,
  view: View,
): Promise<CacheableResponse<Page<GoodsListItem>>> {
  const paging = pagingOf(query);
  const [, letter, categoryId, rechargeType, sort] = listKey(query);
  const keyword = normalise(query.keyword ?? '');
  if (isEmptySearch(query)) return { data: pageOf<GoodsListItem>([], 0, paging) };
  const values: unknown[] = [view.currency, view.viewer?.isVip ?? false];
  const value = (one: unknown) => `$${values.push(one)}`;
  const where = ['currency = $1', '(status = 1 or (status = 3 and $2))'];
  if (letter) where.push(`initial = ${value(letter)}`);
  if (categoryId) where.push(`category_id = ${value(categoryId)}`);
  if (rechargeType) where.push(`recharge_type = ${value(rechargeType)}`);
  const offset = Math.min(paging.offset, DEEPEST_ROW);
  const order = orders[String(sort)];
  const [from, first, total] = keyword
    ? [`shelf join ${foundBy(keyword, value)} using (goods_id)`, 'rank, ', 'count(*) over ()']
    : ['shelf', '', `(select coalesce(sum(goods), 0) from shelf_counts where ${where.join(' and ')})`];
  const limit = value(Math.min(paging.limit, DEEPEST_ROW - offset));
  const rows = await sql.rows<GoodsRow & { total: number }>(
    `select g.id, g.name_${suffixOf(view.locale)} as name, g.image, g.initial, g.category_id, g.recharge_type, g.tags,
            page.min_price, page.total::bigint as total, ${soldOut} as sold_out
       from (select *, ${total} as total from ${from} where ${where.join(' and ')}
              order by ${first}${order} limit ${limit} offset ${value(offset)}) page
       join goods g on g.id = page.goods_id
      order by ${[first + order].map((one) => one.replace(/\b(rank|sort|goods_id|sales|min_price|initial)\b/g, 'page.$1'))}`,
    values,
  );
  const list = rows.map(({ id, name, image, initial, category_id, recharge_type, min_price, tags, sold_out }) => ({
    id,
    name,
    image,
    initial,
    category_id,
    recharge_types: [recharge_type],
    min_price: toWire(min_price),
    currency: view.currency,
    tags: tags.map((tag) => textOf(tag, view.locale)),
    sold_out,
  }));
  const data = pageOf(list, rows[0]?.total ?? 0, paging);
  const soldOutOf = new Map(list.map((one) => [one.id, one.sold_out]));
  return {
    data: { ...data, has_more: data.has_more && paging.page * paging.limit < DEEPEST_ROW },
    goods: [...soldOutOf.keys()],
    holds: (change) => soldOutOf.get(change.goods_id) === change.sold_out,
  };
}

interface GoodsDetailRow {
  id: number;
  name: string;
  image: string;
  images: string[];
  category_id: number;
  status: number;
  recharge_type: number;
  spec_type: number;
  description: string;
  notice: string;
  tags: Texts[];
  fields: StoredField[];
  min_qty: number;
  max_qty: number;
  per_user: number;
  per_day: number;
  need_verify_account: boolean;
  custom_min: number | null;
  custom_max: number | null;
  custom_step: number | null;
  custom_unit: Texts | null;
  unit_price: number | null;
  specs: Array<{
    id: number;
    name: string;
    face_value: string;
    price: number;
    original_price: number;
    max_qty: number;
    mark: number;
  }>;
}

/** The same for everybody: `limits.used` is 0 and is the person's own to fill in, see `withUsed`. */
export async function goodsInfo(sql: Sql, id: number, view: View): Promise<CacheableResponse<GoodsInfo>> {
  const to = suffixOf(view.locale);
  const row = await sql.row<GoodsDetailRow>(
    `select g.id, g.name_${to} as name, g.image, g.images, g.category_id, g.status, g.recharge_type, g.spec_type,
            g.description_${to} as description, g.notice_${to} as notice, g.tags, g.fields, g.min_qty, g.max_qty,
            g.per_user, g.per_day, g.need_verify_account, g.custom_min, g.custom_max, g.custom_step, g.custom_unit,
            (select price from prices where goods_id = g.id and spec_id is null and currency = $1) as unit_price,
            coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name_${to}, 'face_value', s.face_value,
                'price', p.price, 'original_price', p.original_price, 'max_qty', s.max_qty,
                'mark', spec_stock_mark(g.recharge_type, s.id, s.stock)) order by s.sort, s.id)
               from goods_specs s join prices p on p.spec_id = s.id and p.currency = $1
              where s.goods_id = g.id and s.active), '[]') as specs
       from goods g where g.id = $2 and (g.status = 1 or (g.status = 3 and $3))`,
    [view.currency, id, view.viewer?.isVip ?? false],
  );
  if (!row) throw new ShopError(ErrorCode.GoodsUnavailable);
  if (row.spec_type === 1 ? row.specs.length === 0 : row.unit_price === null)
    throw new ShopError(ErrorCode.CurrencyNotOffered);
  const data: GoodsInfo = {
    id: row.id,
    name: row.name,
    image: row.image,
    images: row.images.length ? row.images : [row.image],
    category_id: row.category_id,
    tags: row.tags.map((tag) => textOf(tag, view.locale)),
    status: row.status,
    recharge_type: row.recharge_type,
    description_html: row.description,
    notice: row.notice,
    spec_type: row.spec_type,
    specs: row.specs.map(({ mark, price, original_price, ...spec }) => ({
      ...spec,
      price: toWire(price),
      original_price: toWire(original_price),
      stock_state: mark,
    })),
    custom:
      row.spec_type === 2
        ? {
            min: row.custom_min ?? 0,
            max: row.custom_max ?? 0,
            step: row.custom_step ?? 1,
            unit_price: toWire(row.unit_price ?? 0),
            unit: textOf(row.custom_unit, view.locale),
          }
        : null,
    fields: row.fields.map((field) => fieldIn(field, view.locale)),
    limits: { min: row.min_qty, max: row.max_qty, per_user: row.per_user, per_day: row.per_day, used: 0 },
    need_verify_account: row.need_verify_account,
    currency: view.currency,
  };
  const holds = ({ marks }: StockChange) => data.specs.every((spec) => marks[spec.id] === spec.stock_state);
  return { data, goods: [id], holds, personal: row.per_user > 0 || row.per_day > 0 };
}

/** With what the person has bought of it already, for goods that limit that. */
export async function withUsed(sql: Sql, data: GoodsInfo, viewer: Viewer): Promise<GoodsInfo> {
  const used = await bought(sql, viewer.id, data.id, data.limits.per_day > 0);
  return { ...data, limits: { ...data.limits, used } };
}

async function bought(sql: Sql, userId: number, goodsId: number, today: boolean): Promise<number> {
  const { used } = await sql.one<{ used: number }>(
    `select coalesce(sum(quantity), 0)::integer as used from orders
      where user_id = $1 and goods_id = $2 and closed_at is null and status <> 60
        and (not $3 or created_at > now() - interval '1 day')`,
    [userId, goodsId, today],
  );
  return used;
}

/** A field as the staff wrote it: texts in every language. */
export interface StoredField extends Omit<GoodsField, 'label' | 'help' | 'options'> {
  label: Texts;
  help?: Texts;
  options?: Array<{ value: string; label: Texts; when?: string[] }>;
}

function fieldIn(field: StoredField, locale: Locale): GoodsField {
  const { label, help, options, ...plain } = field;
  return {
    ...plain,
    label: textOf(label, locale),
    ...(help ? { help: textOf(help, locale) } : {}),
    options: (options ?? []).map((option) => ({ ...option, label: textOf(option.label, locale) })),
  };
}

/** Checks what the buyer filled in against the goods' fields; throws InvalidInput with a message for each wrong one. Unknown ones are dropped. */
export function checkFields(fields: StoredField[], values: FieldValues, locale: Locale): FieldValues {
  const errors: Record<string, string> = {};
  const kept: FieldValues = {};
  for (const field of fields) {
    const value = (values[field.key] ?? '').trim();
    const rule = brokenRule(field, value, values);
    if (rule) errors[`fields.${field.key}`] = fieldText(rule, locale);
    else if (value) kept[field.key] = value;
  }
  if (Object.keys(errors).length) throw fieldError(errors);
  return kept;
}

function brokenRule(field: StoredField, value: string, values: FieldValues): string | undefined {
  if (!value) return field.required ? 'required' : undefined;
  const length = [...value].length;
  if (field.min_len && length < field.min_len) return 'minLength';
  if (field.max_len && length > field.max_len) return 'maxLength';
  if (/[<>\p{Cc}]/u.test(value)) return 'pattern';
  if (field.type === 'number' && !/^\d+$/.test(value)) return 'pattern';
  if (field.pattern && !new RegExp(`^(?:${field.pattern})$`, 'u').test(value)) return 'pattern';
  if (field.type === 'select') {
    const parent = field.depends_on ? (values[field.depends_on] ?? '').trim() : '';
    const offered = (field.options ?? []).some(
      (one) => one.value === value && (!one.when || one.when.includes(parent)),
    );
    if (!offered) return 'other';
  }
  return undefined;
}

interface Validation {
  goods: number;
  fields: string;
}
const markOf = (fields: FieldValues) =>
  sha256(JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))).toString('base64url');

/** Asks the supplier whether the game account exists. The token vouches for exactly these fields for ten minutes. */
export async function validateAccount(context: AppContext, goodsId: number, values: FieldValues, locale: Locale) {
  const goods = await context.db.row<{ key: string; stock_type: string; fields: StoredField[] }>(
    'select key, stock_type, fields from goods where id = $1 and status <> 2',
    [goodsId],
  );
  if (!goods) throw new ShopError(ErrorCode.GoodsUnavailable);
  const fields = checkFields(goods.fields, values, locale);
  const supplier = context.providers.supplierFor(goods.stock_type);
  const nickname = supplier ? await supplier.validateAccount(goods.key, fields).catch(() => null) : '';
  if (nickname === null) throw new ShopError(ErrorCode.SupplierUnavailable);
  if (nickname === undefined) throw new ShopError(ErrorCode.GameAccountNotVerified);
  const claims: Validation = { goods: goodsId, fields: markOf(fields) };
  return { ok: true, nickname, validation_token: seal(context.config.secret, 'account', claims, VALIDATION_SECONDS) };
}

export function isValidated(
  context: AppContext,
  token: string | undefined,
  goodsId: number,
  fields: FieldValues,
): boolean {
  const claims = token ? unseal<Validation>(context.config.secret, 'account', token) : undefined;
  return claims?.goods === goodsId && claims.fields === markOf(fields);
}

export async function hotWords(sql: Sql, locale: Locale): Promise<string[]> {
  const rows = await sql.rows<{ word: string }>('select word from hot_words where locale = $1 order by sort', [locale]);
  return rows.map((row) => row.word);
}

export async function suggest(sql: Sql, keyword: string, view: View): Promise<CacheableResponse<SearchSuggest>> {
  if (!normalise(keyword)) return { data: [] };
  const { data } = await goodsList(sql, { keyword, limit: 8 }, view);
  return { data: data.list.map(({ id, name, image }) => ({ id, name, image })) };
}
