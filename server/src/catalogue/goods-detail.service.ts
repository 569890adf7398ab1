import { ErrorCode, GoodsStatus, OrderStatus, SpecType, StockState } from '@shop/shared/domain';
import { sanitise } from '../content/sanitise';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import { linesOf, suffixOf, type Texts, textOf } from '../platform/http/localised-text';
import { toWire } from '../platform/http/money';
import type { Viewer } from '../platform/http/request';
import type { View } from '../platform/http/view';
import type { CacheableResponse, StockChange } from '../platform/response-cache/response-cache';
import type { GoodsInfo } from './catalogue.schemas';
import { fieldIn, type StoredField } from './goods-fields';
import { stockMark } from './low-stock';

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
  redeem: string;
  tags: Texts[];
  fields: StoredField[];
  min_qty: number;
  max_qty: number;
  per_user: number;
  per_day: number;
  need_verify_account: boolean;
  sales: number;
  delivery_seconds: number | null;
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
    steps: Array<{ from: number; price: number }> | null;
  }>;
}

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
            g.description_${to} as description, g.notice_${to} as notice, g.redeem_${to} as redeem, g.tags, g.fields, g.min_qty, g.max_qty,
            g.per_user, g.per_day, g.need_verify_account, g.sales, g.delivery_seconds,
            g.custom_min, g.custom_max, g.custom_step, g.custom_unit,
            (select price from prices where goods_id = g.id and spec_id is null and currency = $1) as unit_price,
            coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name_${to}, 'face_value', s.face_value,
                'price', p.price, 'original_price', p.original_price, 'max_qty', s.max_qty,
                'steps', (select json_agg(json_build_object('from', from_qty, 'price', price) order by from_qty)
                   from price_steps
                   where spec_id = s.id and currency = $1 and price < p.price and from_qty <= least(s.max_qty, g.max_qty)),
                'mark', ${stockMark}) order by s.sort, s.id)
               from goods_specs s join prices p on p.spec_id = s.id and p.currency = $1
              where s.goods_id = g.id and s.active), '[]') as specs
       from goods g where g.id = $2 and (g.status = ${GoodsStatus.OnShelf} or (g.status = ${GoodsStatus.VipShelf} and $3))`,
    [view.currency, goodsId, view.viewer?.isVip ?? false],
  );
  if (!row) throw new ShopError(ErrorCode.GoodsUnavailable);
  if (row.spec_type === SpecType.FaceValues ? row.specs.length === 0 : row.unit_price === null)
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
    description_html: sanitise(row.description),
    notice: row.notice,
    redeem: linesOf(row.redeem),
    spec_type: row.spec_type,
    specs: row.specs.map(({ mark, price, original_price, steps, ...spec }) => ({
      ...spec,
      price: toWire(price),
      original_price: toWire(original_price),
      stock_state: mark,
      ...(steps && { steps: steps.map(({ from, price }) => ({ from, price: toWire(price) })) }),
    })),
    custom:
      row.spec_type === SpecType.Custom
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
    sold: roundedDown(row.sales),
    delivery_seconds: row.delivery_seconds,
    currency: view.currency,
    ...(notifiesStock && row.specs.some(({ mark }) => mark === StockState.Out) ? { tells_stock: true } : {}),
  };
  const isStillValid = ({ marks }: StockChange) => data.specs.every((spec) => marks[spec.id] === spec.stock_state);
  return { data, goodsIds: [goodsId], isStillValid, personal: row.per_user > 0 || row.per_day > 0 };
}

/** Rounds to 7, 30, 400, 20000: what shops usually show, and no exact figure for competitors. */
function roundedDown(count: number): number {
  const unit = 10 ** (String(count).length - 1);
  return count - (count % unit);
}

export async function withUsed(sql: Sql, data: GoodsInfo, viewer: Viewer): Promise<GoodsInfo> {
  const used = await bought(sql, viewer.id, data.id, data.limits.per_day > 0);
  return { ...data, limits: { ...data.limits, used } };
}

async function bought(sql: Sql, userId: number, goodsId: number, today: boolean): Promise<number> {
  const { used } = await sql.one<{ used: number }>(
    `select coalesce(sum(quantity - refunded_quantity), 0)::integer as used from orders
      where user_id = $1 and goods_id = $2 and closed_at is null and status <> ${OrderStatus.Refunded}
        and (not $3 or created_at > now() - interval '1 day')`,
    [userId, goodsId, today],
  );
  return used;
}
