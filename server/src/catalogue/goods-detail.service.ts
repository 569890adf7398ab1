import { ErrorCode, OrderStatus, SpecType, StockState } from '@shop/shared/domain';
import { sanitise } from '../content/sanitise';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { linesOf, suffixOf, type Texts, textIn, textOf } from '../platform/http/localised-text';
import { wireAmount } from '../platform/http/money';
import type { View, Viewer } from '../platform/http/request';
import type { CacheableResponse, StockChange } from '../platform/response-cache/response-cache';
import type { GoodsInfo } from './catalogue.schemas';
import { fieldIn, type StoredField } from './goods-fields';
import { onShelf, stockMark } from './low-stock';

/** Columns that the response has in another form. */
interface StoredColumns {
  description: string;
  redeem: string;
  tags: Texts[];
  fields: StoredField[];
  sales: number;
}
type Computed = keyof StoredColumns | 'description_html' | 'sold' | 'currency' | 'tells_stock';
type GoodsDetailRow = StoredColumns & Omit<GoodsInfo, Computed>;

/** The same for every viewer: `limits.used` is 0 until `withUsed` fills it in. */
export async function goodsInfo(
  sql: Sql,
  goodsId: number,
  view: View,
  notifiesStock: boolean,
): Promise<CacheableResponse<GoodsInfo>> {
  const to = suffixOf(view.locale);
  const row = await sql.row<GoodsDetailRow>(
    `select g.id, g.name_${to} as name, g.image, g.images, g.category_id, g.status, g.recharge_type, g.spec_type,
            g.description_${to} as description, g.notice_${to} as notice, g.redeem_${to} as redeem, g.tags, g.fields,
            json_build_object('min', g.min_qty, 'max', g.max_qty, 'per_user', g.per_user, 'per_day', g.per_day, 'used', 0) as limits,
            g.need_verify_account, g.sales, g.delivery_seconds,
            case when g.spec_type = ${SpecType.Custom} then json_build_object('min', g.custom_min, 'max', g.custom_max,
              'step', g.custom_step, 'unit', coalesce(${textIn('g.custom_unit', view.locale)}, ''), 'unit_price',
              (select ${wireAmount('price')} from prices where goods_id = g.id and spec_id is null and currency = $1)) end as custom,
            coalesce((select json_agg(json_strip_nulls(json_build_object('id', s.id, 'name', s.name_${to}, 'face_value', s.face_value,
                'price', ${wireAmount('p.price')}, 'original_price', ${wireAmount('p.original_price')}, 'max_qty', s.max_qty,
                'steps', (select json_agg(json_build_object('from', from_qty, 'price', ${wireAmount('price')}) order by from_qty)
                   from price_steps
                   where spec_id = s.id and currency = $1 and price < p.price and from_qty <= least(s.max_qty, g.max_qty)),
                'stock_state', ${stockMark})) order by s.sort, s.id)
               from goods_specs s join prices p on p.spec_id = s.id and p.currency = $1
              where s.goods_id = g.id and s.active), '[]') as specs
       from goods g where g.id = $2 and ${onShelf('$3')}`,
    [view.currency, goodsId, view.viewer?.isVip ?? false],
  );
  if (!row) throw new ShopError(ErrorCode.GoodsUnavailable);
  if (row.spec_type === SpecType.FaceValues ? row.specs.length === 0 : !row.custom?.unit_price)
    throw new ShopError(ErrorCode.CurrencyNotOffered);
  const { description, redeem, tags, fields, sales, ...plain } = row;
  const data: GoodsInfo = {
    ...plain,
    images: row.images.length ? row.images : [row.image],
    tags: tags.map((tag) => textOf(tag, view.locale)),
    description_html: sanitise(description),
    redeem: linesOf(redeem),
    fields: fields.map((field) => fieldIn(field, view.locale)),
    sold: roundedDown(sales),
    currency: view.currency,
    ...(notifiesStock && row.specs.some((spec) => spec.stock_state === StockState.Out) ? { tells_stock: true } : {}),
  };
  const isStillValid = ({ marks }: StockChange) => data.specs.every((spec) => marks[spec.id] === spec.stock_state);
  return { data, goodsIds: [goodsId], isStillValid, personal: row.limits.per_user > 0 || row.limits.per_day > 0 };
}

/** Rounds to 7, 30, 400, 20000: what shops usually show, and no exact figure for competitors. */
function roundedDown(count: number): number {
  const unit = 10 ** (String(count).length - 1);
  return count - (count % unit);
}

export async function withUsed(sql: Sql, data: GoodsInfo, viewer: Viewer): Promise<GoodsInfo> {
  const used = await sql.value<number>(
    `select coalesce(sum(quantity - refunded_quantity), 0)::integer from orders
      where user_id = $1 and goods_id = $2 and closed_at is null and status <> ${OrderStatus.Refunded}
        and (not $3 or created_at > now() - interval '1 day')`,
    [viewer.id, data.id, data.limits.per_day > 0],
  );
  return { ...data, limits: { ...data.limits, used } };
}
